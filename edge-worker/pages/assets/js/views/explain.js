// How it works, in words: the draw before the opening, the line after it.

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** @param {object} event @param {boolean} before the opening lies ahead */
export function explanation(event, before) {
  const name = before ? 'draw' : 'line';
  const order = event.beacon ? '2_beacon' : '2';
  const steps = [1, before ? order : 2, 3, 4].map((step) => h('li', {}, t(`explain.${name}.${step}`, { minutes: Math.round((event.session_ms ?? 900_000) / 60_000) })));
  return [h('h2', {}, t(`explain.${name}.title`)), h('ol', {}, steps)];
}
