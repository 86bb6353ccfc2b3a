// The same seats without the map: section, row, seat. For keyboards, screen readers, and whoever likes lists.

import { fill, h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { rowOf, sectionOf } from './layout.js';
import { FREE } from './states.js';

const NONE = { rows: [] };

/**
 * @param {{layout: object, states: object, choice: object, describe: (seat: number) => string, onToggle: (result: string, seat: number) => void}} parts
 */
export function seatList({ layout, states, choice, describe, onToggle }) {
  const sections = h('select', { id: 'list-section', onchange: () => fillRows() });
  const rows = h('select', { id: 'list-row', onchange: () => fillSeats() });
  const seats = h('div', { class: 'seat-grid', role: 'group', 'aria-label': t('list.seats') });
  const empty = h('p', { class: 'quiet' }, t('list.choose_row'));
  const el = h('div', { class: 'seat-list' },
    h('div', { class: 'field' }, h('label', { for: 'list-section' }, t('list.section')), sections),
    h('div', { class: 'field' }, h('label', { for: 'list-row' }, t('list.row')), rows),
    empty, seats);

  /** Where there are standing places only, there is no section. */
  const section = () => layout.sections[Number(sections.value)] ?? NONE;
  const freeIn = (row) => Array.from({ length: row.count }, (_, i) => row.first + i).filter((i) => states.of[i] === FREE).length;

  function fillSections() {
    const kept = sections.value;
    fill(sections, layout.sections.map((s) => h('option', { value: s.index }, t('list.free', { name: s.name, n: states.freeIn(s).free }))));
    if (kept) sections.value = kept;
    else chooseFirstWithSeats();
  }
  function chooseFirstWithSeats() {
    sections.value = String(Math.max(0, layout.sections.findIndex((s) => states.freeIn(s).free > 0)));
  }
  function fillRows() {
    const kept = rows.dataset.section === sections.value ? rows.value : '';
    rows.dataset.section = sections.value;
    fill(rows, section().rows.map((r, i) => h('option', { value: i }, t('list.free', { name: t('list.row_name', { row: r.label }), n: freeIn(r) }))));
    rows.value = kept || String(Math.max(0, section().rows.findIndex((r) => freeIn(r) > 0)));
    fillSeats();
  }
  function fillSeats() {
    const row = section().rows[Number(rows.value)];
    empty.hidden = Boolean(row);
    fill(seats, row && Array.from({ length: row.count }, (_, i) => seatButton(row.first + i)));
  }
  function seatButton(seat) {
    const press = () => { onToggle(choice.toggle(seat), seat); };
    const button = h('button', { type: 'button', class: 'seat-button', dataset: { seat, kind: layout.kind[seat] }, onclick: press }, layout.labels[seat]);
    return refresh(button, seat);
  }
  function refresh(button, seat) {
    const chosen = choice.seats.has(seat);
    const taken = states.of[seat] !== FREE && !chosen;
    button.setAttribute('aria-pressed', String(chosen));
    button.setAttribute('aria-disabled', String(taken));
    const marked = choice.marked.has(seat);
    button.classList.toggle('marked', marked);
    button.setAttribute('aria-label', taken ? t('list.taken', { seat: describe(seat) }) : marked ? t('list.marked', { seat: describe(seat) }) : describe(seat));
    return button;
  }
  /** Goes to the row of a seat. */
  function showSeat(seat) {
    const at = sectionOf(layout, seat);
    sections.value = String(at.index);
    rows.dataset.section = '';
    fillRows();
    rows.value = String(at.rows.indexOf(rowOf(at, seat)));
    fillSeats();
  }
  /** Counts and buttons follow the map; what has the focus keeps it. */
  function statesChanged() {
    [...sections.options].forEach((o, i) => setText(o, t('list.free', { name: layout.sections[i].name, n: states.freeIn(layout.sections[i]).free })));
    [...rows.options].forEach((o, i) => setText(o, t('list.free', { name: t('list.row_name', { row: section().rows[i].label }), n: freeIn(section().rows[i]) })));
    refreshAll();
  }
  const refreshAll = () => seats.querySelectorAll('button').forEach((b) => refresh(b, Number(b.dataset.seat)));
  choice.addEventListener('change', refreshAll);
  fillSections();
  fillRows();
  return { el, showSeat, statesChanged: () => { statesChanged(); } , first: () => { if (!sections.value) fillSections(); } };
}
