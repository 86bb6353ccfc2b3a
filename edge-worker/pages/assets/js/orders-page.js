// My tickets: the account's orders of all events, newest first, with links to their documents.

import { announce, fill, h } from './dom.js';
import { patient } from './api.js';
import { dateTime, loadLocale, money, t } from './i18n.js';
import { myData } from './my-data.js';

const KINDS = ['page', 'pdf', 'calendar'];
/** Links to documents end after a quarter of an hour; whoever comes back to the page later gets new ones. */
const LINKS_MS = 600_000;

const list = h('div', { class: 'orders' });
const rest = h('div', { class: 'rest' });
const rights = h('div', {});
let read = 0;

async function start() {
  await loadLocale();
  document.title = t('mine.title');
  fill(document.querySelector('main'), h('h1', {}, t('mine.title')), list, rest, rights);
  document.addEventListener('visibilitychange', () => { if (!document.hidden && Date.now() - read > LINKS_MS) location.reload(); });
  await page();
}

/** Adds a page of orders after where the last one ended. */
async function page(after) {
  fill(rest, h('p', { class: 'quiet', role: 'status' }, t('mine.loading')));
  try {
    const { body } = await patient('GET', after ? `/v1/orders?after=${encodeURIComponent(after)}` : '/v1/orders');
    read = Date.now();
    add(body.orders, after);
    if (!rights.childElementCount) fill(rights, myData(again));
    fill(rest, body.next && button('mine.more', () => page(body.next)), !list.childElementCount && h('p', { class: 'quiet' }, t('mine.none')));
  } catch (error) {
    fill(rest, error.code === 'ACCOUNT_REQUIRED' ? signIn() : trouble(after));
  }
}

/** Reads everything anew. */
async function again() {
  fill(list);
  await page();
}

/** The button that was pressed is gone, so reading goes on at the first order that came. */
function add(orders, after) {
  const cards = orders.map(card);
  list.append(...cards);
  if (!after || !cards.length) return;
  const heading = cards[0].querySelector('h2');
  heading.tabIndex = -1;
  heading.focus();
}

const button = (key, act) => h('button', { type: 'button', class: 'button secondary', onclick: act }, t(key));

function trouble(after) {
  announce(t('mine.trouble'), { now: true });
  return [h('p', { class: 'bad' }, t('mine.trouble')), button('mine.again', () => page(after))];
}

/** The account's cookie lives for a day; afterwards one signs in again and comes back here. */
function signIn() {
  return [h('p', {}, t('mine.sign_in_why')), h('a', { class: 'button', href: '/v1/session/start?to=%2Forders' }, t('mine.sign_in'))];
}

function card({ order, event, state, seats, pools, total_minor, currency, created_ms, documents }) {
  const places = seats.length + pools.reduce((sum, line) => sum + line.quantity, 0);
  const name = event.name ?? event.id;
  return h('article', { class: 'card', 'aria-labelledby': `o-${order}` }, h('h2', { id: `o-${order}`, dir: 'auto' }, name),
    event.venue && h('p', { class: 'quiet', dir: 'auto' }, event.venue),
    event.starts_at_ms !== null && h('p', {}, dateTime(event.starts_at_ms, event.zone ?? undefined)),
    h('p', { class: `state ${state}` }, t(`order.state.${state}`)),
    h('p', {}, t('mine.places', { n: places }), ' · ', money(total_minor, currency)),
    h('p', { class: 'quiet' }, t('mine.ordered', { when: dateTime(created_ms) })),
    documents && links(documents, name));
}

function links(documents, name) {
  const one = (kind) => h('li', {}, h('a', { class: 'button secondary', href: documents[kind] }, t(`order.document.${kind}`)));
  return h('ul', { class: 'documents', 'aria-label': t('mine.documents', { name }) }, KINDS.filter((kind) => documents[kind]).map(one));
}

start();
