// Entry of the one-page flow: /e/{id}, /e/{id}/shop, /e/{id}/check, /e/{id}/orders/{o}. Reads the event, starts the status feed,
// and shows the view that the address names. The address is the truth: reload, Back and new tabs come to the same view.

import { ApiError, get, onRevoked, onServerTime, request, sleep, jitter } from './api.js';
import { keepChannel } from './channel.js';
import { ServerClock } from './clock.js';
import { announce, fill, focusHeading, h, setText } from './dom.js';
import { keyring } from './ed25519.js';
import { Holds } from './holds.js';
import { loadLocale, t } from './i18n.js';
import { statusOf } from './lanes.js';
import { claimTurn, Place, signedInName } from './place.js';
import { explain } from './problems.js';
import { StatusFeed } from './status.js';
import { WaitingList } from './waiting.js';
import { checkView } from './views/check.js';
import { eventView } from './views/event.js';
import { orderView } from './views/order.js';
import { shopView } from './views/shop.js';
import { witness } from './witness.js';

const main = document.querySelector('main');
const who = document.querySelector('#who');
let view = null;
let ctx = null;
let claimAgainAt = 0;
/** A claim that was refused for good is asked again this much later: a late lane may have moved. */
const REFUSED_AGAIN_MS = 20_000;

async function start() {
  await loadLocale();
  fill(main, h('p', { class: 'quiet' }, t('line.loading')));
  if (inFrame()) return;
  const id = location.pathname.split('/')[2];
  keepChannel(id);
  ctx = { id, clock: new ServerClock(), place: new Place(id), holds: new Holds(id), admission: null, go, claim, signedIn: showName };
  onServerTime((sent, received, date) => ctx.clock.observe(sent, received, date));
  ctx.event = await readEvent(id);
  if (!ctx.event) return;
  ctx.waiting = ctx.event.waiting_list ? new WaitingList(`/v1/events/${id}`) : null;
  ctx.hadTurn = () => Boolean(ctx.feed.status && ctx.place.number && ctx.place.number <= own(ctx.feed.status).admitted);
  const verify = keyring(ctx.event.status_keys, async () => (await get(`/v1/events/${id}`)).body.status_keys);
  onRevoked(renew);
  ctx.feed = new StatusFeed({ url: `/v1/events/${id}/status.json`, verify, clock: ctx.clock });
  await ctx.place.load((error) => fill(main, h('p', { role: 'status' }, explain(error))));
  showName();
  route();
  ctx.feed.listen(onStatus);
  ctx.feed.start();
  setInterval(tick, 250);
  window.addEventListener('popstate', route);
  document.addEventListener('click', followLink);
}

async function readEvent(id) {
  for (;;) {
    try {
      return normal((await get(`/v1/events/${id}`)).body);
    } catch (error) {
      fill(main, h('h1', {}, t(error.status === 404 ? 'event.none' : 'event.trouble')), h('p', {}, error.status === 404 ? '' : explain(error)));
      if (!error.transient) return null;
      await sleep(jitter(2000));
    }
  }
}

/** Limits may come flat or in their own object. */
const normal = (event) => ({ max_per_account: 6, pools: [], ...event.limits, ...event });

async function onStatus(feed) {
  witness(ctx.event, feed.status, ctx.clock.now());
  if (feed.status) await ctx.place.resolve(feed.status).catch(() => {});
  feed.place = ctx.place.number;
  view?.update(feed);
  retitle();
  if (ctx.hadTurn() && feed.status.phase !== 'closed' && !ctx.admission && !ctx.over && !ctx.claiming && Date.now() > claimAgainAt) takeTurn();
}

/** The status as it reads for the fan's own lane. */
const own = (status) => statusOf(ctx.event, status, ctx.place.lane);

/** The turn has come: claim it at once, so that it cannot lapse while the fan looks elsewhere. */
async function takeTurn() {
  announce(t('stage.turn'), { now: true });
  try {
    await claim(() => {});
    if (location.pathname === `/e/${ctx.id}` && !document.hidden && !localStorage.getItem(`onsale.entered.${ctx.id}.${ctx.admission.session}`)) go(`/e/${ctx.id}/shop`);
  } catch {
    claimAgainAt = Date.now() + REFUSED_AGAIN_MS;
  }
}

/** One claim at a time, whoever asks. */
function claim(onTrouble) {
  if (ctx.admission) return Promise.resolve(ctx.admission);
  ctx.claiming ??= claimTurn(ctx.id, onTrouble).then((admission) => {
    ctx.admission = admission;
    return admission;
  }, (error) => {
    ctx.over ||= error.code === 'ACCESS_EXPIRED';
    throw error;
  }).finally(() => { ctx.claiming = null; });
  return ctx.claiming;
}

/** Who has a place passes the door as it is; a busy line is waited for. Should a check be asked after all, the event page has it. */
const KNOWN = { check: (problem) => Promise.reject(new ApiError(403, problem)), wait: () => {} };

/** All tokens were revoked: the account gets its place and its session again, and nothing is lost. */
async function renew() {
  ctx.admission = null;
  try {
    await ctx.place.join(KNOWN);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return go(`/e/${ctx.id}`);
  }
  if (ctx.hadTurn()) await claim(() => {}).catch((error) => (error.code === 'ACCESS_EXPIRED' ? request('POST', `/v1/events/${ctx.id}/admission`, { body: { ended: true } }) : Promise.reject(error)));
  return undefined;
}

function route() {
  view?.leave?.();
  const [, , , name, order] = location.pathname.split('/');
  if (name === 'shop') view = shopView(ctx);
  else if (name === 'check') view = checkView(ctx);
  else if (name === 'orders' && order) view = orderView(ctx, order);
  else view = eventView(ctx);
  fill(main, view.el);
  if (ctx.feed.status) view.update(ctx.feed);
  retitle();
}

function go(path, { replace = false } = {}) {
  if (path.endsWith('/shop') && ctx.admission) localStorage.setItem(`onsale.entered.${ctx.id}.${ctx.admission.session}`, '1');
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  route();
  focusHeading(main);
}

function followLink(event) {
  const link = event.target.closest?.('a[data-go]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.getAttribute('href'));
}

function tick() {
  view?.tick();
  if (view) retitle();
}

function retitle() {
  const title = `${view.title()} · Onsale`;
  if (document.title !== title) document.title = title;
}

function showName() {
  setText(who, ctx.place.signedIn && signedInName() ? t('top.signed_in', { name: signedInName() }) : '');
}

/** Inside another site's frame the cookies are blocked and nobody would ever advance: say so, with the way out, and nothing else. */
function inFrame() {
  if (window.top === window.self) return false;
  fill(main, h('p', { class: 'notice' }, t('frame.text'), ' ', h('a', { class: 'button', href: location.href, target: '_blank', rel: 'noopener' }, t('frame.link'))));
  return true;
}

start();
