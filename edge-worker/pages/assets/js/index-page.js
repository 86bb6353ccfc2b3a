// The list of events; where the worker has no list, an event is opened by its id.

import { fill, h } from './dom.js';
import { dateTime, loadLocale, t } from './i18n.js';
import { listEvents } from './place.js';

async function start() {
  await loadLocale();
  const main = document.querySelector('main');
  const list = h('div', { class: 'events' });
  fill(main, h('h1', {}, t('list.title')), list);
  try {
    const { body } = await listEvents();
    const events = Array.isArray(body) ? body : (body?.events ?? []);
    fill(list, events.length ? events.map(card) : h('p', { class: 'quiet' }, t('list.none')));
  } catch {
    fill(list, h('p', { class: 'quiet' }, t('list.none')), byId());
  }
}

function card(event) {
  return h('a', { class: 'card', href: `/e/${event.id}` }, h('h2', {}, event.name), h('p', { class: 'quiet' }, event.venue),
    h('p', {}, t('list.opens', { when: dateTime(event.opens_at_ms) })));
}

function byId() {
  const id = h('input', { id: 'event-id', required: true, pattern: '[a-z0-9][a-z0-9-]{0,39}', autocapitalize: 'off', autocomplete: 'off' });
  const go = (event) => {
    event.preventDefault();
    location.assign(`/e/${id.value}`);
  };
  return h('form', { class: 'open-by-id', onsubmit: go }, h('label', { for: 'event-id' }, t('list.open')), id, h('button', { class: 'button' }, t('list.go')));
}

start();
