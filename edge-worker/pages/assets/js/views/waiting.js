// The card of the waiting list: go on it, see how one stands, take an offer or leave it. One face at a time.

import { announce, fill, h, setText, show } from '../dom.js';
import { countdown, number, t } from '../i18n.js';
import { explain } from '../problems.js';

/** Spoken warnings of an offer's end, in ms before it. */
const WARN_AT_MS = [300_000, 60_000];
/** In front of somebody are counted so many at most. */
const AHEAD_MOST = 100;
/** Faces in which one may go on the list. */
const JOINS = new Set(['none', 'lapsed', 'taken']);

/**
 * @param {object} ctx what the page's parts share
 * @param {{wanted: () => boolean, take: () => void}} on whether this view has a reason to offer the list; the fan wants to see the offer
 */
export function waitingCard(ctx, on) {
  if (!ctx.waiting) return null;
  const list = ctx.waiting;
  const title = h('h2', { id: 'waiting-title' }, t('waiting.title'));
  const body = h('div', { class: 'waiting-body' });
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const el = h('section', { class: 'card waiting', 'aria-labelledby': 'waiting-title', hidden: true }, title, body, trouble);
  let face = '';
  let parts = {};
  let looking = false;

  /** Looks if it is time and there is something to see. */
  async function look() {
    const follows = !list.known || list.state === 'waiting' || list.state === 'offered' || on.wanted();
    if (looking || !follows || !list.due() || !mayAsk(ctx)) return;
    looking = true;
    await list.look().then(() => say(''), (error) => { if (list.known) say(explain(error)); });
    looking = false;
    update();
  }

  function update() {
    const next = faceOf();
    show(el, Boolean(next));
    if (next !== face) turnTo(next);
    parts.update?.();
  }

  function faceOf() {
    if (!list.known) return '';
    if (list.state === 'offered') return list.left() > 0 ? 'offered' : 'lapsed';
    if (list.state === 'waiting') return 'waiting';
    return on.wanted() ? list.state ?? 'none' : '';
  }

  function turnTo(next) {
    const before = face;
    face = next;
    parts = {};
    if (!next) return;
    el.dataset.face = next;
    setText(title, t(next === 'offered' ? 'waiting.offered_title' : 'waiting.title'));
    parts = FACES[next]();
    fill(body, parts.nodes, JOINS.has(next) && joinForm());
    if (before || next === 'offered') announce(t(`waiting.${next}`), { now: next === 'offered' });
  }

  async function run(event, action, done) {
    event.preventDefault();
    const button = event.submitter ?? event.currentTarget;
    button.disabled = true;
    say('');
    try {
      await action();
      update();
      if (done) announce(t(done));
      title.tabIndex = -1;
      if (!el.hidden) title.focus();
    } catch (error) {
      say(explain(error));
    }
    button.disabled = false;
  }

  function say(text) {
    setText(trouble, text);
    show(trouble, Boolean(text));
  }

  function joinForm() {
    const most = ctx.event.max_per_account;
    const count = h('select', { id: 'waiting-n' }, Array.from({ length: most }, (_, i) => h('option', { value: i + 1 }, String(i + 1))));
    count.value = String(Math.min(2, most));
    return h('form', { class: 'waiting-form', onsubmit: (event) => run(event, () => list.join(Number(count.value))) },
      h('div', { class: 'field' }, h('label', { for: 'waiting-n' }, t('waiting.n')), count),
      h('p', { class: 'quiet' }, t('waiting.rules')),
      h('button', { class: 'button' }, t('waiting.join')));
  }

  const leave = (key, done) => h('button', { type: 'button', class: 'button secondary', onclick: (event) => run(event, () => list.leave(), done) }, t(key));
  const plain = (kind) => () => ({ nodes: [h('p', {}, t(`waiting.${kind}`))] });
  const FACES = { none: plain('none'), lapsed: plain('lapsed'), taken: plain('taken'), waiting: waits, offered };

  function waits() {
    const text = h('p', { class: 'good' }, '');
    const ahead = h('p', {}, '');
    return {
      nodes: [text, ahead, h('p', { class: 'quiet' }, t('waiting.stay')), h('div', { class: 'actions' }, leave('waiting.leave', 'waiting.left'))],
      update: () => {
        const { ahead: before = 0, quantity } = list.entry;
        setText(text, t('waiting.on', { n: quantity }));
        setText(ahead, before >= AHEAD_MOST ? t('waiting.ahead_many', { count: number(AHEAD_MOST) }) : t('waiting.ahead', { n: before }));
      },
    };
  }

  function offered() {
    const time = h('p', { class: 'big', role: 'timer' }, '–');
    let warned = 0;
    const go = h('button', { type: 'button', class: 'button', onclick: on.take }, t('waiting.take'));
    const tick = () => {
      const left = list.left();
      setText(time, countdown(left));
      if (left <= 0) return update();
      if (warned < WARN_AT_MS.length && left < WARN_AT_MS[warned]) {
        warned += 1;
        announce(t('waiting.warn', { left: countdown(left) }));
      }
      return undefined;
    };
    return { nodes: [h('p', {}, t('waiting.offered')), time, h('div', { class: 'actions' }, go, leave('waiting.decline', 'waiting.declined'))], tick };
  }

  function tick() {
    parts.tick?.();
    look();
  }
  return { el, update, tick, title: () => (face === 'offered' ? t('waiting.offered_title') : null) };
}

/** Only whose turn has come is on the list, and a stopped or ended sale has none. */
function mayAsk(ctx) {
  const { status } = ctx.feed;
  return Boolean(status) && ctx.hadTurn() && status.phase !== 'closed' && status.phase !== 'stopped';
}

/** Makes an offer the session of this visit, with its hold. True if it is one that stands. */
export async function adoptOffer(ctx) {
  const { entry, state } = ctx.waiting;
  if ((state !== 'offered' && state !== 'taken') || entry.until_ms <= (ctx.clock.eventNow() ?? 0)) return false;
  ctx.admission = { session: ctx.admission?.session ?? entry.hold, expires_ms: Math.max(entry.until_ms, ctx.admission?.expires_ms ?? 0), longer: true, channel: ctx.admission?.channel };
  await ctx.holds.restore(entry.hold);
  return true;
}
