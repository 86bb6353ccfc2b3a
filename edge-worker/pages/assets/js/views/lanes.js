// The card for lanes: which there are, how one comes in, and that one is in.

import { announce, fill, h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { laneOf } from '../lanes.js';
import { explain } from '../problems.js';
import { doorView } from './door.js';

/** @param {object} ctx what the page's parts share @param {() => void} done called after the fan came into a lane */
export function lanesCard(ctx, done) {
  const ways = (ctx.event.lanes ?? []).filter((lane) => lane.access !== 'invitation');
  if (!ctx.event.lanes?.length) return null;
  const door = doorView(ctx.place.base);
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const title = h('h2', {}, t('lanes.title'));
  const body = h('div', {});
  const el = h('section', { class: 'card lanes', hidden: true }, title, body, door.el, trouble);
  let shown = '';

  function update() {
    const own = laneOf(ctx.event, ctx.place.lane);
    const face = own ? 'in' : ctx.place.signedIn && ways.length ? 'out' : 'none';
    el.hidden = face === 'none';
    if (face === shown) return;
    shown = face;
    setText(title, t(own ? 'lanes.yours' : 'lanes.title'));
    if (face === 'in') fill(body, h('p', { class: 'good' }, t('lanes.in', { name: own.name })), h('p', {}, t('lanes.in_text')));
    if (face === 'out') fill(body, h('p', {}, t('lanes.intro')), ways.some((lane) => lane.access === 'codes') && codeForm(), ways.filter((lane) => lane.access === 'claims').map(claimForm));
  }

  function codeForm() {
    const code = h('input', { id: 'presale-code', required: true, minlength: '6', maxlength: '60', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' });
    return h('form', { class: 'sign-in', onsubmit: (event) => run(event, { code: code.value }) },
      h('label', { for: 'presale-code' }, t('lanes.code')), code, h('button', { class: 'button' }, t('lanes.use_code')));
  }

  const claimForm = (lane) => h('form', { class: 'sign-in', onsubmit: (event) => run(event, { lane: lane.id }) },
    h('p', {}, t('lanes.claims', { name: lane.name })), h('button', { class: 'button secondary' }, t('lanes.join', { name: lane.name })));

  async function run(event, wish) {
    event.preventDefault();
    const button = event.target.querySelector('button');
    button.disabled = true;
    trouble.hidden = true;
    try {
      await ctx.place.join(door, wish).finally(door.over);
      announce(t('lanes.in', { name: laneOf(ctx.event, ctx.place.lane)?.name ?? '' }));
      done();
    } catch (error) {
      setText(trouble, explain(error));
      trouble.hidden = false;
    }
    button.disabled = false;
  }
  return { el, update };
}
