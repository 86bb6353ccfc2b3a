// The card for the registration lottery: register, then see rank and invitation. What it says is what the worker answered.

import { jitter } from '../api.js';
import { announce, fill, h, setText } from '../dom.js';
import { dateTime, number, t } from '../i18n.js';
import { Registration, registrationStage } from '../lanes.js';
import { signIn, signInAt } from '../place.js';
import { explain } from '../problems.js';
import { doorView } from './door.js';

/** Between two looks while something may change, in ms. */
const AGAIN_MS = 10_000;

/** @param {object} ctx what the page's parts share @param {() => void} done called after the fan came into the lane */
export function registrationCard(ctx, done) {
  const plan = ctx.event.registration;
  if (!plan) return null;
  const registration = new Registration(ctx.place.base);
  const door = doorView(ctx.place.base);
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const body = h('div', { 'aria-live': 'polite' });
  const el = h('section', { class: 'card registration' }, h('h2', {}, t('registration.title')), body, door.el, trouble);
  let shown = '';
  let askAt = 0;
  let known = false;

  async function look() {
    askAt = Date.now() + jitter(AGAIN_MS);
    if (!ctx.place.signedIn) return;
    await registration.load().then(() => { known = true; }).catch(() => {});
    update();
  }

  function update() {
    el.hidden = Boolean(ctx.place.lane);
    const face = faceOf(registration.state, registrationStage(plan, ctx.clock.now()), ctx.place.signedIn, known);
    const state = registration.state ?? {};
    const key = JSON.stringify([face, state.rank, state.invited_up_to]);
    if (key === shown) return;
    if (shown && face !== JSON.parse(shown)[0]) announce(t(`registration.${face}`, values(state)));
    shown = key;
    el.dataset.face = face;
    fill(body, h('p', { class: face === 'invited' ? 'good' : '' }, t(`registration.${face}`, values(state))), FACES[face]?.(state));
  }

  const values = (state) => ({
    opens: dateTime(plan.opens_at_ms), draws: dateTime(plan.draws_at_ms), n: plan.invited,
    rank: number(state.rank ?? 0), bound: number(state.invited_up_to ?? 0),
  });
  const button = (key, action, kind = 'button') => h('form', { onsubmit: (event) => run(event, action) }, h('button', { class: kind }, t(key)));
  const withdraw = () => button('registration.withdraw', () => registration.withdraw(), 'button secondary');
  const FACES = {
    sign_in: () => signForm(),
    open: () => button('registration.register', () => registration.register(door)),
    registered: () => withdraw(),
    withdrawn: () => registrationStage(plan, ctx.clock.now()) === 'open' && button('registration.register', () => registration.register(door)),
    invited: (state) => [button('registration.join', () => join(state)), withdraw()],
    waits: () => withdraw(),
  };

  async function join(state) {
    await ctx.place.join(door, { lane: state.lane });
    done();
  }

  function signForm() {
    const name = h('input', { id: 'register-name', required: true, maxlength: '60', autocomplete: 'username', autocapitalize: 'off' });
    const register = async () => {
      await signIn(name.value.trim());
      ctx.place.signedIn = true;
      await registration.register(door);
      ctx.signedIn();
    };
    return h('div', { class: 'ways' },
      ctx.event.sign_in.includes('provider') && h('a', { class: 'button', href: signInAt() }, t('join.provider')),
      ctx.event.sign_in.includes('name') && h('form', { class: 'sign-in', onsubmit: (event) => run(event, register) },
        h('label', { for: 'register-name' }, t('join.name')), name, h('button', { class: 'button' }, t('registration.sign_in'))));
  }

  async function run(event, action) {
    event.preventDefault();
    const pressed = event.target.querySelector('button');
    pressed.disabled = true;
    trouble.hidden = true;
    try {
      await action().finally(door.over);
      known = true;
    } catch (error) {
      setText(trouble, explain(error));
      trouble.hidden = false;
    }
    pressed.disabled = false;
    update();
  }

  function tick() {
    update();
    const state = registration.state;
    const settled = registrationStage(plan, ctx.clock.now()) !== 'over' || (known && !state) || state?.invited || state?.withdrawn;
    if (Date.now() >= askAt && !document.hidden && (!known || !settled)) look();
  }
  return { el, update, tick };
}

/** What the card says. */
export function faceOf(state, stage, signedIn, known) {
  if (state?.withdrawn) return 'withdrawn';
  if (state?.invited) return 'invited';
  if (state?.rank) return 'waits';
  if (state) return stage === 'over' ? 'drawing' : 'registered';
  if (stage === 'before') return 'before';
  if (stage === 'over') return 'over';
  if (!signedIn) return 'sign_in';
  return known ? 'open' : 'looking';
}
