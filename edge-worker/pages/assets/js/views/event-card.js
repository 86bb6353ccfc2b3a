// One found event: what it is, when on the venue's clock, where, from what price, and whether anything is left.

import { h } from '../dom.js';
import { dateTime, money, number, t } from '../i18n.js';

/** @param {{id: string, name: string, venue: string, address?: string, zone: string, starts_at_ms: number, opens_at_ms: number, currency: string, from_minor: number, to_minor: number, left: 'plenty'|'few'|'none', description?: string, distance_km?: number}} event */
export function eventCard(event) {
  const where = [event.venue, event.address].filter(Boolean).join(', ');
  return h('article', { class: 'card found' },
    h('h3', {}, h('a', { href: `/e/${event.id}` }, h('bdi', {}, event.name))),
    h('p', {}, h('time', { datetime: new Date(event.starts_at_ms).toISOString() }, dateTime(event.starts_at_ms, event.zone))),
    h('p', { class: 'quiet' }, h('bdi', {}, where), event.distance_km !== undefined && ` · ${t('list.away', { km: number(Math.round(event.distance_km)) })}`),
    event.description && h('p', { class: 'quiet' }, h('bdi', {}, event.description)),
    h('p', { class: 'facts' }, h('span', {}, price(event)), h('span', { class: event.left === 'none' ? 'bad' : event.left === 'few' ? 'warn' : 'good' }, state(event))));
}

function price({ from_minor: from, to_minor: to, currency }) {
  return from === to ? money(from, currency) : t('list.from', { price: money(from, currency) });
}

function state(event) {
  if (event.opens_at_ms > Date.now()) return t('list.opens', { when: dateTime(event.opens_at_ms, event.zone) });
  return t(`list.left.${event.left}`);
}
