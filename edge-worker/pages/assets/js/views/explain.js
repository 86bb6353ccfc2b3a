// How it works, in words: the draw before the opening, the line after it.

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** @param {object} event @param {boolean} before the opening lies ahead */
export function explanation(event, before) {
  const name = before ? 'draw' : 'line';
  const steps = [1, 2, 3, 4].map((n) => h('li', {}, t(`explain.${name}.${n}`, { minutes: Math.round((event.session_ms ?? 900_000) / 60_000) })));
  return [h('h2', {}, t(`explain.${name}.title`)), h('ol', {}, steps)];
}
