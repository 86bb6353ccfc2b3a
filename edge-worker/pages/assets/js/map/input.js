// Fingers, mouse, wheel and keys on the canvas, turned into camera moves and taps.

import { reducedMotion } from '../dom.js';

const TAP_SLOP_PX = 8;
const GLIDE_MS = 220;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import('./view.js').Camera} camera
 * @param {{changed: () => void, tap: (px: number, py: number) => void, hover: (px: number, py: number) => void, keyed: () => void}} on
 */
export function steer(canvas, camera, on) {
  const fingers = new Map();
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (fingers.size === 0) moved = 0;
    fingers.set(event.pointerId, at(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    const now = at(event);
    const before = fingers.get(event.pointerId);
    if (!before) return void on.hover(now.x, now.y);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (fingers.size === 1 && moved > TAP_SLOP_PX) camera.pan(now.x - before.x, now.y - before.y);
    else if (fingers.size === 2) pinch(camera, [...fingers].find(([id]) => id !== event.pointerId)[1], before, now);
    fingers.set(event.pointerId, now);
    on.changed();
  });
  const lift = (event) => {
    const was = fingers.delete(event.pointerId);
    if (was && event.type === 'pointerup' && fingers.size === 0 && moved <= TAP_SLOP_PX) on.tap(at(event).x, at(event).y);
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const { x, y } = at(event);
    camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), x, y);
    on.changed();
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => key(event, camera, on));
}

function pinch(camera, other, before, now) {
  const distance = (p) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
  const middle = (p) => ({ x: (p.x + other.x) / 2, y: (p.y + other.y) / 2 });
  const [a, b] = [middle(before), middle(now)];
  camera.pan(b.x - a.x, b.y - a.y);
  camera.zoom(distance(now) / distance(before), b.x, b.y);
}

function key(event, camera, on) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A step of one seat near by, of an eighth of the canvas far away.
  const step = Math.max(camera.scale * camera.pitch, camera.scale * camera.pitch < 12 ? camera.width / 8 : 0);
  const moves = {
    ArrowLeft: () => camera.pan(step, 0), ArrowRight: () => camera.pan(-step, 0),
    ArrowUp: () => camera.pan(0, step), ArrowDown: () => camera.pan(0, -step),
    '+': () => camera.zoom(1.5), '=': () => camera.zoom(1.5), '-': () => camera.zoom(1 / 1.5), 0: () => camera.fit(camera.bounds),
    Enter: () => on.tap(camera.width / 2, camera.height / 2), ' ': () => on.tap(camera.width / 2, camera.height / 2),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  move();
  on.changed();
  on.keyed();
}

/** Moves the camera to show `box`, gliding unless the fan asked for less movement. */
export function glide(camera, box, changed) {
  const to = camera.target(box);
  const from = { scale: camera.scale, x: camera.x, y: camera.y };
  const start = performance.now();
  const frame = (now) => {
    const part = reducedMotion() ? 1 : Math.min(1, (now - start) / GLIDE_MS);
    const ease = 1 - (1 - part) ** 3;
    camera.scale = from.scale * (to.scale / from.scale) ** ease;
    camera.x = from.x + (to.x - from.x) * ease;
    camera.y = from.y + (to.y - from.y) * ease;
    camera.settle();
    changed();
    if (part < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
