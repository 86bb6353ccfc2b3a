// "Best seats" by the machine, and standing places by number.

import { fill, h, setText, show } from '../dom.js';
import { money, t } from '../i18n.js';
import { poolLevel, priceOf, typesOf } from '../describe.js';

/** @param {object} ctx @param {import('../choice.js').Choice} choice @param {(wish: object) => Promise<void>} take */
export function quickPick(ctx, choice, take) {
  const best = bestSeats(ctx, take);
  const pools = ctx.layout.pools.flatMap((pool) => poolFields(ctx, choice, pool));
  const standing = pools.length > 0 && h('section', { class: 'standing' }, h('h2', {}, t('quick.standing')), pools.map((pool) => pool.el));
  const el = fill(h('div', { class: 'quick-pick' }), best.el, standing);
  return { el, statesChanged: () => [best, ...pools].forEach((part) => part.refresh()) };
}

/** A wish for the best seats: how many, where, at which price, for whom. */
function bestSeats({ layout, states, event }, take) {
  const limit = event.max_per_account;
  const numbers = (from) => Array.from({ length: limit + 1 - from }, (_, i) => h('option', { value: i + from }, String(i + from)));
  const select = (name, ...options) => h('select', { id: `quick-${name}`, onchange: () => refresh() }, options);
  const levels = layout.levels.filter((_, i) => layout.sections.some((s) => layout.level.subarray(s.first, s.first + s.count).includes(i)));
  const ofEvent = (id) => event.levels.find((l) => l.id === id);
  const quantity = select('n', numbers(1));
  quantity.value = String(Math.min(2, limit));
  const section = select('section', h('option', { value: '' }, t('quick.any')), layout.sections.map((s) => h('option', { value: s.id }, '')));
  const level = select('level', h('option', { value: '' }, t('quick.any')),
    levels.map((one) => h('option', { value: one.id }, `${one.name}, ${money((ofEvent(one.id) ?? one).total_minor, event.currency)}`)));
  const accessible = select('accessible', numbers(0));
  const companion = select('companion', numbers(0));
  const apart = h('input', { type: 'checkbox', id: 'quick-apart', checked: true });
  const apartRow = h('label', { class: 'check' }, apart, h('span', {}, t('quick.apart')));
  const types = h('div', { class: 'quick-types' });
  const submit = h('button', { class: 'button' }, t('quick.hold'));
  const field = (name, input) => h('div', { class: 'field' }, h('label', { for: input.id }, t(`quick.${name}`)), input);
  const companions = field('companion', companion);
  const el = h('form', { class: 'quick', onsubmit: go },
    h('h2', {}, t('quick.title')), h('p', { class: 'quiet' }, t('quick.text')),
    field('n', quantity), field('section', section), field('level', level), types,
    field('accessible', accessible), companions, apartRow, submit);
  let shownTypes = '';

  /** Price types that the wish can name: those of the level, or of all levels if they are the same. */
  function offered() {
    const of = (id) => typesOf(ofEvent(id) ?? {});
    if (level.value) return of(level.value);
    const same = levels.map((one) => of(one.id).map((type) => type.id).join(' '));
    return levels.length && same.every((ids) => ids === same[0]) ? of(levels[0].id) : [];
  }
  function showTypes() {
    const now = `${level.value} ${quantity.value}`;
    if (now === shownTypes) return;
    shownTypes = now;
    const row = (type) => {
      const id = `quick-type-${type.id}`;
      const price = level.value ? `, ${money(type.total_minor, event.currency)}` : '';
      const counts = Array.from({ length: Number(quantity.value) + 1 }, (_, i) => h('option', { value: i }, String(i)));
      return h('div', { class: 'field' }, h('label', { for: id }, t('quick.type', { type: type.name }) + price), h('select', { id, dataset: { type: type.id } }, counts));
    };
    fill(types, offered().slice(1).map(row));
  }
  function refresh() {
    [...section.options].slice(1).forEach((option, i) => setText(option, t('list.free', { name: layout.sections[i].name, n: states.freeIn(layout.sections[i]).free })));
    const wheels = Number(accessible.value);
    if (wheels === 0) companion.value = '0';
    show(companions, wheels > 0);
    show(apartRow, wheels === 0 && Number(quantity.value) > 1);
    showTypes();
  }

  async function go(event_) {
    event_.preventDefault();
    submit.disabled = true;
    await take({ bestAvailable: wish() });
    submit.disabled = false;
  }
  function wish() {
    const wheels = Number(accessible.value);
    const named = [...types.querySelectorAll('select')].map((one) => [one.dataset.type, Number(one.value)]).filter(([, n]) => n > 0);
    return {
      quantity: Math.max(Number(quantity.value), wheels + Number(companion.value)),
      sections: section.value ? [section.value] : undefined,
      level: level.value || undefined,
      accessible: wheels || undefined,
      companion: Number(companion.value) || undefined,
      split: apart.checked ? undefined : false,
      types: named.length ? Object.fromEntries(named) : undefined,
    };
  }
  refresh();
  return { el, refresh };
}

/** A stepper for a pool, or one for each of its price types. */
function poolFields({ layout, states, event }, choice, pool) {
  const level = poolLevel(layout, event, pool);
  const kinds = typesOf(level);
  return (kinds.length ? kinds.map((one, i) => [i === 0 ? null : one.id, one.name]) : [[null, '']]).map(([type, name]) => {
    const label = [pool.name, name].filter(Boolean).join(', ');
    const count = h('output', { class: 'count' }, '0');
    const left = h('p', { class: 'quiet' });
    const set = (step) => choice.setPool(pool.id, choice.places(pool.id, type) + step, type);
    const button = (key, text, step) => h('button', { type: 'button', class: 'icon-button', 'aria-label': t(key, { pool: label }), onclick: () => set(step) }, text);
    const refresh = () => {
      setText(count, String(choice.places(pool.id, type)));
      setText(left, t('quick.left', { n: states.pools[pool.id] ?? 0 }));
    };
    choice.addEventListener('change', refresh);
    refresh();
    return { refresh, el: h('div', { class: 'pool' },
      h('div', {}, h('strong', {}, label), h('span', { class: 'price' }, money(priceOf(level, type).total_minor, event.currency)), left),
      h('div', { class: 'stepper' }, button('quick.less', '−', -1), count, button('quick.more', '+', 1))) };
  });
}
