// "Check my place": recomputes the fan's number from the published draw file, in this browser.

import { fill, h, show } from '../dom.js';
import { number, t } from '../i18n.js';
import { placeInDraw, seedFollows } from '../draw.js';

/** @param {object} ctx */
export function proofView(ctx) {
  const result = h('div', { class: 'proof-result', 'aria-live': 'polite' });
  const button = h('button', { type: 'button', class: 'button secondary', onclick: () => check() }, t('proof.button'));
  const el = h('section', { class: 'card proof', hidden: true },
    h('h2', {}, t('proof.title')), h('p', {}, t('proof.intro')),
    ctx.event.commitment && h('p', { class: 'quiet' }, t('proof.commitment'), ' ', h('code', {}, ctx.event.commitment)),
    button, result);

  async function check() {
    const { entry, number: told } = ctx.place;
    fill(result, h('p', {}, t('proof.working')));
    try {
      const k = entry.cohort ?? 0;
      const draw = await ctx.place.fetchDraw(k, k === 0 ? ctx.feed.status.draw : null);
      fill(result, draw ? report(draw, entry, told) : h('p', { class: 'bad' }, t('proof.hash_differs')));
    } catch {
      fill(result, h('p', { class: 'bad' }, t('proof.no_draw')));
    }
  }

  function report(draw, entry, told) {
    const found = placeInDraw(draw, entry);
    if (!found) return h('p', { class: 'bad' }, t('proof.not_in'));
    const fine = found.place === told;
    const follows = seedFollows(draw, ctx.event.draw_secret);
    return [
      h('p', { class: fine ? 'good' : 'bad' }, t(fine ? 'proof.same' : 'proof.differs', { place: number(found.place) })),
      h('dl', { class: 'facts' }, ...facts(draw, entry, found)),
      h('p', { class: 'quiet' }, t(draw.beacon ? 'proof.verifiable' : 'proof.organiser')),
      follows === null ? h('p', { class: 'quiet' }, t('proof.secret_later')) : h('p', { class: follows ? 'good' : 'bad' }, t(follows ? 'proof.seed_follows' : 'proof.seed_differs')),
      h('p', {}, h('a', { href: `/v1/events/${ctx.id}/draw/${draw.k}.json` }, t('proof.file'))),
    ];
  }

  return { el, update: () => show(el, ctx.place.number !== null) };
}

function facts(draw, entry, found) {
  const fact = (key, value) => [h('dt', {}, t(`proof.${key}`)), h('dd', {}, value)];
  return [
    fact('cohort', number(draw.k)), fact('people', number(draw.n)),
    fact('entry', t('proof.entry_value', { shard: entry.shard, epoch: entry.epoch, index: entry.index })),
    fact('position', number(found.position + 1)), fact('landed', number(found.landed + 1)),
    fact('base', number(draw.base)), fact('seed', h('code', {}, draw.seed)),
  ];
}
