// The seat map: canvas, buttons, and one line that says what is under the pointer or crosshair.

import { fill, h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { glide, steer } from './input.js';
import { sectionAt, sectionOf, seatAt } from './layout.js';
import { Painter } from './paint.js';
import { Camera } from './view.js';

/** Below this seat distance (CSS px) a tap zooms in instead of choosing: fingers are too wide. */
const CHOOSE_PX = 13;

/**
 * @param {{layout: object, states: object, choice: object, describe: (seat: number) => string, onToggle: (result: string, seat: number) => void}} parts
 * @returns {{el: HTMLElement, redraw: () => void, statesChanged: () => void, mount: () => void, showSeats: (seats: number[]) => void}}
 */
export function seatMap({ layout, states, choice, describe, onToggle }) {
  const canvas = h('canvas', { class: 'map-canvas', tabindex: '0', role: 'application', 'aria-label': t('map.label'), 'aria-describedby': 'map-keys' });
  const info = h('p', { class: 'map-info' }, t('map.hint'));
  const camera = new Camera(layout.bounds, layout.pitch);
  const painter = new Painter(canvas, layout, states);
  let waiting = false;
  let keyed = false;

  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (painter.theme) painter.draw(camera, choice, keyed && document.activeElement === canvas);
    });
  };
  const near = () => camera.scale * camera.pitch >= CHOOSE_PX;
  const under = (px, py) => {
    const { x, y } = camera.toPlan(px, py);
    return { seat: near() ? seatAt(layout, x, y, layout.pitch * 0.75) : -1, section: sectionAt(layout, x, y, 4 / camera.scale) };
  };
  const tell = (px, py) => {
    const { seat, section } = under(px, py);
    if (seat >= 0) setText(info, describe(seat));
    else if (section) setText(info, t('map.section', { name: section.name, n: states.freeIn(section).free }));
    else setText(info, t('map.hint'));
  };
  const tap = (px, py) => {
    const { seat, section } = under(px, py);
    if (seat >= 0) return onToggle(choice.toggle(seat), seat);
    if (near()) return undefined;
    if (section && camera.scale < camera.target(section.box).scale * 0.8) return glide(camera, section.box, redraw);
    const { x, y } = camera.toPlan(px, py);
    const half = { w: (camera.width * camera.pitch) / 56, h: (camera.height * camera.pitch) / 56 };
    return glide(camera, { x0: x - half.w, x1: x + half.w, y0: y - half.h, y1: y + half.h }, redraw);
  };
  steer(canvas, camera, {
    changed: redraw, hover: tell, tap: (x, y) => { tap(x, y); redraw(); },
    keyed: () => { keyed = true; tell(camera.width / 2, camera.height / 2); setText(info, info.textContent); },
  });
  canvas.addEventListener('pointerdown', () => { keyed = false; });
  canvas.addEventListener('focus', redraw);
  canvas.addEventListener('blur', redraw);
  choice.addEventListener('change', redraw);

  const button = (label, text, action) => h('button', { type: 'button', class: 'map-button', 'aria-label': label, title: label, onclick: () => { action(); redraw(); } }, text);
  const buttons = h('div', { class: 'map-buttons' },
    button(t('map.zoom_in'), '+', () => camera.zoom(1.7)),
    button(t('map.zoom_out'), '−', () => camera.zoom(1 / 1.7)),
    button(t('map.whole'), '⤢', () => glide(camera, layout.bounds, redraw)));
  const frame = h('div', { class: 'map-frame' }, canvas, buttons);
  const el = h('div', { class: 'map' }, frame, info, h('p', { id: 'map-keys', class: 'visually-hidden' }, t('map.keys')), legend(layout));

  function mount() {
    new ResizeObserver(() => {
      const { width, height } = frame.getBoundingClientRect();
      if (!width) return;
      const ratio = window.devicePixelRatio || 1;
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      camera.resize(width, height);
      painter.theme ?? painter.readTheme();
      redraw();
    }).observe(frame);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { painter.readTheme(); redraw(); });
  }

  /** Shows where these seats are. */
  function showSeats(seats) {
    if (seats.length) glide(camera, sectionOf(layout, seats[0]).box, redraw);
  }

  return { el, redraw, mount, showSeats, statesChanged: () => { painter.forget(); redraw(); } };
}

function legend(layout) {
  const one = (level, i) => h('li', {}, swatch(level.color, i), level.name);
  return fill(h('ul', { class: 'legend' }), layout.levels.map(one),
    h('li', {}, h('span', { class: 'swatch-cross', 'aria-hidden': 'true' }, '×'), t('map.taken')),
    h('li', {}, h('span', { 'aria-hidden': 'true' }, '♿'), t('map.accessible')));
}

/** The level's mark as on the map: round, square, diamond. */
export function swatch(color, index) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ['M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13z', 'M2 2h12v12H2z', 'M8 0l8 8-8 8-8-8z'][index % 3]);
  path.setAttribute('fill', color);
  svg.append(path);
  return svg;
}
