// The stage of the event page: exactly one of these faces at a time, from "opens in …" to "sold out".

import { announce, fill, h, setText } from '../dom.js';
import { clockTime, countdown, duration, hasText, number, t } from '../i18n.js';
import { crowd, expectation, risen } from '../expect.js';
import { statusOf } from '../lanes.js';
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
    const status = own(ctx, feed.status);
    const next = faceOf(ctx, status);
    if (next !== face) turnTo(next);
    join.refresh();
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

/** The status as it reads for the fan's own lane. */
const own = (ctx, status) => statusOf(ctx.event, status, ctx.place.lane);

/** Which face the stage shows. */
function faceOf(ctx, status) {
  if (!status) return 'loading';
  if (status.phase === 'sold_out' || status.phase === 'closed') return status.phase;
  if (!ctx.place.entry) return { scheduled: 'scheduled', prequeue: 'join_draw' }[status.phase] ?? 'join_line';
  if (ctx.place.number && ctx.place.number <= status.admitted) return ctx.over && !ctx.admission ? 'over' : 'turn';
  if (isBefore(status)) return 'in_draw';
  return ctx.place.number ? 'waiting' : 'numbering';
}

const isBefore = (status) => status.phase === 'scheduled' || status.phase === 'prequeue';

function noteText(ctx, feed) {
  if (feed.stale && feed.status) return t('line.stale');
  const status = feed.status;
  if (!status) return '';
  return [standsText(status), status.msg].filter(Boolean).join(' ');
}

/** Why the line stands, since when, and that nothing is lost; nothing while it moves. */
function standsText(status) {
  const known = `pause.${status.why}`;
  if (status.phase !== 'paused' && status.phase !== 'stopped') return status.phase === 'drawing' && status.why ? t(hasText(known) ? known : 'line.draw_waits') : '';
  const why = status.why && hasText(known) ? t(known) : status.why;
  const moved = status.moved && t('line.moved_at', { time: clockTime(status.moved) });
  return [t(status.phase === 'stopped' ? 'line.stopped' : 'line.paused'), why, moved].filter(Boolean).join(' ');
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
    const many = crowdNote();
    return {
      nodes: [...clock.nodes, ...join(ctx), many.el],
      update: many.update,
      tick: (c) => setText(clock.value, countdown(c.event.opens_at_ms - c.clock.now())),
    };
  };
}

/** How many have joined, and what that means for the tickets: told before anybody waits for nothing. */
function crowdNote() {
  const el = h('p', { class: 'quiet', hidden: true });
  const update = (status) => {
    const { joined, odds } = crowd(status);
    setText(el, [t('line.joined_so_far', { n: joined }), odds !== 'good' && t(`crowd.${odds}`)].filter(Boolean).join(' '));
    el.className = odds === 'good' ? 'quiet' : 'notice';
    el.hidden = joined === 0;
  };
  return { el, update };
}

const FACES = {
  loading: () => ({ nodes: [h('p', { class: 'quiet' }, t('line.loading'))] }),
  scheduled: (ctx) => opening(() => [h('p', {}, t('line.join_later'))])(ctx),
  join_draw: (ctx, join) => opening(() => [h('p', {}, t('line.draw_short')), join.el])(ctx),
  in_draw: (ctx) => opening(() => [h('p', { class: 'good' }, t('line.joined')), h('p', {}, t('line.may_close'))])(ctx),
  join_line: (ctx, join) => {
    const many = crowdNote();
    return { nodes: [h('p', {}, t('line.open_short')), many.el, join.el], update: many.update };
  },
  numbering: () => ({ nodes: [h('p', {}, t('line.numbering')), h('p', { class: 'quiet' }, t('line.may_close'))] }),
  waiting,
  turn,
  over: (ctx) => ({ nodes: [h('p', {}, t(ctx.waiting ? 'line.over_list' : 'shop.session_over'))] }),
  sold_out: (ctx) => ({ nodes: [h('p', {}, t(ctx.waiting ? 'line.sold_out_list' : 'line.sold_out_text'))] }),
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
  const odds = h('p', { class: 'notice', hidden: true });
  const rose = h('p', { class: 'quiet', hidden: true });
  const first = own(ctx, ctx.feed.status).admitted;
  let before = null;

  function update(status, feed) {
    const expected = expectation(ctx.event, status, ctx.place.number, ctx.clock.now(), ctx.place.lane ? null : feed.speed);
    setText(place.value, number(ctx.place.number));
    setText(ahead.value, number(expected.ahead));
    setText(rate.value, t('line.per_minute', { n: Math.round(expected.perMinute) }));
    setText(wait.value, expected.wait === 'time' ? duration(expected.waitMs) : t(`wait.${expected.wait}`));
    setText(moved.value, status.moved ? clockTime(status.moved) : t('line.not_moved'));
    bar.value = (status.admitted - first) / Math.max(1, ctx.place.number - first);
    say(odds, expected.odds === 'good' ? '' : t(`odds.${expected.odds}`));
    explain({ ...expected, rate: status.rate });
  }

  /** A wait that rose says why, until it is back to what it was. */
  function explain(now) {
    const why = risen(before, now);
    if (why) say(rose, t(`risen.${why}`));
    else if (!before || (now.wait === 'time' && before.wait === 'time' && now.waitMs <= before.waitMs)) say(rose, '');
    if (!why) before = now;
  }
  return {
    nodes: [...place.nodes, bar, h('dl', { class: 'facts-grid' }, ahead.row, wait.row, rate.row, moved.row), rose, odds, h('p', { class: 'quiet' }, t('line.may_close'))],
    update,
  };
}

function say(el, text) {
  setText(el, text);
  el.hidden = !text;
}
