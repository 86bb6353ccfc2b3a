// "Check my place": the draw told in steps, each recomputed in this browser from published files. Nothing is taken on trust
// that can be computed; what cannot be checked here, or not yet, is said.

import { get } from '../api.js';
import { fill, h } from '../dom.js';
import { beaconFits, entryProved, placeInDraw, roundDue, sealOf, seedFollows } from '../draw.js';
import { clockTime, number, t } from '../i18n.js';
import { laneOf } from '../lanes.js';
import { recall } from '../witness.js';

/** @param {object} ctx what the page's parts share, see event-page.js */
export function checkView(ctx) {
  const result = h('div', { class: 'check-result', 'aria-live': 'polite' }, h('p', { class: 'quiet' }, t('check.no_number')));
  const el = h('article', { class: 'check' },
    h('h1', {}, t('check.title')), h('p', {}, t('check.intro')), result,
    h('p', {}, h('a', { href: `/e/${ctx.id}`, dataset: { go: '' } }, t('check.back'))));
  let done = false;

  async function update() {
    if (done || !ctx.place.number) return;
    done = true;
    fill(result, h('p', { class: 'quiet' }, t('check.working')));
    try {
      fill(result, report(ctx.id, await evidence(ctx), ctx.place));
    } catch {
      fill(result, h('p', { class: 'bad' }, t('check.no_draw')), again());
    }
  }

  const again = () => h('button', { type: 'button', class: 'button secondary', onclick: () => { done = false; update(); } }, t('check.again'));
  return { el, update, tick() {}, title: () => t('check.title') };
}

/** All that is published about this fan's draw; the event anew, because the secret comes at its end. */
async function evidence(ctx) {
  const base = `/v1/events/${ctx.id}`;
  const { entry } = ctx.place;
  const k = entry.cohort ?? 0;
  const lane = laneOf(ctx.event, ctx.place.lane);
  const [event, draw, proof] = await Promise.all([
    get(base).then(({ body }) => body),
    ctx.place.fetchDraw(k, k === 0 && !lane ? ctx.feed.status.draw : null, lane?.id),
    get(`${base}/line/proof`).then(({ body }) => body, () => null),
  ]);
  return { event, draw, proof, entry, lane };
}

function report(id, facts, { number: told }) {
  if (!facts.draw) return h('p', { class: 'bad' }, t('check.hash_differs'));
  const found = placeInDraw(facts.draw, facts.entry);
  if (!found) return h('p', { class: 'bad' }, t('check.not_in'));
  const fine = found.place === told;
  const steps = [secretStep, listStep, entryStep, randomStep, seedStep, shuffleStep].map((step) => step(facts, found));
  const bad = !fine || steps.some((step) => step.state === 'bad');
  return [
    h('p', { class: fine ? 'good' : 'bad' }, t(fine ? 'check.same' : 'check.differs', { place: number(found.place) })),
    h('p', { class: bad ? 'bad' : 'verdict' }, t(bad ? 'check.verdict.bad' : `check.verdict.${verdictOf(facts)}`, { n: facts.draw.n })),
    h('ol', { class: 'steps' }, steps.map(stepItem)),
    h('h2', {}, t('check.files')),
    h('ul', {}, [['draw', `${facts.lane ? `lanes/${facts.lane.id}/` : ''}draw/${facts.draw.k}.json`], ['proof', 'line/proof']].map(([name, path]) => h('li', {}, h('a', { href: `/v1/events/${id}/${path}` }, t(`check.file.${name}`))))),
  ];
}

const verdictOf = ({ draw, event }) => (draw.drawn_by === 'beacon' && !event.draw_secret ? 'beacon_later' : draw.drawn_by);

/** A step's state is told by a word, a sign and a colour. */
function stepItem({ name, state, texts }) {
  return h('li', { class: 'step', dataset: { state } },
    h('h3', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, { good: '✓', bad: '✗', open: '…' }[state]), ' ', t(`check.${name}`), ' ', h('span', { class: 'state' }, t(`check.state.${state}`))),
    texts.map((text) => (typeof text === 'string' ? h('p', {}, text) : text)));
}

const code = (text) => h('p', {}, h('code', {}, text));

function secretStep({ event, draw }) {
  const seen = recall(event.id, 'commitment');
  const same = draw.commitment === event.commitment && (!seen || seen.value === event.commitment);
  const texts = [t('check.secret_text'), code(event.commitment)];
  if (seen) texts.push(t(same ? 'check.secret_seen' : 'check.secret_changed', { time: clockTime(seen.at) }));
  return { name: 'secret', state: same ? 'good' : 'bad', texts };
}

function listStep({ event, draw }) {
  const sealed = draw.beacon?.sealed_ms;
  const texts = [t(draw.k === 0 ? 'check.list_first' : 'check.list_later', { n: draw.n, time: clockTime(draw.t_ms) })];
  if (!sealed || draw.k !== 0) return { name: 'list', state: 'good', texts };
  const [seen, due] = [recall(event.id, 'seal'), roundDue(event.beacon, draw.beacon.round)];
  const same = !seen || seen.value === sealOf(draw);
  const witnessed = seen && seen.at < due ? t('check.list_witnessed', { s: ((due - seen.at) / 1000).toFixed(1) }) : t('check.list_unseen');
  texts.push(t('check.list_sealed', { time: clockTime(sealed) }), same ? witnessed : t('check.list_changed'));
  return { name: 'list', state: same ? 'good' : 'bad', texts };
}

function entryStep({ draw, proof, entry }) {
  if (!proof) return { name: 'entry', state: 'open', texts: [t('check.entry_none')] };
  const proved = entryProved(proof, draw, entry);
  const values = { shard: entry.shard, epoch: entry.epoch, index: entry.index, hashes: proof.path.length };
  return { name: 'entry', state: proved ? 'good' : 'bad', texts: [t(proved ? 'check.entry_proved' : 'check.entry_differs', values)] };
}

function randomStep({ event, draw, lane }) {
  if (lane) return { name: 'random', state: 'open', texts: [t('check.random_lane')] };
  if (!draw.beacon) return { name: 'random', state: 'open', texts: [t(event.beacon ? 'check.random_without' : 'check.random_none')] };
  const fits = beaconFits(draw, event.beacon);
  const due = clockTime(roundDue(event.beacon, draw.beacon.round));
  const texts = [t(fits ? 'check.random_fits' : 'check.random_differs', { round: String(draw.beacon.round), due }), code(draw.beacon.randomness), t('check.random_signature')];
  return { name: 'random', state: fits ? 'good' : 'bad', texts };
}

function seedStep({ event, draw }) {
  const follows = seedFollows(draw, event.draw_secret);
  const state = { true: 'good', false: 'bad', null: 'open' }[String(follows)];
  const text = { good: 'check.seed_follows', bad: 'check.seed_differs', open: 'check.seed_later' }[state];
  return { name: 'seed', state, texts: [t(text), code(draw.seed)] };
}

function shuffleStep({ draw }, found) {
  const values = { position: number(found.position + 1), landed: number(found.landed + 1), n: draw.n, base: number(draw.base), place: number(found.place) };
  return { name: 'shuffle', state: 'good', texts: [t('check.shuffle_text', values)] };
}
