// What the fan is choosing, before any request: seats by number, standing places by pool.

import { FREE } from './map/states.js';

export class Choice extends EventTarget {
  seats = new Set();
  /** Price types of seats, where another than the usual one was chosen. */
  types = new Map();
  /** How many places of which pool at which price type. */
  pools = new Map();
  /** Seats that a refusal named and that are still free. */
  marked = new Set();

  /** @param {import('./map/states.js').SeatStates} states @param {number} limit tickets an account may have */
  constructor(states, limit) {
    super();
    Object.assign(this, { states, limit });
  }

  /** Tickets chosen in all. */
  get count() {
    return this.seats.size + [...this.pools.values()].reduce((sum, places) => sum + places.quantity, 0);
  }

  /** How many places of a pool at a price type. */
  places(pool, type = null) {
    return this.pools.get(slot(pool, type))?.quantity ?? 0;
  }

  /** Marks seats, or none. */
  mark(seats) {
    this.marked = new Set(seats);
    this.#changed();
  }

  /** Adds or removes a seat. @returns {'added'|'removed'|'taken'|'limit'} */
  toggle(seat) {
    if (this.seats.delete(seat)) {
      this.types.delete(seat);
      this.marked.clear();
      return this.#changed('removed');
    }
    if (this.states.of[seat] !== FREE) return 'taken';
    if (this.count >= this.limit) return 'limit';
    this.seats.add(seat);
    this.marked.clear();
    return this.#changed('added');
  }

  /** Chooses the price type of a seat; null is the usual one. */
  setType(seat, type) {
    if (type === null) this.types.delete(seat);
    else this.types.set(seat, type);
    this.#changed();
  }

  /** Sets the quantity of a pool at a price type, at most what the limit leaves. @returns {number} the quantity now */
  setPool(pool, quantity, type = null) {
    const others = this.count - this.places(pool, type);
    const allowed = Math.max(0, Math.min(quantity, this.limit - others));
    if (allowed) this.pools.set(slot(pool, type), { pool, type, quantity: allowed });
    else this.pools.delete(slot(pool, type));
    this.#changed();
    return allowed;
  }

  /** Drops seats that are not free any more. @returns {number[]} the dropped ones */
  dropTaken() {
    const gone = [...this.seats].filter((seat) => this.states.of[seat] !== FREE);
    gone.forEach((seat) => { this.seats.delete(seat); this.types.delete(seat); });
    if (gone.length) this.#changed();
    return gone;
  }

  clear() {
    for (const part of [this.seats, this.types, this.pools, this.marked]) part.clear();
    this.#changed();
  }

  #changed(result) {
    this.dispatchEvent(new Event('change'));
    return result;
  }
}

const slot = (pool, type) => `${pool} ${type ?? ''}`;
