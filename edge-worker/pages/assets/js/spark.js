// A small chart of whole numbers over beats. Each line has its own dash and its name at the end: not by colour alone.

import { h } from './dom.js';
import { number, t } from './i18n.js';

const KEEP = 300;
const STYLES = [{ color: '--accent', dash: [] }, { color: '--good', dash: [6, 4] }];

/** @param {string[]} names keys of the values; their words are `op.<name>` */
export function sparkline(names) {
  const el = h('canvas', { class: 'spark', role: 'img' });
  const points = [];

  function push(beat, values) {
    if (points.length && points.at(-1).beat >= beat) return;
    points.push({ beat, ...values });
    if (points.length > KEEP) points.shift();
    draw();
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [el.clientWidth, el.clientHeight];
    if (!width) return;
    Object.assign(el, { width: width * ratio, height: height * ratio });
    const c = el.getContext('2d');
    c.scale(ratio, ratio);
    names.forEach((name, i) => drawLine(c, name, STYLES[i], width, height, i));
    el.setAttribute('aria-label', names.map((name) => `${t(`op.${name}`)} ${number(points.at(-1)?.[name] ?? 0)}`).join(', '));
  }

  /** Each line has its own scale, from the least to the most seen: they are of different size. */
  function drawLine(c, name, { color, dash }, width, height, row) {
    const all = points.map((point) => point[name] ?? 0);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const x = (i) => (i / Math.max(1, points.length - 1)) * (width - 8) + 4;
    const y = (value) => height - 10 - ((value - low) / Math.max(1, high - low)) * (height - 50);
    c.strokeStyle = getComputedStyle(el).getPropertyValue(color);
    c.fillStyle = c.strokeStyle;
    c.lineWidth = 2;
    c.setLineDash(dash);
    c.beginPath();
    all.forEach((value, i) => c.lineTo(x(i), y(value)));
    c.stroke();
    c.font = '600 13px system-ui, sans-serif';
    c.fillText(`${t(`op.${name}`)} ${number(all.at(-1) ?? 0)}`, 4 + row * 150, 14);
    c.setLineDash(dash);
    c.beginPath();
    c.moveTo(4 + row * 150, 22);
    c.lineTo(44 + row * 150, 22);
    c.stroke();
  }
  return { el, push };
}
