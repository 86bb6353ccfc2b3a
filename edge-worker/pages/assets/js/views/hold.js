// The hold: what it holds, how long in event time, more time once, giving back, and the checkout below.

import { announce, h, setText } from '../dom.js';
import { countdown, money, t } from '../i18n.js';
import { nameOfId, typeName } from '../describe.js';
import { explain } from '../problems.js';
import { checkout } from './checkout.js';

/** Spoken warnings, in ms before the end. */
const WARN_AT_MS = [120_000, 30_000];

/** @param {object} ctx @param {{changed: (choosing?: boolean) => void, tell: (text: string) => void, readMap: () => Promise<void>}} on */
export function holdPanel(ctx, on) {
  const hold = ctx.holds.current;
  const time = h('p', { class: 'big', role: 'timer' }, '–');
  const hint = h('p', { class: 'quiet' });
  const more = h('button', { type: 'button', class: 'button secondary', hidden: Boolean(hold.extended), onclick: () => run(more, async () => { await ctx.holds.extend(); on.changed(); }) }, t('hold.extend'));
  const back = h('button', { type: 'button', class: 'button secondary', onclick: () => run(back, async () => { await ctx.holds.release(); await on.readMap().catch(() => {}); on.changed(); }) }, t('hold.release'));
  const other = h('button', { type: 'button', class: 'button secondary', onclick: () => on.changed(true) }, t('hold.others'));
  const keep = h('button', { type: 'button', class: 'button secondary', hidden: true, onclick: () => on.changed() }, t('hold.back'));
  // Only the machine's choice is told of: who picked seats apart knows.
  const apart = hold.attempts && hold.together === false && h('p', { class: 'notice' }, t('hold.apart'));
  const details = h('div', {}, apart, lines(ctx, hold));
  const pay = checkout(ctx, hold, { ...on, locked: (is) => [more, back, other].forEach((b) => { b.disabled = is; }) });
  const actions = h('div', { class: 'actions' }, more, other, back);
  const el = h('section', { class: 'card hold', 'aria-labelledby': 'hold-title' },
    h('div', { class: 'hold-head' }, h('div', {}, h('h2', { id: 'hold-title' }, t('hold.title')), hint), time),
    details, actions, keep, pay.el);
  let warned = 0;
  let over = false;

  async function run(button, action) {
    button.disabled = true;
    try {
      await action();
    } catch (error) {
      if (error.code === 'ALREADY_EXTENDED') more.hidden = true;
      on.tell(explain(error));
    }
    button.disabled = false;
  }

  function tick() {
    const now = ctx.clock.eventNow();
    if (now === null || over) return;
    const left = (ctx.holds.current?.until_ms ?? hold.until_ms) - now;
    setText(time, countdown(left));
    setText(hint, t(ctx.clock.running() ? 'hold.time' : 'hold.stopped'));
    el.classList.toggle('late', left < 60_000);
    if (warned < WARN_AT_MS.length && left < WARN_AT_MS[warned]) {
      warned += 1;
      announce(t('hold.warn', { left: countdown(left) }));
    }
    if (left <= 0 && !pay.busy()) expire();
  }

  async function expire() {
    over = true;
    await ctx.holds.restore().catch(() => {});
    if (ctx.holds.current && ctx.holds.current.until_ms > ctx.clock.eventNow()) return on.changed();
    ctx.holds.forget();
    await on.readMap().catch(() => {});
    on.changed();
    return on.tell(t('hold.expired'));
  }

  /** While other seats are chosen the hold shrinks to its head. */
  function compact(is) {
    for (const part of [details, actions, pay.el]) part.hidden = is;
    keep.hidden = !is;
  }
  return { el, tick, compact };
}

/** The priced lines of a hold or order, with fees itemised and the total. */
export function lines(ctx, { seats = [], pools = [], total_minor: total, currency }) {
  const of = currency ?? ctx.event.currency;
  const level = ({ level: id, type }) => {
    const of = ctx.event.levels.find((one) => one.id === id);
    return [of?.name ?? id, typeName(of, type)].filter(Boolean).join(', ');
  };
  const row = (text, item) => h('tr', {}, h('th', { scope: 'row' }, text, h('span', { class: 'split' }, level(item), ' · ', t('price.split', { price: money(item.price_minor, of), fee: money(item.fee_minor, of) }))),
    h('td', { class: 'price' }, money(item.total_minor * (item.quantity ?? 1), of)));
  const poolName = (id) => ctx.event.pools?.find((pool) => pool.id === id)?.name ?? id;
  return h('table', { class: 'lines' }, h('caption', { class: 'visually-hidden' }, t('hold.caption')),
    h('tbody', {}, seats.map((seat) => row(nameOfId(ctx.layout, seat.seat), seat)), pools.map((pool) => row(t('basket.pool', { n: pool.quantity, pool: poolName(pool.pool) }), pool))),
    h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, t('hold.total')), h('td', { class: 'price' }, h('strong', {}, money(total, of))))));
}
