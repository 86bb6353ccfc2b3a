// The order: how it stands, its tickets, what its fan can do about it. Polled for as long as something is under way.

import { announce, fill, focusHeading, h, setText } from '../dom.js';
import { get, jitter } from '../api.js';
import { t } from '../i18n.js';
import { getOrder } from '../holds.js';
import { nameOfId } from '../describe.js';
import { readLayout } from '../map/layout.js';
import { explain } from '../problems.js';
import { bankPage, bankPanel } from './bank.js';
import { giveBackPanel } from './give-back.js';
import { begins } from './event.js';
import { lines } from './hold.js';

const MOVING = new Set(['paying', 'confirmed', 'captured', 'voiding', 'reducing', 'cancelling', 'capture_failed']);
const SOLD = new Set(['confirmed', 'captured', 'delivered']);
/** Links to documents end after a quarter of an hour; a page that stays open gets new ones before. */
const LINKS_MS = 600_000;

/** @param {object} ctx @param {string} id the order */
export function orderView(ctx, id) {
  const body = h('div', {}, h('p', { class: 'quiet' }, t('order.loading')));
  const title = h('h1', {}, t('order.title'));
  const el = h('div', { class: 'order' }, title, body);
  let timer = 0;
  let shown = '';
  let said = '';

  async function load() {
    clearTimeout(timer);
    try {
      const order = await getOrder(ctx.id, id);
      await needLayout(ctx);
      show(order);
      timer = setTimeout(load, MOVING.has(order.state) ? jitter(1500) : LINKS_MS);
    } catch (error) {
      if (!shown) fill(body, h('p', { class: 'bad', role: 'alert' }, explain(error)));
      if (error.transient) timer = setTimeout(load, jitter(3000));
    }
  }

  /** Drawn anew only when something has changed, and never under a question: nothing is taken from under the fan's finger. */
  function show(order) {
    const version = JSON.stringify([order.state, order.action, order.given_back, order.going_back, order.tickets?.length, order.documents?.pdf]);
    if (version === shown || body.querySelector('dialog[open]')) return;
    shown = version;
    setText(title, t(SOLD.has(order.state) || order.state === 'reducing' ? 'order.title' : 'order.title_other'));
    fill(body, orderNodes(ctx, order, load));
    if (said && said !== stateText(order)) announce(stateText(order));
    said = stateText(order);
  }
  load();
  return { el, update() {}, tick() {}, title: () => t('title.order'), leave: () => clearTimeout(timer) };
}

/** Names of seats come from the layout; without it their ids are shown. */
async function needLayout(ctx) {
  if (ctx.layout) return;
  const path = `/v1/events/${ctx.id}/layout?v=${encodeURIComponent(ctx.event.layout_version)}`;
  ctx.layout = await get(path, { cache: 'default' }).then(({ body }) => readLayout(body), () => undefined);
}

function orderNodes(ctx, order, load) {
  const tickets = order.tickets ?? [];
  const acted = () => load().then(() => focusHeading(document.querySelector('.order')));
  return [
    h('p', { class: `state ${order.state}` }, stateText(order)),
    order.state === 'paying' && bankPanel(ctx, order, acted),
    order.state === 'declined' && h('p', { class: 'no-print' }, h('a', { class: 'button', href: `/e/${ctx.id}/shop`, dataset: { go: '' } }, t('order.another_card'))),
    h('section', { class: 'card no-print' }, h('h2', {}, t('order.summary')), lines(ctx, order), wentBack(ctx, order), h('p', { class: 'quiet' }, t('order.number'), ' ', h('code', {}, order.order))),
    tickets.length > 0 && h('div', { class: 'tickets-head no-print' }, h('h2', {}, t('order.tickets', { n: tickets.length })), h('button', { type: 'button', class: 'button secondary', onclick: () => window.print() }, t('order.print'))),
    order.documents && documents(order.documents),
    h('div', { class: 'tickets' }, tickets.map((one, i) => ticket(ctx, order, one, i))),
    order.may_cancel && SOLD.has(order.state) && giveBackPanel(ctx, order, acted),
    h('p', { class: 'no-print' }, h('a', { href: `/e/${ctx.id}/check`, dataset: { go: '' } }, t('check.open')), ' · ', h('a', { href: '/orders' }, t('mine.open'))),
  ];
}

/** Links that open the tickets without this page. */
function documents({ page, pdf, calendar }) {
  const links = [['page', page], ['pdf', pdf], ['calendar', calendar]].filter(([, href]) => href);
  return h('ul', { class: 'documents no-print' }, links.map(([kind, href]) => h('li', {}, h('a', { href }, t(`order.document.${kind}`)))));
}

/** What the state means for its fan; a bank that waits and a card that was refused have more to say. */
function stateText(order) {
  if (order.state === 'paying' && bankPage(order)) return t('order.state.paying_bank');
  if (order.state === 'declined' && order.decline_code === 'given_up') return t('order.state.given_up');
  return t(`order.state.${order.state}`);
}

/** Seats that went back, or are about to. */
function wentBack(ctx, order) {
  const names = (seats) => (seats ?? []).map((seat) => nameOfId(ctx.layout, seat)).join('; ');
  const line = (key, seats) => seats?.length > 0 && h('p', { class: 'quiet' }, t(key, { names: names(seats) }));
  return [line('order.going_back', order.going_back), line('order.given_back', order.given_back)];
}

/** A ticket is for a seat, or for one of the places of a pool: `pool/n`. */
function placeOf(ctx, order, id) {
  const [, pool, n] = /^(.+)\/(\d+)$/.exec(id) ?? [];
  const priced = pool ? order.pools?.find((one) => one.pool === pool) : order.seats?.find((one) => one.seat === id);
  const level = ctx.event.levels.find((one) => one.id === priced?.level)?.name;
  const name = ctx.event.pools.find((one) => one.id === pool)?.name ?? pool;
  return { level, text: pool ? t('order.pool', { pool: name, number: n }) : nameOfId(ctx.layout, id) };
}

function ticket(ctx, order, one, index) {
  const { event } = ctx;
  const { level, text } = placeOf(ctx, order, one.seat);
  return h('article', { class: 'ticket', 'aria-label': t('order.ticket', { n: index + 1 }) },
    h('div', { class: 'qr' }, qr(one.qr_svg)),
    h('div', {}, h('h3', {}, event.name), h('p', {}, event.venue), begins(event),
      h('p', { class: 'seat' }, text), level && h('p', {}, level), one.entrance && h('p', {}, t('order.entrance', { entrance: one.entrance })),
      h('p', { class: 'quiet' }, t('order.revision', { n: one.revision }), ' · ', h('code', {}, order.order))));
}

/** Takes the picture as a document of its own: markup in it that is no picture does not run. */
function qr(svg) {
  const root = new DOMParser().parseFromString(svg ?? '', 'image/svg+xml').documentElement;
  if (root.nodeName !== 'svg') return h('p', {}, t('order.no_qr'));
  root.querySelectorAll('script, foreignObject, a').forEach((bad) => bad.remove());
  root.setAttribute('role', 'img');
  root.setAttribute('aria-label', t('order.qr'));
  return document.importNode(root, true);
}
