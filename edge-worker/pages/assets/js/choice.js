// What the fan is choosing, before any request: seats by number, standing places by pool.

import { FREE } from './map/states.js';

export class Choice extends EventTarget {
  seats = new Set();
  pools = new Map();

  /** @param {import('./map/states.js').SeatStates} states @param {number} limit tickets an account may have */
  constructor(states, limit) {
    super();
    Object.assign(this, { states, limit });
  }

  /** Tickets chosen in all. */
  get count() {
    return this.seats.size + [...this.pools.values()].reduce((a, b) => a + b, 0);
  }

  /** Adds or removes a seat. @returns {'added'|'removed'|'taken'|'limit'} */
  toggle(seat) {
    if (this.seats.delete(seat)) return this.#changed('removed');
    if (this.states.of[seat] !== FREE) return 'taken';
    if (this.count >= this.limit) return 'limit';
    this.seats.add(seat);
    return this.#changed('added');
  }

  /** Sets the quantity of a pool, at most what the limit leaves. @returns {number} the quantity now */
  setPool(pool, quantity) {
    const others = this.count - (this.pools.get(pool) ?? 0);
    const allowed = Math.max(0, Math.min(quantity, this.limit - others));
    if (allowed) this.pools.set(pool, allowed);
    else this.pools.delete(pool);
    this.#changed();
    return allowed;
  }

  /** Drops seats that are not free any more. @returns {number[]} the dropped ones */
  dropTaken() {
    const gone = [...this.seats].filter((seat) => this.states.of[seat] !== FREE);
    gone.forEach((seat) => this.seats.delete(seat));
    if (gone.length) this.#changed();
    return gone;
  }

  clear() {
    this.seats.clear();
    this.pools.clear();
    this.#changed();
  }

  #changed(result) {
    this.dispatchEvent(new Event('change'));
    return result;
  }
}
