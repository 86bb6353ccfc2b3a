// Giving an order back: all of it or some seats, after a look at what goes and what is refunded.

import { announce, fill, h } from '../dom.js';
import { money, t } from '../i18n.js';
import { nameOfId } from '../describe.js';
import { explain } from '../problems.js';
import { giveBack } from '../holds.js';
import { newKey } from '../api.js';

/**
 * @param {object} ctx
 * @param {object} order sold
 * @param {(order: object) => void} done told the order once its fan's wish is stored
 */
export function giveBackPanel(ctx, order, done) {
  const price = (minor) => money(minor, order.currency);
  const boxes = order.seats.map((line) => h('input', { type: 'checkbox', name: 'seat', value: line.seat, onchange: count }));
  const some = h('button', { type: 'button', class: 'button secondary', disabled: true, onclick: () => ask(chosen()) });
  const all = h('button', { type: 'button', class: 'button secondary', onclick: () => ask(order.seats, true) }, t('back.all'));
  const several = order.seats.length + order.pools.length > 1;
  const list = several && order.seats.length > 0 && h('fieldset', {}, h('legend', {}, t('back.which')),
    order.seats.map((line, i) => h('label', { class: 'check' }, boxes[i], h('span', {}, nameOfId(ctx.layout, line.seat), ' · ', price(line.total_minor)))));
  const dialog = h('dialog', { class: 'card sure', 'aria-labelledby': 'sure-title' });
  const el = h('section', { class: 'card give-back no-print', 'aria-labelledby': 'back-title' }, h('h2', { id: 'back-title' }, t('back.title')),
    h('p', { class: 'quiet' }, t(order.pools.length ? 'back.note_pools' : 'back.note')), list, h('div', { class: 'actions' }, list && some, all), dialog);

  const chosen = () => order.seats.filter((line, i) => boxes[i].checked);
  function count() {
    const n = chosen().length;
    some.disabled = n === 0;
    some.textContent = n ? t('back.some', { n }) : t('back.none');
  }

  /** What goes, what it brings; nothing has been asked of anybody yet. */
  function ask(seats, whole = seats.length === order.seats.length && !order.pools.length) {
    const minor = whole ? order.total_minor : seats.reduce((sum, line) => sum + line.total_minor, 0);
    // One key for one wish: pressing again, however often, is the same wish.
    const key = newKey();
    const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
    const yes = h('button', { type: 'button', class: 'button', onclick: () => go(whole ? undefined : seats.map((line) => line.seat), key, yes, trouble) }, t('back.yes', { total: price(minor) }));
    const no = h('button', { type: 'button', class: 'button secondary', onclick: () => dialog.close() }, t('back.no'));
    fill(dialog, h('h2', { id: 'sure-title' }, whole ? t('back.sure_all') : t('back.sure_some', { n: seats.length })),
      h('ul', {}, seats.map((line) => h('li', {}, nameOfId(ctx.layout, line.seat))), whole && order.pools.map((line) => h('li', {}, poolName(ctx, line)))), h('p', {}, t('back.sure_text', { total: price(minor) })), trouble,
      h('div', { class: 'actions' }, yes, no));
    dialog.showModal();
  }

  async function go(seats, key, yes, trouble) {
    yes.disabled = true;
    try {
      const now = await giveBack(ctx.id, order.order, seats, key);
      dialog.close();
      announce(t('back.done'), { now: true });
      done(now);
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = explain(error);
      yes.disabled = false;
    }
  }
  count();
  return el;
}

const poolName = (ctx, line) => t('basket.pool', { n: line.quantity, pool: ctx.event.pools.find((pool) => pool.id === line.pool)?.name ?? line.pool });
