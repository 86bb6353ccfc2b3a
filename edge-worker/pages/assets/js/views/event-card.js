// One found event: what it is, when on the venue's clock, where, from what price, and whether anything is left.

import { h } from '../dom.js';
import { dateTime, money, number, t } from '../i18n.js';

const MOODS = { plenty: 'good', few: 'warn', none: 'bad' };

/** @param {{id: string, name: string, venue: string, address?: string, zone: string, starts_at_ms: number, opens_at_ms: number, currency: string, from_minor: number, to_minor: number, left: 'plenty'|'few'|'none', description?: string, distance_km?: number}} event */
export function eventCard(event) {
  const where = [event.venue, event.address].filter(Boolean).join(', ');
  return h('article', { class: 'card found' },
    h('h3', {}, h('a', { href: `/e/${event.id}` }, h('bdi', {}, event.name))),
    h('p', {}, h('time', { datetime: new Date(event.starts_at_ms).toISOString() }, dateTime(event.starts_at_ms, event.zone))),
    h('p', { class: 'quiet' }, h('bdi', {}, where), event.distance_km !== undefined && ` · ${t('list.away', { km: number(Math.round(event.distance_km)) })}`),
    event.description && h('p', { class: 'quiet' }, h('bdi', {}, event.description)),
    h('p', { class: 'facts' }, h('span', {}, price(event)), h('span', { class: opens(event) ? 'quiet' : MOODS[event.left] }, state(event))));
}

function price({ from_minor: from, to_minor: to, currency }) {
  return from === to ? money(from, currency) : t('list.from', { price: money(from, currency) });
}

/** What is left before the opening says nothing. */
const opens = (event) => event.opens_at_ms > Date.now();

function state(event) {
  if (opens(event)) return t('list.opens', { when: dateTime(event.opens_at_ms, event.zone) });
  return t(`list.left.${event.left}`);
}
