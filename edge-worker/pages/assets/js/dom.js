// Building and changing the page. Knows elements only: no text, no requests, no state of the on-sale.

/**
 * Makes an element. `class`, `dataset` and `on…` listeners are understood, `true` is a bare attribute,
 * `null`, `undefined` and `false` leave the attribute out; everything else is set as an attribute.
 * @param {string} tag
 * @param {Record<string, unknown>} [props]
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(el, name, value);
  el.append(...flat(children));
  return el;
}

function setProp(el, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
  else if (name === 'dataset') Object.assign(el.dataset, value);
  else el.setAttribute(name, value === true ? '' : String(value));
}

function flat(children) {
  return children.flat(3).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c)));
}

/** Replaces the children of `el`. */
export function fill(el, ...children) {
  el.replaceChildren(...flat(children));
  return el;
}

/** Sets a text only when it differs, so that a screen reader does not hear the same thing every second. */
export function setText(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Shows or hides an element. */
export function show(el, visible) {
  el.hidden = !visible;
}

let polite;
let urgent;

/** Says a sentence to screen readers. Urgent ones interrupt: a turn, an error. */
export function announce(text, { now = false } = {}) {
  polite ??= region('polite');
  urgent ??= region('assertive');
  const target = now ? urgent : polite;
  target.textContent = '';
  // A later task: the same sentence twice is otherwise not announced.
  setTimeout(() => { target.textContent = text; }, 60);
}

function region(kind) {
  const el = h('div', { class: 'visually-hidden', 'aria-live': kind, role: kind === 'assertive' ? 'alert' : 'status' });
  document.body.append(el);
  return el;
}

/** Moves the focus to a heading after the view changed, so that reading goes on there. */
export function focusHeading(root) {
  const heading = root.querySelector('h1, h2');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** True if the fan asked the system for less movement. */
export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
