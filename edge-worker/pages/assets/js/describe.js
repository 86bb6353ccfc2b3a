// A seat in words and money, for lists, screen readers and tickets.

import { money, t } from './i18n.js';
import { rowOf, sectionOf, seatNumber } from './map/layout.js';

/** "Section W01, row 3, seat 12". @param {object} layout @param {number} seat number in map order */
export function seatName(layout, seat) {
  const section = sectionOf(layout, seat);
  return t('seat.name', { section: section.name, row: rowOf(section, seat).label, seat: layout.labels[seat] });
}

/** The name with kind, price level and price. */
export function seatWithPrice(layout, event, seat) {
  const level = levelOf(layout, event, seat);
  const kind = ['', t('seat.accessible'), t('seat.companion')][layout.kind[seat]];
  return [seatName(layout, seat), kind, level.name, money(level.total_minor, event.currency)].filter(Boolean).join(', ');
}

/** The event's price level of a seat: prices come from the event, colours from the layout. */
export function levelOf(layout, event, seat) {
  const of = layout.levels[layout.level[seat]];
  return event.levels.find((level) => level.id === of.id) ?? of;
}

/** The name of a seat that is known by its id; the id itself if the layout does not know it. */
export function nameOfId(layout, id) {
  const seat = layout ? seatNumber(layout, id) : -1;
  return seat >= 0 ? seatName(layout, seat) : id;
}

/** What a place of a pool costs: its level in the event. The layout names the level by its position. */
export function poolLevel(layout, event, pool) {
  const of = layout.levels[pool.level];
  return event.levels.find((level) => level.id === of.id) ?? of;
}

/** The price types of a level that a fan can choose between: none where there is but one price. The first is the usual one. */
export const typesOf = (level) => ((level.types ?? []).length > 1 ? level.types : []);

/** What one place of a level costs at a price type; null is the usual one. */
export const priceOf = (level, type) => typesOf(level).find((one) => one.id === type) ?? level;

/** A price type's name of a level, as shown in lists. */
export const typeName = (level, type) => (level?.types ?? []).find((one) => one.id === type)?.name ?? '';
