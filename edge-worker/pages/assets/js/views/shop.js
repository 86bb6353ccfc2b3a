// The shop: session and line of state on top, then either choosing or the hold with its checkout.

import { announce, fill, focusHeading, h, setText, show } from '../dom.js';
import { get, jitter, patient } from '../api.js';
import { channels } from '../channel.js';
import { countdown, t } from '../i18n.js';
import { DocumentError } from '../map/document.js';
import { readLayout } from '../map/layout.js';
import { FREE, SeatStates } from '../map/states.js';
import { explain } from '../problems.js';
import { begins } from './event.js';
import { holdPanel } from './hold.js';
import { picker } from './picker.js';
import { adoptOffer, waitingCard } from './waiting.js';

/** A change on the map is to be seen within 3 s; the worker's copy is a second old at most. */
const MAP_POLL_MS = 2000;

/** @param {object} ctx */
export function shopView(ctx) {
  const session = h('p', { class: 'session' }, '');
  const more = h('button', { type: 'button', class: 'button secondary', hidden: true, onclick: longer }, t('shop.longer'));
  const note = h('p', { class: 'notice', hidden: true });
  const body = h('div', { class: 'shop-body' }, h('p', { class: 'quiet' }, t('shop.loading')));
  const el = h('div', { class: 'shop' }, h('header', { class: 'shop-head' }, h('div', {}, h('h1', {}, ctx.event.name), begins(ctx.event)), session, more), note, body);
  let face = null;
  let pick = null;
  let held = null;
  let timer = 0;
  let wants = false;
  const list = waitingCard(ctx, { wanted: () => wants, take: () => adoptOffer(ctx).then(start).catch((error) => tell(explain(error))) });

  async function start() {
    try {
      await enter((error) => tell(t('shop.entering', { why: explain(error) })));
    } catch (error) {
      return refused(error);
    }
    tell('');
    try {
      ctx.layout ??= readLayout((await get(`/v1/events/${ctx.id}/layout?v=${encodeURIComponent(ctx.event.layout_version)}`, { cache: 'default' })).body);
      ctx.states ??= new SeatStates(ctx.layout, channels(ctx.id, ctx.admission?.channel));
      await Promise.all([ctx.holds.restore(), readMap().catch(readCounts)]);
    } catch (error) {
      tell(explain(error));
      timer = setTimeout(start, jitter(2000));
      return undefined;
    }
    if (ctx.holds.soldAs) return ctx.go(`/e/${ctx.id}/orders/${ctx.holds.soldAs}`, { replace: true });
    return turn();
  }

  /** Comes in by the turn, or, when its time is over, by an offer of the waiting list. */
  async function enter(onTrouble) {
    try {
      await ctx.claim(onTrouble);
    } catch (error) {
      if (error.code !== 'ACCESS_EXPIRED' || !list) throw error;
      await ctx.waiting.look();
      if (!(await adoptOffer(ctx))) throw error;
    }
  }

  /** Whoever needs more time gets it, once. */
  async function longer() {
    more.disabled = true;
    try {
      ctx.admission = (await patient('POST', `/v1/events/${ctx.id}/admission`, { body: { longer: true } })).body;
      announce(t('shop.longer_done'));
    } catch (error) {
      if (error.code === 'ALREADY_EXTENDED') ctx.admission = { ...ctx.admission, longer: true };
      tell(explain(error));
    }
    more.disabled = false;
    tick();
  }

  function refused(error) {
    const text = error.code === 'NOT_YET' ? t('shop.not_yet') : explain(error);
    wants = error.code === 'ACCESS_EXPIRED';
    fill(body, h('p', {}, text), list?.el, h('a', { class: 'button', href: `/e/${ctx.id}`, dataset: { go: '' } }, t('shop.back_to_line')));
    list?.update();
  }

  /** Shows the face that fits: the hold if there is one, else the picker. */
  function turn(choosing = false) {
    const hold = ctx.holds.current;
    pick ??= picker(ctx, { taken: () => turn(), tell, nothing: () => { wants = true; list?.update(); } });
    if (isGone()) wants = true;
    held = hold ? holdPanel(ctx, { changed: turn, tell, readMap }) : null;
    face = hold && !choosing ? 'hold' : 'pick';
    fill(body, held?.el, face === 'pick' && list?.el, face === 'pick' && pick.el);
    held?.compact(face === 'pick');
    if (face === 'pick') pick.shown();
    clearTimeout(timer);
    timer = setTimeout(poll, MAP_POLL_MS);
    tick();
    if (face === 'hold') focusHeading(body);
  }

  /** Whether the map, which has come, shows no ordinary seat that is free. */
  const isGone = () => ctx.states.version !== null && ctx.layout.total > 0 && ctx.states.of.every((state, seat) => state !== FREE || ctx.layout.kind[seat] !== 0);

  async function poll() {
    if (face === 'pick' && !document.hidden) await readMap().then(() => frozen(false), lost);
    timer = setTimeout(poll, jitter(MAP_POLL_MS));
  }

  async function readMap() {
    const since = ctx.states.version === null ? '' : `?since=${ctx.states.version}`;
    const path = `/v1/events/${ctx.id}/seatmap`;
    let { body: bytes } = await get(path + since, { binary: true });
    if (bytes === null) return;
    try {
      ctx.states.apply(bytes);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      ({ body: bytes } = await get(path, { binary: true }));
      ctx.states.apply(bytes);
    }
    pick?.statesChanged();
    wants ||= isGone();
  }

  /** Without a map there are its counts, and the machine that picks. What went wrong with the map is told where both fail. */
  async function readCounts(why) {
    const { body: counts } = await get(`/v1/events/${ctx.id}/seatmap/counts`).catch(() => { throw why; });
    ctx.states.applyCounts(counts);
    pick?.statesChanged();
    frozen(true);
  }

  async function lost(why) {
    await readCounts(why).catch(() => frozen(true));
  }

  let wasFrozen = false;
  function frozen(is) {
    if (is === wasFrozen) return;
    wasFrozen = is;
    tell(is ? t(ctx.states.version === null ? 'shop.map_away' : 'shop.map_frozen') : '');
  }

  function tell(text, { now = true } = {}) {
    setText(note, text);
    show(note, Boolean(text));
    if (text) announce(text, { now });
  }

  function tick() {
    const left = ctx.admission ? ctx.admission.expires_ms - ctx.clock.eventNow() : null;
    const stopped = ctx.clock.eventNow() !== null && !ctx.clock.running();
    setText(session, left === null ? '' : left <= 0 ? t('shop.session_over') : t(stopped ? 'shop.session_stopped' : 'shop.session', { left: countdown(left) }));
    show(more, left > 0 && !ctx.admission.longer);
    held?.tick();
    list?.tick();
  }

  start();
  return { el, tick, update: tick, title: () => list?.title() ?? t('title.shop'), leave: () => { clearTimeout(timer); } };
}
