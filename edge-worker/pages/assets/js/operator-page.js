// The operator's live view, with what the role may do. The key is typed in, kept in this tab's session storage, sent as a header only.

import { ApiError, get, sleep } from './api.js';
import { fill, h, setText, show } from './dom.js';
import { loadLocale, t } from './i18n.js';
import { board } from './operator-board.js';
import { controls } from './operator-controls.js';

const main = document.querySelector('main');
const who = document.querySelector('#who');
const id = location.pathname.split('/')[2];
const SLOT = 'onsale.operator';

async function start() {
  await loadLocale();
  const key = sessionStorage.getItem(SLOT);
  if (key) watch(key);
  else ask('');
}

function ask(trouble) {
  const key = h('input', { id: 'op-key', type: 'password', required: true, autocomplete: 'off' });
  const go = (event) => {
    event.preventDefault();
    sessionStorage.setItem(SLOT, key.value.trim());
    watch(key.value.trim());
  };
  fill(main, h('div', { class: 'op' }, h('h1', {}, t('op.title')),
    h('form', { class: 'op-key', onsubmit: go }, h('label', { for: 'op-key' }, t('op.key')), key,
      h('button', { class: 'button' }, t('op.open')), h('p', { class: 'quiet' }, t('op.key_note')),
      trouble && h('p', { class: 'bad', role: 'alert' }, trouble))));
  key.focus();
}

/** Reads once a second; a second without news is said, not hidden. */
async function watch(key) {
  const trouble = h('p', { class: 'notice', role: 'status', hidden: true });
  let view = null;
  let good = Date.now();
  for (;;) {
    try {
      const { body } = await get(`/v1/operator/events/${id}`, { headers: { authorization: `Bearer ${key}` }, timeoutMs: 5000 });
      good = Date.now();
      view ??= await mount(trouble, key);
      view.update(body);
      show(trouble, false);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return refused();
      if (!(error instanceof ApiError)) throw error;
      view ??= await mount(trouble, key);
      setText(trouble, t('op.trouble', { seconds: Math.round((Date.now() - good) / 1000) }));
      show(trouble, Date.now() - good > 2500);
    }
    await sleep(1000);
  }
}

async function mount(trouble, key) {
  const levels = await get(`/v1/events/${id}`).then(({ body }) => body.levels, () => []);
  const view = board(id, Object.fromEntries(levels.map((level) => [level.id, level.name])));
  const desk = controls(id, key);
  fill(main, h('div', { class: 'op' }, trouble, view.el, desk.el));
  return { update: (live) => { view.update(live); desk.update(live); showName(live.you); } };
}

function showName(you) {
  if (you) setText(who, t('op.you', { name: you.name, role: t(`role.${you.role}`) }));
}

function refused() {
  sessionStorage.removeItem(SLOT);
  ask(t('op.refused'));
}

start();
