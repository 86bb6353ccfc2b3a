// Which seats are free, as the seat map says. Two bits a seat, the lowest first, in plan order.

import { fromBase64 } from '../bytes.js';

export const FREE = 0;
export const HELD = 1;
export const SOLD = 2;
export const BLOCKED = 3;

/** Unpacks one section into `out` from `first` on. Seats missing in the bytes count as blocked. */
export function unpack(base64, first, count, out) {
  const bytes = fromBase64(base64);
  for (let i = 0; i < count; i += 1) {
    const byte = bytes[i >> 2];
    out[first + i] = byte === undefined ? BLOCKED : (byte >> (2 * (i & 3))) & 3;
  }
}

/** Frees the seats of a channel: one bit a seat, the lowest first. */
export function open(base64, first, count, out) {
  const bytes = fromBase64(base64);
  for (let i = 0; i < count; i += 1) if ((bytes[i >> 3] >> (i & 7)) & 1) out[first + i] = FREE;
}

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

  /** Takes a seat map answer; false if it brought nothing new. */
  apply(map) {
    if (!map.sections || map.version === this.version) return false;
    for (const section of this.layout.sections) {
      const packed = map.sections[section.id];
      if (!packed) continue;
      unpack(packed.states, section.first, section.count, this.of);
      for (const channel of this.channels) {
        const own = packed.channels?.[channel];
        if (own) open(own, section.first, section.count, this.of);
      }
    }
    this.#counts = [];
    this.pools = map.pools ?? {};
    this.version = map.version;
    return true;
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
