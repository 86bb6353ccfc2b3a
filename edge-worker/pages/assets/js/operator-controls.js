// What the operator may do, as the worker says: one row for each command that the role allows and that makes sense now.

import { ApiError, request } from './api.js';
import { h, setText, show } from './dom.js';
import { t } from './i18n.js';

const text = (name) => ({ name, input: () => h('input', { name, required: true, maxlength: '280', autocomplete: 'off' }), read: (value) => value });
const count = (name) => ({ name, input: () => h('input', { name, required: true, type: 'number', min: '1', max: '1000000' }), read: Number });
const time = (name) => ({ name, input: () => h('input', { name, required: true, type: 'datetime-local', step: '1' }), read: (value) => new Date(value).getTime() });

const lasts = (live) => live.phase !== 'closed';
const before = (live) => live.opens_at_ms > Date.now() && lasts(live);
/** Command, its field, when it makes sense, and whether it is asked twice. */
const COMMANDS = [
  ['pause', text('reason'), lasts],
  ['resume', null, (live) => lasts(live) && live.orders.paused !== null],
  ['rate', count('per_minute'), lasts],
  ['message', text('text'), () => true],
  ['message-off', null, (live) => live.orders.message !== null],
  ['open-early', time('opens_at_ms'), before],
  ['postpone', time('opens_at_ms'), before],
  ['invite', count('count'), (live) => lasts(live) && Boolean(live.registration)],
  ['stop', text('reason'), lasts, true],
  ['lift', null, (live) => lasts(live) && live.orders.stopped !== null],
  ['close', null, lasts, true],
];

/** @param {string} id event @param {string} key the operator's key */
export function controls(id, key) {
  const done = h('p', { role: 'status' });
  const rows = COMMANDS.map(([command, field, fits, twice]) => {
    const input = field && field.input();
    const label = t(`op.do.${command}`);
    const send = (event) => {
      event.preventDefault();
      if (!twice || window.confirm(t(`op.sure.${command}`))) run(event.target, command, field ? { [field.name]: field.read(input.value) } : {}, label);
    };
    const el = h('form', { class: 'op-do', hidden: true, onsubmit: send },
      input && h('label', {}, h('span', {}, t(`op.field.${field.name}`)), input),
      h('button', { class: twice ? 'button danger' : 'button' }, label));
    return { el, fits, action: command.replace(/-off$/, '') };
  });
  const el = h('section', { class: 'card', hidden: true }, h('h2', {}, t('op.controls')), rows.map((row) => row.el), done);

  async function run(form, command, body, label) {
    const off = command === 'message-off';
    try {
      const headers = { authorization: `Bearer ${key}` };
      await request('POST', `/v1/operator/events/${id}/${off ? 'message' : command}`, { body: off ? { text: null } : body, headers });
      setText(done, t('op.done', { what: label }));
      form.reset();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setText(done, t('op.not_done', { what: label, why: error.message }));
    }
  }

  function update(live) {
    const may = live.you?.may ?? [];
    for (const row of rows) show(row.el, may.includes(row.action) && row.fits(live));
    show(el, rows.some((row) => may.includes(row.action)));
  }
  return { el, update };
}
