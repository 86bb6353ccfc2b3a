// Turnstile's widget. Its script is Cloudflare's and is loaded only when the door asks for this challenge; where it does
// not come, the door is told so and offers something else.

import { h } from '../dom.js';
import { t } from '../i18n.js';

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
const PATIENCE_MS = 8_000;

/** @param {{sitekey: string, action: string, cdata: string}} challenge @param {(proof: object|string) => void} done */
export function turnstileWidget(challenge, done) {
  const place = h('div', { class: 'door-turnstile' });
  const unseen = h('button', { type: 'button', class: 'link', onclick: () => done('unseen') }, t('door.unseen'));
  load().then((turnstile) => turnstile.render(place, {
    ...challenge,
    callback: (token) => done({ turnstile: token }),
    'error-callback': () => { done('unseen'); return true; },
  }), () => done('unseen'));
  return h('div', {}, h('p', {}, t('door.turnstile')), place, unseen);
}

let loading = null;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = h('script', { src: SCRIPT, async: true });
    script.onload = () => (globalThis.turnstile ? resolve(globalThis.turnstile) : reject());
    script.onerror = reject;
    setTimeout(reject, PATIENCE_MS);
    document.head.append(script);
  });
  loading.catch(() => { loading = null; });
  return loading;
}
