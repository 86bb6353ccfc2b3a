// Paying a hold. The card network may say yes, no, or nothing yet; each is told, and no answer costs the seats.

import { announce, fill, h, setText, show } from '../dom.js';
import { jitter, newKey, sleep } from '../api.js';
import { clockTime, hasText, money, t } from '../i18n.js';
import { explain } from '../problems.js';
import { bankPage, bankPanel } from './bank.js';
import { getOrder, ownOrders, pay, rememberOrder } from '../holds.js';

/** Test cards of the payment simulator. A card's number never reaches this page or this system. */
const METHODS = ['pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_slow', 'pm_card_threeDSecure2Required'];
const PAID = new Set(['confirmed', 'captured', 'delivered']);
/** Who bought so lately may not mean to buy again, in ms. */
const LATELY_MS = 10 * 60_000;
/** What was typed and chosen, for as long as the page is open: the next hold need not ask again when this one ran out. */
const typed = { mail: '', method: METHODS[0] };
const LOST = new Set(['seats_gone', 'abandoned', 'voiding', 'released', 'cancelled']);

/** @param {object} ctx @param {object} hold @param {{changed: () => void, tell: (text: string) => void, locked: (is: boolean) => void, readMap: () => Promise<void>}} on */
export function checkout(ctx, hold, on) {
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const button = h('button', { class: 'button wide' }, t('pay.button', { total: money(hold.total_minor, hold.currency ?? ctx.event.currency) }));
  const choices = METHODS.map((id) => h('label', { class: 'choice' }, h('input', { type: 'radio', name: 'method', value: id, checked: id === typed.method, onchange: () => { typed.method = id; } }), h('span', {}, t(`pay.${id}`))));
  const again = h('p', { class: 'notice', hidden: true });
  const bank = h('div', { hidden: true });
  const mail = h('input', { type: 'email', name: 'mail', autocomplete: 'email', maxlength: 254, value: typed.mail, oninput: () => { typed.mail = mail.value; } });
  const cards = h('div', { class: 'cards' }, h('fieldset', {}, h('legend', {}, t('pay.method')), choices), h('label', { class: 'field' }, h('span', {}, t('pay.mail')), mail), h('p', { class: 'quiet' }, t('pay.note')));
  const el = h('form', { class: 'checkout', onsubmit: submit }, h('h2', {}, t('pay.title')), again, cards, bank, trouble, button);
  let paying = false;
  // One key for one try of one card: pressing again after a lost answer is the same try.
  let attempt = { method: null, to: null, key: null };

  async function submit(event) {
    event.preventDefault();
    if (paying) return;
    const method = new FormData(el).get('method');
    const to = mail.value.trim() || undefined;
    if (attempt.method !== method || attempt.to !== to) attempt = { method, to, key: newKey() };
    busy(true);
    say('');
    try {
      await settle(await pay(ctx.id, hold.hold, { method, mail: to }, attempt.key));
    } catch (error) {
      await refused(error);
    }
    busy(false);
  }

  /** Follows an order until it is decided. A bank that wants to see its customer is gone to at once, but only once: who comes back is asked. */
  async function settle({ body }, isNew = true) {
    let order = body;
    if (order.state === 'paying') rememberOrder(ctx.id, order.order);
    if (isNew && order.state === 'paying' && bankPage(order)) return location.assign(bankPage(order));
    for (let tries = 0; order.state === 'paying'; tries += 1) {
      atBank(order);
      setText(button, t(tries < 3 ? 'pay.paying' : 'pay.slow'));
      await sleep(jitter(Math.min(1000 + 250 * tries, 4000)));
      order = await getOrder(ctx.id, order.order);
    }
    atBank(null);
    if (PAID.has(order.state)) return paid(order);
    if (LOST.has(order.state)) return lost();
    return declined(order.decline_code);
  }

  /** The bank's panel, while an order waits for the bank. */
  let waiting = null;
  function atBank(order) {
    const url = order && bankPage(order);
    if (url === waiting) return;
    waiting = url;
    fill(bank, url && bankPanel(ctx, order, () => {}));
    show(bank, Boolean(url));
    [cards, button].forEach((part) => show(part, !url));
  }

  function paid(order) {
    ctx.holds.forget();
    rememberOrder(ctx.id, order.order);
    announce(t('pay.done'), { now: true });
    ctx.go(`/e/${ctx.id}/orders/${order.order}`, { replace: true });
  }

  async function lost() {
    ctx.holds.forget();
    await on.readMap().catch(() => {});
    on.changed();
    on.tell(t('problem.SEATS_GONE'));
  }

  /** The seats stay ours for a while: another card may be tried. */
  async function declined(code) {
    attempt = { method: null, to: null, key: null };
    await ctx.holds.restore().catch(() => {});
    if (code === 'given_up') return say('');
    const own = `pay.declined.${code}`;
    return say(hasText(own) ? t(own) : code ? t('pay.declined_code', { code: code.replaceAll('_', ' ') }) : t('pay.declined'));
  }

  async function refused(error) {
    if (error.code === 'PAYMENT_DECLINED') return declined(error.problem.decline_code);
    if (error.code === 'SEATS_GONE') return lost();
    return say(explain(error));
  }

  function busy(is) {
    paying = is;
    button.disabled = is;
    on.locked(is);
    setText(button, is ? t('pay.paying') : t('pay.button', { total: money(hold.total_minor, hold.currency ?? ctx.event.currency) }));
  }
  function say(text) {
    trouble.hidden = !text;
    setText(trouble, text);
  }
  /** A hold that is being paid already, by another tab or before a reload: follow that payment. */
  async function follow(order) {
    busy(true);
    say('');
    setText(button, t('pay.waiting'));
    await getOrder(ctx.id, order).then((body) => settle({ body }, false)).catch(refused);
    busy(false);
  }
  /** Bought a moment ago, perhaps in another tab: told, and nothing more. */
  async function tellOfAnother() {
    const last = (await ownOrders(ctx.id)).find((order) => PAID.has(order.state) && ctx.clock.now() - order.created_ms < LATELY_MS);
    if (!last) return;
    const n = last.seats.length + last.pools.reduce((sum, line) => sum + line.quantity, 0);
    setText(again, t('pay.again', { n, time: clockTime(last.created_ms) }));
    show(again, true);
  }
  tellOfAnother().catch(() => {}); // it is a courtesy
  if (hold.state === 'claimed' && hold.order) follow(hold.order);
  return { el, busy: () => paying };
}
