// The search for events. The address is the search: the form is sent as a plain GET, so reload, Back and links come to the same view.
// Without an index there is nothing to list; an event can then be opened by its id.

import { announce, fill, h } from './dom.js';
import { loadLocale, number, t } from './i18n.js';
import { ApiError, get } from './api.js';
import { explain } from './problems.js';
import { eventCard } from './views/event-card.js';
import { searchForm } from './views/search-form.js';

/** What an address may ask for, as `GET /v1/events` calls it. */
const ASKED = ['q', 'near', 'within_km', 'from', 'to', 'available'];

/** Headings of what went wrong. */
const TROUBLE = { QUERY_INVALID: 'list.bad', SEARCH_TOO_FAST: 'list.too_fast' };
/** What can be left out of a search, and what belongs together. */
const PARTS = { near: ['near', 'within_km'], dates: ['from', 'to'], available: ['available'] };

async function start() {
  await loadLocale();
  const asked = params();
  const results = h('section', { class: 'events', 'aria-labelledby': 'results' });
  fill(document.querySelector('main'), h('h1', {}, t('list.title')), searchForm(asked), results);
  document.title = asked.has('q') ? `${asked.get('q')} · ${t('list.title')} · Onsale` : `${t('list.title')} · Onsale`;
  await list(results, asked);
}

/** The parameters that say something. */
function params() {
  const given = new URLSearchParams(location.search);
  return new URLSearchParams(ASKED.filter((name) => given.get(name)).map((name) => [name, given.get(name)]));
}

async function list(results, asked) {
  const heading = h('h2', { id: 'results' }, t('list.searching'));
  const cards = h('ul', { class: 'cards' });
  fill(results, heading, cards);
  try {
    const found = await page(asked);
    const count = said(found, asked);
    heading.textContent = count;
    announce(count);
    append(cards, found, asked);
    if (found.events.length === 0 && asked.size) cards.append(h('li', {}, whatToTry(asked)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    fill(heading, t(TROUBLE[error.code] ?? 'list.trouble'));
    fill(cards, h('li', { role: 'alert' }, explain(error), error.code !== 'SEARCH_TOO_FAST' && error.transient && byId()));
  }
}

const page = async (asked) => (await get(`/v1/events?${asked}`)).body;

function said({ events, next }, asked) {
  if (events.length === 0) return t(asked.size ? 'list.nothing' : 'list.none');
  return next === null ? t('list.found', { n: events.length }) : t('list.found_first', { shown: number(events.length) });
}

/** Puts events below those that are there, and a button where there are more. */
function append(cards, { events, next }, asked) {
  const added = events.map((event) => h('li', {}, eventCard(event)));
  cards.append(...added);
  if (next === null) return added;
  const more = h('button', { class: 'button secondary', type: 'button', onclick: load }, t('list.more'));
  const last = h('li', {}, more);
  cards.append(last);
  return added;

  async function load() {
    more.disabled = true;
    try {
      const [first] = append(cards, await page(new URLSearchParams([...asked, ['after', String(next)]])), asked);
      last.remove();
      first?.querySelector('a').focus();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      more.disabled = false;
      announce(explain(error), { now: true });
    }
  }
}

/** Ways out of a search that finds nothing: each is a search with less in it. */
function whatToTry(asked) {
  const without = (names) => `/?${new URLSearchParams([...asked].filter(([name]) => !names.includes(name)))}`;
  const link = (href, text) => h('li', {}, h('a', { href }, t(text)));
  const given = Object.entries(PARTS).filter(([, names]) => names.some((name) => asked.has(name)));
  const links = given.map(([part, names]) => link(without(names), `list.try.${part}`));
  return h('div', { class: 'card try' }, h('p', {}, t('list.try')),
    h('ul', {}, asked.has('q') && h('li', {}, t('list.try.q')), links, link('/', 'list.try.all')));
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
