// The event page: what it is, when, at which prices, and, as the on-sale moves, the fan's way through the line.

import { announce, fill, h, setText, show } from '../dom.js';
import { dateTime, money, ownZone, t } from '../i18n.js';
import { swatch } from '../map/seat-map.js';
import { knownOrders } from '../holds.js';
import { inApp } from '../in-app.js';
import { explanation } from './explain.js';
import { lanesCard } from './lanes.js';
import { lineStage } from './line.js';
import { registrationCard } from './registration.js';
import { adoptOffer, waitingCard } from './waiting.js';

/** @param {object} ctx what the page's parts share, see event-page.js */
export function eventView(ctx) {
  const { event } = ctx;
  const stage = lineStage(ctx);
  const again = () => update(ctx.feed);
  const waiting = waitingCard(ctx, { wanted: () => !inside(ctx), take });
  const cards = [waiting, registrationCard(ctx, again), lanesCard(ctx, again)].filter(Boolean);
  const proof = checkCard(ctx);
  const bands = new Map();
  const explain = h('section', { class: 'card explain' });
  const when = h('dl', { class: 'times' });
  const moved = h('p', { class: 'notice', hidden: true }, t('event.moved'));
  setTimes(when, event);
  let explained = '';
  const el = h('div', { class: 'event' },
    h('header', { class: 'event-head' },
      event.rehearsal && h('p', { class: 'badge' }, t('event.rehearsal')),
      h('h1', {}, event.name),
      begins(event),
      h('p', { class: 'venue' }, [event.venue, event.address].filter(Boolean).join(', ')),
      event.description && h('p', {}, event.description),
      when, moved),
    inApp(navigator.userAgent) && h('p', { class: 'notice in-app' }, t('app.text'), ' ', h('strong', {}, location.href)),
    orders(ctx),
    stage.el,
    cards.map((card) => card.el),
    prices(event, bands),
    explain,
    proof);

  function update(feed) {
    stage.update(feed);
    for (const card of cards) card.update();
    const status = feed.status;
    if (!status) return;
    for (const [level, cell] of bands) setBand(cell, status.bands?.[level]);
    const before = status.phase === 'scheduled' || status.phase === 'prequeue';
    follow(status.opens, before);
    if (explained !== String(before)) {
      explained = String(before);
      fill(explain, explanation(event, before));
    }
    show(proof, ctx.place.number !== null);
  }
  /** An opening that moved is known from the status at once; the event is not read again. */
  function follow(opens, before) {
    if (!before) moved.hidden = true;
    if (opens === event.opens_at_ms) return;
    event.opens_at_ms = opens;
    setTimes(when, event);
    moved.hidden = !before;
    if (before) announce(t('event.moved'));
  }
  async function take() {
    await adoptOffer(ctx).catch(() => {}); // the shop looks again
    ctx.go(`/e/${ctx.id}/shop`);
  }
  function tick() {
    stage.tick();
    for (const card of cards) card.tick?.();
  }
  return { el, update, tick, title: () => waiting?.title() ?? stage.title() ?? event.name };
}

/** Whether there is still something for this fan in the shop. */
const inside = (ctx) => ctx.feed.status?.phase !== 'sold_out' && (ctx.admission ? ctx.admission.expires_ms > ctx.clock.eventNow() : !ctx.over);

function checkCard({ id }) {
  return h('section', { class: 'card proof', hidden: true },
    h('h2', {}, t('check.title')), h('p', {}, t('check.intro')), h('a', { class: 'button secondary', href: `/e/${id}/check`, dataset: { go: '' } }, t('check.open')));
}

/** When the show is, by the venue's clock; nothing if the organiser has not told. */
export function begins(event) {
  const { starts_at_ms: at, zone } = event;
  return at && h('p', { class: 'begins' }, h('time', { datetime: new Date(at).toISOString() }, dateTime(at, zone)));
}

function orders({ id }) {
  const last = knownOrders(id).at(-1);
  return last && h('p', { class: 'notice' }, t('order.yours'), ' ', h('a', { href: `/e/${id}/orders/${last}`, dataset: { go: '' } }, t('order.open')));
}

function setTimes(list, event) {
  const row = (label, ms, zone) => h('div', {}, h('dt', {}, label), h('dd', {}, h('time', { datetime: new Date(ms).toISOString() }, dateTime(ms, zone))));
  const own = ownZone();
  const venue = own !== event.zone && row(t('event.opens_venue', { zone: event.zone }), event.opens_at_ms, event.zone);
  fill(list, row(t('event.opens_own'), event.opens_at_ms), venue);
}

function prices(event, bands) {
  const row = (level, i) => {
    const band = h('span', { class: 'band', dataset: { level: level.id } }, t('band.unknown'));
    bands.set(level.id, band);
    const split = level.fee_minor ? t('price.split', { price: money(level.price_minor, event.currency), fee: money(level.fee_minor, event.currency) }) : t('price.no_fee');
    return h('tr', {},
      h('th', { scope: 'row' }, h('span', { class: 'level-name' }, level.color && swatch(level.color, i), level.name), h('span', { class: 'split' }, split)),
      h('td', { class: 'price' }, money(level.total_minor, event.currency), band));
  };
  return h('section', { class: 'card' },
    h('h2', {}, t('price.title')),
    h('table', { class: 'prices' },
      h('caption', { class: 'visually-hidden' }, t('price.caption')),
      h('thead', { class: 'visually-hidden' }, h('tr', {}, h('th', { scope: 'col' }, t('price.level')), h('th', { scope: 'col' }, t('price.total')))),
      h('tbody', {}, event.levels.map(row))),
    h('p', { class: 'quiet' }, t('price.note', { n: event.max_per_account })));
}

function setBand(cell, band) {
  setText(cell, t(`band.${band ?? 'unknown'}`));
  cell.dataset.band = band ?? 'unknown';
  show(cell, true);
}
