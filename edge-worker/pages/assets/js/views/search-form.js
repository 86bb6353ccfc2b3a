// The form of a search. It is sent as an address; only the fan's own place needs a script, and is asked for by a button alone.

import { announce, h, setText } from '../dom.js';
import { t } from '../i18n.js';

/** How far "near me" goes, in kilometres, unless the address says otherwise. */
const NEAR_KM = '50';

/** @param {URLSearchParams} asked */
export function searchForm(asked) {
  const form = h('form', { class: 'search card', role: 'search', method: 'get', action: '/' },
    field('q', t('search.words'), { type: 'search', dir: 'auto', maxlength: 100, autocomplete: 'off', enterkeyhint: 'search' }),
    h('div', { class: 'dates' }, field('from', t('search.from'), { type: 'date' }), field('to', t('search.to'), { type: 'date' })),
    h('label', { class: 'left' }, h('input', { type: 'checkbox', name: 'available', value: '1', checked: asked.get('available') === '1' }), t('search.available')),
    near(), h('button', { class: 'button' }, t('search.go')));
  form.addEventListener('submit', () => dropEmpty(form));
  return form;

  function field(name, label, props) {
    return h('div', { class: 'field' }, h('label', { for: `search-${name}` }, label), h('input', { id: `search-${name}`, name, value: asked.get(name) ?? '', ...props }));
  }

  /** A place in the address stays until it is taken out. */
  function near() {
    const place = h('input', { type: 'hidden', name: 'near', value: asked.get('near') ?? '' });
    const km = h('input', { type: 'hidden', name: 'within_km', value: asked.get('within_km') ?? '' });
    const button = h('button', { class: 'button secondary', type: 'button', 'aria-pressed': String(Boolean(place.value)) }, t('search.near', { km: km.value || NEAR_KM }));
    const said = h('p', { class: 'quiet', role: 'status' });
    const set = (value) => {
      place.value = value;
      km.value = value ? km.value || NEAR_KM : '';
      form.requestSubmit();
    };
    const failed = () => setText(said, t('search.no_place'));
    button.addEventListener('click', () => {
      if (place.value) return set('');
      setText(said, t('search.placing'));
      announce(t('search.placing'));
      // Two digits are a kilometre: nobody has to say more to find a concert.
      navigator.geolocation.getCurrentPosition(({ coords }) => set(`${coords.latitude.toFixed(2)},${coords.longitude.toFixed(2)}`), failed, { timeout: 10_000 });
    });
    return h('div', { class: 'near' }, place, km, button, said);
  }
}

/** Keeps addresses short: what was left empty is not in them. */
function dropEmpty(form) {
  for (const input of form.elements) if (input.name && !input.value) input.disabled = true;
  // Back shows the form as it was.
  setTimeout(() => { for (const input of form.elements) input.disabled = false; });
}
