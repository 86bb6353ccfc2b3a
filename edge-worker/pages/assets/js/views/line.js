// The stage of the event page: exactly one of these faces at a time, from "opens in …" to "sold out".

import { announce, fill, h, setText } from '../dom.js';
import { clockTime, countdown, duration, hasText, number, t } from '../i18n.js';
import { expectation } from '../expect.js';
import { joinForm } from './join.js';

/** @param {object} ctx */
export function lineStage(ctx) {
  const el = h('section', { class: 'card stage', 'aria-labelledby': 'stage-title' });
  const title = h('h2', { id: 'stage-title' });
  const body = h('div', { class: 'stage-body' });
  const note = h('p', { class: 'notice', hidden: true });
  el.append(title, body, note);
  let face = '';
  let parts = {};
  const join = joinForm(ctx, () => update(ctx.feed));

  function update(feed) {
    const status = feed.status;
    const next = faceOf(ctx, feed);
    if (next !== face) turnTo(next);
    setNote(feed);
    if (status && parts.update) parts.update(status, feed);
    tick();
  }

  function turnTo(next) {
    const before = face;
    face = next;
    el.dataset.face = next;
    setText(title, t(`stage.${next}`));
    parts = FACES[next](ctx, join);
    fill(body, parts.nodes);
    if (before) announce(t(`stage.${next}`), { now: next === 'turn' || next === 'sold_out' });
  }

  function setNote(feed) {
    const text = noteText(ctx, feed);
    note.hidden = !text;
    setText(note, text);
  }

  function tick() {
    parts.tick?.(ctx);
  }
  return { el, update, tick, title: () => titleText(ctx, face) };
}

/** Which face the stage shows. */
function faceOf(ctx, feed) {
  const { status } = feed;
  if (!status) return 'loading';
  if (status.phase === 'sold_out' || status.phase === 'closed') return status.phase;
  if (!ctx.place.entry) return { scheduled: 'scheduled', prequeue: 'join_draw' }[status.phase] ?? 'join_line';
  if (ctx.place.number && ctx.place.number <= status.admitted) return 'turn';
  if (isBefore(status)) return 'in_draw';
  return ctx.place.number ? 'waiting' : 'numbering';
}

const isBefore = (status) => status.phase === 'scheduled' || status.phase === 'prequeue';

function noteText(ctx, feed) {
  if (feed.stale && feed.status) return t('line.stale');
  const status = feed.status;
  if (!status) return '';
  const known = `pause.${status.msg}`;
  const message = status.msg && hasText(known) ? t(known) : status.msg;
  return [status.phase === 'paused' && t('line.paused'), message].filter(Boolean).join(' ');
}

function titleText(ctx, face) {
  if (face === 'turn') return t('title.turn');
  if (face === 'waiting') return t('title.place', { place: number(ctx.place.number) });
  return null;
}

const big = (label) => {
  const value = h('p', { class: 'big', role: 'timer' }, '–');
  return { value, nodes: [h('p', { class: 'label' }, label), value] };
};

function opening(join) {
  return (ctx) => {
    const clock = big(t('line.opens_in'));
    return { nodes: [...clock.nodes, ...join(ctx)], tick: (c) => setText(clock.value, countdown(c.event.opens_at_ms - c.clock.now())) };
  };
}

const FACES = {
  loading: () => ({ nodes: [h('p', { class: 'quiet' }, t('line.loading'))] }),
  scheduled: (ctx) => opening(() => [h('p', {}, t('line.join_later'))])(ctx),
  join_draw: (ctx, join) => opening(() => [h('p', {}, t('line.draw_short')), join.el])(ctx),
  in_draw: (ctx) => opening(() => [h('p', { class: 'good' }, t('line.joined')), h('p', {}, t('line.may_close'))])(ctx),
  join_line: (ctx, join) => ({ nodes: [h('p', {}, t('line.open_short')), join.el] }),
  numbering: () => ({ nodes: [h('p', {}, t('line.numbering')), h('p', { class: 'quiet' }, t('line.may_close'))] }),
  waiting,
  turn,
  sold_out: () => ({ nodes: [h('p', {}, t('line.sold_out_text'))] }),
  closed: () => ({ nodes: [h('p', {}, t('line.closed_text'))] }),
};

function turn(ctx) {
  const left = h('p', { class: 'session' }, t('line.turn_text'));
  const enter = h('a', { class: 'button', href: `/e/${ctx.id}/shop`, dataset: { go: '' } }, t('line.enter'));
  const tick = () => {
    const rest = ctx.admission && ctx.admission.expires_ms - ctx.clock.eventNow();
    if (rest) setText(left, rest > 0 ? t('shop.session', { left: countdown(rest) }) : t('shop.session_over'));
  };
  return { nodes: [left, enter], tick };
}

function waiting(ctx) {
  const place = big(t('line.your_place'));
  const fact = (key) => {
    const value = h('dd', {}, '–');
    return { value, row: h('div', {}, h('dt', {}, t(`line.${key}`)), value) };
  };
  const [ahead, rate, wait, moved] = ['ahead', 'rate', 'wait', 'moved'].map(fact);
  const bar = h('progress', { max: '1', value: '0', 'aria-label': t('line.progress') });
  const plain = h('p', { class: 'notice', hidden: true }, t('line.unlikely'));
  const first = ctx.feed.status.admitted;
  return {
    nodes: [...place.nodes, bar, h('dl', { class: 'facts-grid' }, ahead.row, wait.row, rate.row, moved.row), plain, h('p', { class: 'quiet' }, t('line.may_close'))],
    update(status, feed) {
      const expected = expectation(ctx.event, status, ctx.place.number, ctx.clock.now());
      setText(place.value, number(ctx.place.number));
      setText(ahead.value, number(expected.ahead));
      setText(rate.value, t('line.per_minute', { n: status.rate }));
      setText(wait.value, expected.beyond ? t('line.beyond') : expected.waitMs === null ? t('line.wait_unknown') : duration(expected.waitMs));
      setText(moved.value, feed.movedAt ? clockTime(feed.movedAt) : t('line.not_moved'));
      bar.value = (status.admitted - first) / Math.max(1, ctx.place.number - first);
      plain.hidden = !expected.unlikely;
    },
  };
}
