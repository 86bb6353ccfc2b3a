// "Best seats" by the machine, and standing places by number.

import { fill, h, setText } from '../dom.js';
import { money, t } from '../i18n.js';
import { poolLevel } from '../describe.js';

/** @param {object} ctx @param {import('../choice.js').Choice} choice @param {(wish: object) => Promise<void>} take */
export function quickPick(ctx, choice, take) {
  const { layout, states, event } = ctx;
  const limit = event.max_per_account;
  const quantity = h('select', { id: 'quick-n' }, Array.from({ length: limit }, (_, i) => h('option', { value: i + 1, selected: i === 1 }, String(i + 1))));
  const level = h('select', { id: 'quick-level' }, h('option', { value: '' }, t('quick.any')),
    layout.levels.map((one) => h('option', { value: one.id }, `${one.name}, ${money((event.levels.find((l) => l.id === one.id) ?? one).total_minor, event.currency)}`)));
  const accessible = h('input', { type: 'checkbox', id: 'quick-accessible' });
  const submit = h('button', { class: 'button' }, t('quick.hold'));
  const best = h('form', { class: 'quick', onsubmit: go },
    h('h2', {}, t('quick.title')), h('p', { class: 'quiet' }, t('quick.text')),
    h('div', { class: 'field' }, h('label', { for: 'quick-n' }, t('quick.n')), quantity),
    h('div', { class: 'field' }, h('label', { for: 'quick-level' }, t('quick.level')), level),
    h('label', { class: 'check' }, accessible, h('span', {}, t('quick.accessible'))),
    submit);

  async function go(event_) {
    event_.preventDefault();
    submit.disabled = true;
    const wish = { quantity: Number(quantity.value), level: level.value || undefined, accessible: accessible.checked || undefined };
    await take({ bestAvailable: wish });
    submit.disabled = false;
  }

  const pools = layout.pools.map((pool) => poolField(pool));
  const standing = pools.length > 0 && h('section', { class: 'standing' }, h('h2', {}, t('quick.standing')), pools.map((pool) => pool.el));

  function poolField(pool) {
    const count = h('output', { class: 'count' }, '0');
    const left = h('p', { class: 'quiet' });
    const set = (step) => choice.setPool(pool.id, (choice.pools.get(pool.id) ?? 0) + step);
    const button = (key, text, step) => h('button', { type: 'button', class: 'icon-button', 'aria-label': t(key, { pool: pool.name }), onclick: () => set(step) }, text);
    const refresh = () => {
      setText(count, String(choice.pools.get(pool.id) ?? 0));
      setText(left, t('quick.left', { n: states.pools[pool.id]?.free ?? 0 }));
    };
    choice.addEventListener('change', refresh);
    refresh();
    return { refresh, el: h('div', { class: 'pool' },
      h('div', {}, h('strong', {}, pool.name), h('span', { class: 'price' }, money(poolLevel(layout, event, pool).total_minor, event.currency)), left),
      h('div', { class: 'stepper' }, button('quick.less', '−', -1), count, button('quick.more', '+', 1))) };
  }
  const el = fill(h('div', { class: 'quick-pick' }), best, standing);
  return { el, statesChanged: () => pools.forEach((pool) => pool.refresh()) };
}
