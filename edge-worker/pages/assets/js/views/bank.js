// A payment that is under way: the bank wants to see its customer first, or just takes its time. Both can be given up.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { explain } from '../problems.js';
import { giveBack } from '../holds.js';

/** Where the bank wants to see its customer, or nothing. Only pages are gone to, whatever an answer says. */
export const bankPage = (order) => (order.action?.type === 'redirect' && /^https?:\/\//.test(order.action.url) ? order.action.url : null);

/**
 * @param {object} ctx
 * @param {object} order being paid
 * @param {(order: object) => void} left told how the order stands once it was given up
 */
export function bankPanel(ctx, order, left) {
  const url = bankPage(order);
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const giveUp = h('button', { type: 'button', class: 'button secondary', onclick: leave }, t('bank.leave'));

  /** The authorization ends first; then the seats are free for another card. */
  async function leave() {
    giveUp.disabled = true;
    try {
      left(await giveBack(ctx.id, order.order));
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = explain(error);
      giveUp.disabled = false;
    }
  }
  return h('section', { class: 'card bank', 'aria-labelledby': 'bank-title' },
    h('h2', { id: 'bank-title' }, t(url ? 'bank.title' : 'bank.slow_title')),
    h('p', {}, t(url ? 'bank.text' : 'bank.slow_text')), trouble,
    h('div', { class: 'actions' }, url && h('a', { class: 'button', href: url }, t('bank.go')), giveUp));
}
