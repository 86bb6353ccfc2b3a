// What is chosen so far, what it costs all-in, and the button that holds it.

import { fill, h } from '../dom.js';
import { money, t } from '../i18n.js';
import { levelOf, poolLevel, priceOf, seatName, typeName, typesOf } from '../describe.js';

/** @param {object} ctx @param {import('../choice.js').Choice} choice @param {() => void} hold */
export function basket(ctx, choice, hold) {
  const { layout, event } = ctx;
  const el = h('section', { class: 'basket', 'aria-label': t('basket.title') });
  let waiting = false;
  const refresh = () => fill(el, nodes());
  choice.addEventListener('change', refresh);

  function nodes() {
    const lines = [...seatLines(), ...poolLines()];
    const total = lines.reduce((sum, line) => sum + line.total, 0);
    const fees = lines.reduce((sum, line) => sum + line.fee, 0);
    return [
      lines.length > 0 && h('h2', { class: 'basket-title' }, t('basket.count', { n: choice.count })),
      lines.length > 0 && h('ul', { class: 'basket-lines' }, lines.map((line) => line.el)),
      h('div', { class: 'basket-foot' },
        lines.length === 0 ? h('h2', { class: 'basket-title' }, t('basket.empty')) : h('p', { class: 'basket-total' }, h('strong', {}, money(total, event.currency)), fees > 0 && h('span', { class: 'quiet' }, t('basket.fees', { fee: money(fees, event.currency) }))),
        h('button', { type: 'button', class: 'button', disabled: waiting || lines.length === 0, onclick: hold }, t(waiting ? 'basket.holding' : 'basket.hold'))),
    ];
  }

  function seatLines() {
    return [...choice.seats].map((seat) => {
      const [level, type] = [levelOf(layout, event, seat), choice.types.get(seat) ?? null];
      const text = seatName(layout, seat);
      const which = typesOf(level).length > 0 && typeSelect(level, type, t('basket.type', { what: text }), (to) => choice.setType(seat, to));
      return line(text, level, type, 1, () => choice.toggle(seat), which);
    });
  }
  function poolLines() {
    return [...choice.pools.values()].map(({ pool: id, type, quantity }) => {
      const pool = layout.pools.find((one) => one.id === id);
      return line(t('basket.pool', { n: quantity, pool: pool.name }), poolLevel(layout, event, pool), type, quantity, () => choice.setPool(id, 0, type));
    });
  }
  /** Which price type a seat is taken at, each with what it costs all-in. */
  function typeSelect(level, chosen, label, choose) {
    const option = (one, i) => h('option', { value: i === 0 ? '' : one.id, selected: one.id === chosen }, `${one.name}, ${money(one.total_minor, event.currency)}`);
    return h('select', { class: 'type', 'aria-label': label, onchange: (e) => { choose(e.target.value || null); el.querySelector(`select[aria-label="${CSS.escape(label)}"]`)?.focus(); } }, typesOf(level).map(option));
  }
  function line(text, level, type, quantity, remove, which = false) {
    const price = priceOf(level, type);
    const [total, fee] = [price.total_minor * quantity, (price.fee_minor ?? 0) * quantity];
    const kind = which || typeName(level, type);
    return { total, fee, el: h('li', {}, h('span', {}, text, h('span', { class: 'split' }, level.name, kind && !which && ` · ${kind}`), which),
      h('span', { class: 'price' }, money(total, event.currency)),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('basket.remove', { what: text }), onclick: remove }, '×')) };
  }
  return { el, nodes, busy: (is) => { waiting = is; refresh(); } };
}
