// Signing in and joining. The event names the ways to sign in: at the organiser's provider, or by a name in development.

import { announce, fill, h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { explain } from '../problems.js';
import { signIn, signInAt, signInTrouble } from '../place.js';
import { doorView } from './door.js';

/** @param {object} ctx @param {() => void} done called after the fan joined */
export function joinForm(ctx, done) {
  const door = doorView(ctx.place.base);
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const name = h('input', { id: 'sign-in-name', name: 'name', required: true, maxlength: '60', autocomplete: 'username', autocapitalize: 'off' });
  const ways = ctx.event.sign_in;
  const provider = ways.includes('provider') && h('a', { class: 'button', id: 'sign-in-provider', href: signInAt() }, t('join.provider'));
  const form = ways.includes('name') && h('form', { class: 'sign-in', onsubmit: (event) => run(event, async () => { await signIn(name.value.trim()); await join(); }) },
    h('label', { for: 'sign-in-name' }, t('join.name')), name,
    h('button', { class: 'button' }, t('join.sign_in')),
    h('p', { class: 'quiet' }, t('join.dev')));
  const sign = h('div', { class: 'ways' }, provider, form, !provider && !form && h('p', {}, t('join.none')));
  let asElse = false;
  const somebodyElse = () => {
    asElse = true;
    if (provider) provider.href = signInAt(true);
    fill(el, sign, door.el, trouble);
  };
  const other = h('button', { type: 'button', class: 'link', onclick: somebodyElse }, t('join.somebody_else'));
  const one = h('form', { class: 'one', onsubmit: (event) => run(event, join) }, h('button', { class: 'button' }, t('join.button')), other);
  const el = h('div', { class: 'join' }, ctx.place.signedIn ? one : sign, door.el, trouble);

  async function join() {
    await ctx.place.join(door).finally(door.over);
    ctx.signedIn();
    done();
  }

  async function run(event, action) {
    event.preventDefault();
    const button = event.target.querySelector('button');
    button.disabled = true;
    trouble.hidden = true;
    try {
      await action();
    } catch (error) {
      setText(trouble, explain(error));
      trouble.hidden = false;
      announce(trouble.textContent, { now: true });
      if (error.status === 401) fill(el, sign, door.el, trouble);
    }
    button.disabled = false;
  }
  const failed = signInTrouble();
  if (failed) {
    setText(trouble, explain({ code: failed }));
    trouble.hidden = false;
  }
  /** Whoever signed in elsewhere on the page need not do it here again. */
  function refresh() {
    if (ctx.place.signedIn && !asElse && sign.isConnected) fill(el, one, door.el, trouble);
  }
  return { el, refresh };
}
