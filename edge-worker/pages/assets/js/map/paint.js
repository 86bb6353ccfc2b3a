// Draws the plan. Far away: one picture of all seats, kept until a state changes. Near: the seats in sight, with
// shapes. Level by colour and shape, "taken" by size and a cross: never by colour alone.

import { number } from '../i18n.js';
import { cross, mark, ring, shape, tick, write } from './marks.js';
import { FREE, BLOCKED } from './states.js';

/** From this seat distance on (CSS px) seats are drawn one by one, with shapes; from the second on with labels. */
const NEAR_PX = 7;
const LABEL_PX = 22;
/** A section this wide (CSS px) shows how many of its seats are free under its name. */
const COUNT_PX = 58;
/** The kept picture's size in pixels; 39,350 seats need about 3 px each. */
const PICTURE_PX = 2600;

export class Painter {
  #picture = null;

  /** @param {HTMLCanvasElement} canvas @param {object} layout @param {import('./states.js').SeatStates} states */
  constructor(canvas, layout, states) {
    Object.assign(this, { canvas, layout, states, context: canvas.getContext('2d') });
  }

  /** Reads the theme's colours from the style sheet; again after the theme changed. */
  readTheme() {
    const style = getComputedStyle(this.canvas);
    const of = (name) => style.getPropertyValue(name).trim();
    this.theme = { taken: of('--seat-taken'), ink: of('--ink'), paper: of('--map-paper'), pool: of('--map-pool'), muted: of('--muted'), bad: of('--bad'), onSeat: of('--seat-ink') };
    this.#picture = null;
  }

  /** The states changed: the kept picture is no longer true. */
  forget() {
    this.#picture = null;
  }

  draw(camera, choice, cursor) {
    const ratio = window.devicePixelRatio || 1;
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = this.theme.paper;
    c.fillRect(0, 0, camera.width, camera.height);
    for (const pool of this.layout.pools) this.#pool(camera, pool);
    const step = camera.scale * this.layout.pitch;
    if (step < NEAR_PX) this.#far(camera);
    else this.#near(camera, step);
    this.#chosen(camera, choice.seats, step);
    for (const i of choice.marked) this.#marked(camera, i, step);
    if (step < NEAR_PX) this.#sectionNames(camera);
    if (cursor) this.#cursor(camera);
  }

  #far(camera) {
    this.#picture ??= this.#paintPicture();
    const { x0, y0 } = this.layout.bounds;
    const { x, y } = camera.toCanvas(x0 - this.layout.pitch, y0 - this.layout.pitch);
    const scale = camera.scale / this.#picture.scale;
    this.context.imageSmoothingQuality = 'high';
    this.context.drawImage(this.#picture.canvas, x, y, this.#picture.canvas.width * scale, this.#picture.canvas.height * scale);
  }

