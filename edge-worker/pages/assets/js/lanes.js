// Lanes: a fan in one sees its numbers, not the main line's. Pure, but for the calls of a registration.

import { request } from './api.js';
import { enter } from './door.js';

/** The event's lane of this number, or null for the main line. */
export const laneOf = (event, number) => (number ? event.lanes?.[number - 1] ?? null : null);

/**
 * The status as it reads for places of a lane: its own admitted and given, and its share of the rate. Others may need less than
 * theirs, so the lane moves at that rate at least.
 * @param {{lanes?: Array<{share_percent: number}>}} event @param {object|null} status @param {number} lane
 */
export function statusOf(event, status, lane) {
  const own = laneOf(event, lane);
  if (!status || !own) return status;
  const [admitted, given] = status.lanes?.[lane - 1] ?? [0, 0];
  return { ...status, admitted, given, rate: Math.max(1, Math.floor((status.rate * own.share_percent) / 100)) };
}

/** Where a registration stands by the clock: 'before', 'open' or 'over'. */
export function registrationStage({ opens_at_ms: opens, draws_at_ms: draws }, now) {
  if (now < opens) return 'before';
  return now < draws ? 'open' : 'over';
}

/** The account's registration: `{rank, withdrawn, invited, invited_up_to, lane}`. */
export class Registration {
  /** null while nothing is known, or there is none. */
  state = null;
  /** Changes so far. A look that began before the last of them tells what was true before it. */
  #changes = 0;

  constructor(base) {
    this.base = base;
  }

  /** How it stands; nothing changes. An account that did not register has none. */
  async load() {
    const before = this.#changes;
    const found = await this.#found();
    if (this.#changes === before) this.state = found;
    return this.state;
  }

  async #found() {
    try {
      return (await request('GET', `${this.base}/registration`)).body;
    } catch (error) {
      if (!['PLACE_REQUIRED', 'ACCOUNT_REQUIRED'].includes(error.code)) throw error;
      return null;
    }
  }

  /** Registers, through the door. Throws ApiError. */
  async register(door) {
    this.#changed(await enter(this.base, {}, door, 'registration'));
  }

  /** Withdraws. Throws ApiError. */
  async withdraw() {
    this.#changed((await request('DELETE', `${this.base}/registration`)).body);
  }

  #changed(state) {
    this.state = state;
    this.#changes += 1;
  }
}
