// Which seats are free, as the seat map says, in plan order.

import { readDocument } from './document.js';

export const FREE = 0;
export const HELD = 1;
export const SOLD = 2;
export const BLOCKED = 3;

/** The live state of every seat and pool. Starts with everything blocked: nothing is offered before the map came. */
export class SeatStates {
  version = null;
  pools = {};
  #counts = [];

  /** @param {object} layout @param {string[]} [channels] those whose seats this fan may take */
  constructor(layout, channels = []) {
    this.layout = layout;
    this.channels = channels;
    this.of = new Uint8Array(layout.total).fill(BLOCKED);
  }

  /** Takes a seat map answer's bytes. Throws DocumentError where they are none of this layout; then nothing changes. */
  apply(bytes) {
    const map = readDocument(bytes, this.layout);
    for (const [at, channel] of map.kept) if (this.channels.includes(channel)) map.states[at] = FREE;
    let from = 0;
    for (const section of map.sections) {
      this.of.set(map.states.subarray(from, from + section.count), section.first);
      from += section.count;
    }
    this.#counts = [];
    this.pools = map.pools;
    this.version = map.version;
  }

  /** Takes counts while the map does not come: sections and pools show them, seats stay as they were. */
  applyCounts({ sections, pools }) {
    this.pools = pools;
    this.#counts = this.layout.sections.map(({ id }) => {
      const levels = this.layout.levels.map((level) => sections[id]?.[level.id] ?? 0);
      return { free: levels.reduce((sum, n) => sum + n, 0), levels };
    });
  }

  /** Marks seats as taken before the map says so, after a refusal that named them. */
  markTaken(seats) {
    this.#counts = [];
    for (const seat of seats) if (this.of[seat] === FREE) this.of[seat] = HELD;
  }

  /** Free seats of one section, in all and by price level. Counted once for each map. */
  freeIn(section) {
    return (this.#counts[section.index] ??= this.#count(section));
  }

  #count(section) {
    const levels = new Array(this.layout.levels.length).fill(0);
    let free = 0;
    for (let i = section.first; i < section.first + section.count; i += 1) {
      if (this.of[i] !== FREE) continue;
      free += 1;
      levels[this.layout.level[i]] += 1;
    }
    return { free, levels };
  }
}