  #paintPicture() {
    const { bounds: b, pitch, x, y, level, total } = this.layout;
    const scale = PICTURE_PX / (b.x1 - b.x0 + 2 * pitch);
    const canvas = document.createElement('canvas');
    canvas.width = PICTURE_PX;
    canvas.height = Math.ceil((b.y1 - b.y0 + 2 * pitch) * scale);
    const c = canvas.getContext('2d');
    // Free seats touch their neighbours, taken ones are dots: fullness shows without colour.
    const [full, small] = [pitch * scale * 1.2, pitch * scale * 0.5];
    const put = (i, size) => c.fillRect((x[i] - b.x0 + pitch) * scale - size / 2, (y[i] - b.y0 + pitch) * scale - size / 2, size, size);
    c.fillStyle = this.theme.taken;
    for (let i = 0; i < total; i += 1) if (this.states.of[i] !== FREE && this.states.of[i] !== BLOCKED) put(i, small);
    this.layout.levels.forEach((one, index) => {
      c.fillStyle = one.color;
      for (let i = 0; i < total; i += 1) if (level[i] === index && this.states.of[i] === FREE) put(i, full);
    });
    return { canvas, scale };
  }

  #near(camera, step) {
    const slack = this.layout.pitch;
    for (const section of this.layout.sections) {
      const { box } = section;
      if (!camera.sees({ x0: box.x0 - slack, y0: box.y0 - slack, x1: box.x1 + slack, y1: box.y1 + slack })) continue;
      for (let i = section.first; i < section.first + section.count; i += 1) this.#seat(camera, i, step);
      if (step >= LABEL_PX * 0.6) this.#rowLabels(camera, section, step);
    }
  }

  #seat(camera, i, step) {
    const { x, y } = camera.toCanvas(this.layout.x[i], this.layout.y[i]);
    if (x < -step || y < -step || x > camera.width + step || y > camera.height + step) return;
    const state = this.states.of[i];
    if (state === BLOCKED) return;
    const c = this.context;
    if (state !== FREE) return void cross(c, x, y, step * 0.2, this.theme.taken);
    c.fillStyle = this.layout.levels[this.layout.level[i]].color;
    shape(c, this.layout.level[i], x, y, step * 0.42);
    c.fill();
    if (step >= LABEL_PX) this.#seatText(i, x, y, step);
    else if (this.layout.kind[i]) mark(c, x, y, step * 0.16, this.theme.onSeat);
  }

  #seatText(i, x, y, step) {
    const text = ['', '♿', '+1'][this.layout.kind[i]] || this.layout.labels[i];
    write(this.context, text, x, y, Math.min(14, step * 0.36), this.theme.onSeat);
  }

  #rowLabels(camera, section, step) {
    for (const row of section.rows) {
      const { x, y } = camera.toCanvas(this.layout.x[row.first], this.layout.y[row.first]);
      const end = camera.toCanvas(this.layout.x[row.first + row.count - 1], 0).x;
      if (y < 0 || y > camera.height || end < 0 || x > camera.width) continue;
      this.#rowLabel(row.label, Math.max(x - step, 16), y, Math.min(13, step * 0.4));
    }
  }

  /** On paper of its own: it stays at the edge while its row goes on beneath it. */
  #rowLabel(text, x, y, size) {
    const c = this.context;
    c.fillStyle = this.theme.paper;
    c.beginPath();
    c.roundRect(x - 13, y - size, 26, 2 * size, 4);
    c.fill();
    write(this.context, text, x, y, size, this.theme.muted, 600);
  }

  #chosen(camera, chosen, step) {
    const c = this.context;
    const r = Math.max(6, step * 0.46);
    for (const i of chosen) {
      const { x, y } = camera.toCanvas(this.layout.x[i], this.layout.y[i]);
      c.beginPath();
      c.arc(x, y, r, 0, 2 * Math.PI);
      c.fillStyle = this.theme.ink;
      c.fill();
      c.lineWidth = 2;
      c.strokeStyle = this.theme.paper;
      c.stroke();
      tick(c, x, y, r * 0.5, this.theme.paper);
    }
  }

  /** A seat that a refusal named: a ring around it, wherever it is. */
  #marked(camera, i, step) {
    const { x, y } = camera.toCanvas(this.layout.x[i], this.layout.y[i]);
    ring(this.context, x, y, Math.max(9, step * 0.55), this.theme.bad);
  }

  #sectionNames(camera) {
    for (const section of this.layout.sections) {
      const { box, name } = section;
      const width = (box.x1 - box.x0) * camera.scale;
      if (width < 30 || !camera.sees(box)) continue;
      const { x, y } = camera.toCanvas((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2);
      const size = Math.min(15, Math.max(11, width / 5));
      this.context.font = `600 ${size}px system-ui, sans-serif`;
      const half = this.context.measureText(name).width / 2 + 4;
      if (2 * half > width + 6) continue;
      this.context.fillStyle = this.theme.paper;
      this.context.globalAlpha = 0.86;
      this.context.beginPath();
      const counted = width >= COUNT_PX;
      this.context.roundRect(x - half, y - size * 0.8, 2 * half, size * (counted ? 2.6 : 1.6), 4);
      this.context.fill();
      this.context.globalAlpha = 1;
      write(this.context, name, x, y, size, this.theme.ink, 600);
      if (counted) write(this.context, number(this.states.freeIn(section).free), x, y + size * 1.15, size * 0.8, this.theme.muted);
    }
  }

  #pool(camera, pool) {
    const { x, y } = camera.toCanvas(pool.x, pool.y);
    const [w, h] = [pool.w * camera.scale, pool.h * camera.scale];
    this.context.fillStyle = this.theme.pool;
    this.context.beginPath();
    this.context.roundRect(x, y, w, h, Math.min(12, h / 8));
    this.context.fill();
    if (w > 50) write(this.context, pool.name, x + w / 2, y + h / 2, Math.min(16, Math.max(11, w / 9)), this.theme.ink, 600);
  }

  #cursor({ width, height }) {
    const c = this.context;
    c.lineWidth = 2;
    c.strokeStyle = this.theme.ink;
    c.beginPath();
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      c.moveTo(width / 2 + 8 * dx, height / 2 + 8 * dy);
      c.lineTo(width / 2 + 20 * dx, height / 2 + 20 * dy);
    }
    c.stroke();
  }
}
