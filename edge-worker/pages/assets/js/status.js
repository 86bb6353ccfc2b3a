// The status file: reading, checking, and polling it in a way that 2 million pages can afford.

import { fromBase64, utf8 } from './bytes.js';
import { jitter } from './api.js';
import { noted, speedOf } from './expect.js';

const SIGNATURE = /,"sig":"([A-Za-z0-9_-]{86})"\}\s*$/;

/**
 * Checks the signature over the exact bytes before `,"sig":` and parses.
 * @param {string} text
 * @param {(signature: Uint8Array, message: Uint8Array) => Promise<boolean>} verify
 */
export async function readStatus(text, verify) {
  const found = SIGNATURE.exec(text);
  if (!found) throw new Error('status without signature');
  if (!(await verify(fromBase64(found[1]), utf8(text.slice(0, found.index))))) throw new Error('bad signature');
  return JSON.parse(text);
}

/**
 * How long to wait before the next poll, before jitter: often near the front and near the opening, seldom far back.
 * @param {{next: number, phase: string, opens: number, admitted: number, rate: number}} status
 * @param {number|null} place the fan's own number
 * @param {number} now server time
 */
export function pollDelay(status, place, now) {
  const base = Math.max(500, status.next ?? 2000);
  const toOpening = status.opens - now;
  if (status.phase === 'scheduled' || status.phase === 'prequeue') return clamp(toOpening / 10, base, 30_000);
  if (status.phase === 'sold_out' || status.phase === 'closed') return Math.max(base, 15_000);
  if (place === null || place <= status.admitted || status.rate <= 0) return base;
  const waitMs = ((place - status.admitted) / status.rate) * 60_000;
  return clamp(waitMs / 20, base, 30_000);
}

const clamp = (x, low, high) => Math.min(Math.max(x, low), Math.max(low, high));

/** Polls for ever. A status with a lower beat or a bad signature is refused: the last good one stays. */
export class StatusFeed {
  #timer = 0;
  #running = false;
  #failures = 0;
  #polledAt = 0;
  #listeners = new Set();
  status = null;
  /** What was seen of the line's movement, see expect.js. */
  #moves = [];
  place = null;

  /** @param {{url: string, verify: Function, clock: import('./clock.js').ServerClock}} parts */
  constructor(parts) {
    Object.assign(this, parts);
  }

  start() {
    this.#running = true;
    document.addEventListener('visibilitychange', () => this.#wake());
    window.addEventListener('online', () => this.#wake());
    return this.poll();
  }

  /** Calls `listener(feed)` after each poll, good or bad. Returns the way to stop it. */
  listen(listener) {
    this.#listeners.add(listener);
    if (this.status) listener(this);
    return () => this.#listeners.delete(listener);
  }

  /** True if nothing valid is known any more: the line counts as paused, places are safe. */
  get stale() {
    return !this.status || (this.#failures > 1 && this.clock.now() > this.status.fresh + 3000);
  }

  /** Places a minute that the line really moves by, null while too little of it was seen. */
  get speed() {
    return speedOf(this.#moves);
  }

  // A tab that slept looks at once, but not more than once a second however often it is shown.
  #wake() {
    if (!document.hidden && Date.now() - this.#polledAt > 1000) this.poll();
  }

  async poll() {
    clearTimeout(this.#timer);
    this.#polledAt = Date.now();
    try {
      const response = await fetch(this.url, { signal: AbortSignal.timeout(8000) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      this.#accept(await readStatus(await response.text(), this.verify));
      this.#failures = 0;
    } catch {
      this.#failures += 1;
    }
    for (const listener of this.#listeners) listener(this);
    if (this.#running) this.#timer = setTimeout(() => this.poll(), this.#delay());
  }

  #accept(next) {
    if (this.status && next.beat < this.status.beat) throw new Error('lower beat');
    this.#moves = noted(this.#moves, next);
    this.status = next;
    this.clock.observeStatus(next, Date.now());
  }

  #delay() {
    const backoff = Math.min(1000 * 2 ** this.#failures, 30_000);
    const regular = this.status ? pollDelay(this.status, this.place, this.clock.now()) : 1000;
    return jitter(this.#failures ? Math.max(regular, backoff) : regular);
  }
}
