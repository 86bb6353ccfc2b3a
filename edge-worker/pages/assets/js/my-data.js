// My data: everything that is stored of the account as a file, and having it deleted. Knows no orders: what went and what
// stays is told by the answer.

import { announce, fill, h } from './dom.js';
import { patient, request } from './api.js';
import { dateTime, t } from './i18n.js';

const PATH = '/v1/account';
const FILE = 'onsale-my-data.json';

/** The section for a signed-in account. `changed` is called once something was deleted. */
export function myData(changed) {
  const told = h('div', { class: 'told', role: 'status' });
  const sure = dialog(() => erase(told, changed));
  return h('section', { class: 'card my-data', 'aria-labelledby': 'my-data' }, h('h2', { id: 'my-data' }, t('data.title')), h('p', {}, t('data.what')),
    h('div', { class: 'actions' }, button('data.get', 'secondary', () => save(told)), button('data.erase', 'secondary', () => sure.showModal())), told, sure);
}

const button = (key, kind, onclick) => h('button', { type: 'button', class: `button ${kind}`, onclick }, t(key));

/** What goes and what stays is read before anything is deleted. */
function dialog(act) {
  const points = (keys) => h('ul', {}, keys.map((key) => h('li', {}, t(key))));
  const box = h('dialog', { class: 'card sure', 'aria-labelledby': 'my-data-sure' }, h('h2', { id: 'my-data-sure' }, t('data.sure')),
    h('h3', {}, t('data.goes')), points(['data.goes_orders', 'data.goes_lines']),
    h('h3', {}, t('data.stays')), points(['data.stays_tickets', 'data.stays_books', 'data.stays_others']),
    h('div', { class: 'actions' }, button('data.keep', 'secondary', () => box.close()), button('data.now', '', () => { box.close(); act(); })));
  return box;
}

async function save(told) {
  await busy(told, 'data.getting', async () => {
    const { body } = await patient('GET', PATH);
    const url = URL.createObjectURL(new Blob([JSON.stringify(body, null, 2)], { type: 'application/json' }));
    h('a', { href: url, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return [h('p', {}, t('data.got'))];
  });
}

async function erase(told, changed) {
  await busy(told, 'data.erasing', async () => {
    const { body } = await request('DELETE', PATH);
    changed();
    return outcome(body);
  });
}

/** Says that it works on it, then what came of it. */
async function busy(told, key, act) {
  fill(told, h('p', { class: 'quiet' }, t(key)));
  try {
    fill(told, ...await act());
  } catch (error) {
    const why = error.code === 'ACCOUNT_REQUIRED' ? 'data.signed_out' : 'data.trouble';
    announce(t(why), { now: true });
    fill(told, h('p', { class: 'bad' }, t(why)));
  }
}

/** @param {{erased: string[], kept: {order: string, until_ms?: number}[], lines: {event: string, erased: boolean}[]}} body */
function outcome({ erased, kept, lines }) {
  const open = lines.filter((line) => !line.erased);
  const until = ({ until_ms: ms }) => (ms ? t('data.kept_until', { when: dateTime(ms) }) : t('data.kept_under_way'));
  return [h('p', {}, t('data.erased', { n: erased.length })),
    kept.length > 0 && h('p', {}, t('data.kept', { n: kept.length })), kept.length > 0 && h('ul', {}, [...new Set(kept.map(until))].map((text) => h('li', {}, text))),
    open.length > 0 && h('p', {}, t('data.kept_lines', { n: open.length }))];
}
