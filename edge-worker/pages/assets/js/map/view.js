// The camera over the plan: where a point of the plan is on the canvas. Knows no elements.

const MARGIN_PX = 10;

export class Camera {
  scale = 1;
  x = 0;
  y = 0;
  width = 0;
  height = 0;

  /** @param {{x0: number, y0: number, x1: number, y1: number}} bounds of the plan @param {number} pitch seat distance */
  constructor(bounds, pitch) {
    Object.assign(this, { bounds, pitch });
  }

  resize(width, height) {
    const whole = this.width === 0 || this.scale <= this.fitScale() * 1.01;
    Object.assign(this, { width, height });
    if (whole) this.fit(this.bounds);
    else this.settle();
  }

  /** Pixels a unit at which the whole plan is in sight. */
  fitScale(box = this.bounds) {
    const room = (size, length) => Math.max(20, size - 2 * MARGIN_PX) / Math.max(length, this.pitch);
    return Math.min(room(this.width, box.x1 - box.x0), room(this.height, box.y1 - box.y0));
  }

  /** The nearest useful look: a seat is 44 px apart from the next, so that a finger finds it. */
  get maxScale() {
    return 44 / this.pitch;
  }

  /** Where the camera stands if it shows `box`; for animations. */
  target(box) {
    const scale = Math.min(this.fitScale(box), this.maxScale);
    return { scale, x: (box.x0 + box.x1) / 2, y: (box.y0 + box.y1) / 2 };
  }

  fit(box) {
    Object.assign(this, this.target(box));
    this.settle();
  }

  /** Zooms by `factor` and keeps the plan's point under the canvas's point (px, py) where it is. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const before = this.toPlan(px, py);
    this.scale = Math.min(Math.max(this.scale * factor, this.fitScale()), this.maxScale);
    const after = this.toPlan(px, py);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.settle();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.settle();
  }

  /** Keeps the plan in sight. */
  settle() {
    const { x0, x1, y0, y1 } = this.bounds;
    const keep = (value, low, high, half) => (high - low <= 2 * half ? (low + high) / 2 : Math.min(Math.max(value, low + half), high - half));
    const slack = MARGIN_PX / this.scale;
    this.x = keep(this.x, x0 - slack, x1 + slack, this.width / 2 / this.scale);
    this.y = keep(this.y, y0 - slack, y1 + slack, this.height / 2 / this.scale);
  }

  toPlan(px, py) {
    return { x: this.x + (px - this.width / 2) / this.scale, y: this.y + (py - this.height / 2) / this.scale };
  }

  toCanvas(x, y) {
    return { x: (x - this.x) * this.scale + this.width / 2, y: (y - this.y) * this.scale + this.height / 2 };
  }

  /** True if some of the box is on the canvas. */
  sees({ x0, y0, x1, y1 }) {
    const [a, b] = [this.toPlan(0, 0), this.toPlan(this.width, this.height)];
    return x1 >= a.x && x0 <= b.x && y1 >= a.y && y0 <= b.y;
  }
}
