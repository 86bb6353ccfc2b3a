// The waiting list for seats that come back: how this account stands on it, and what it is offered.
// An offer is a hold, and comes with a cookie that opens the shop until the offer ends.

import { ApiError, jitter, newKey, patient } from './api.js';

/** Between two looks while the page is seen, and while it is not, in ms. */
const SEEN_MS = 10_000;
const UNSEEN_MS = 60_000;

export class WaitingList {
  /** The worker's answer, or null: not on the list. */
  entry = null;
  /** False until the worker has said how the account stands. */
  known = false;
  #askAt = 0;
  #saidAt = 0;
  /** Changes so far. A look that began before the last of them tells what was true before it. */
  #changes = 0;

  /** @param {string} base address of the event's API */
  constructor(base) {
    this.base = base;
  }

  /** waiting, offered, taken or lapsed; null when not on the list. */
  get state() {
    return this.entry?.state ?? null;
  }

  /**
   * How much of an offer's time is left, in ms; 0 where nothing is offered. Counted from the worker's last word: never more than
   * there is. Where event time stood meanwhile there is more, and the next look says so.
   */
  left(now = Date.now()) {
    return this.state === 'offered' ? Math.max(0, this.entry.remaining_ms - (now - this.#saidAt)) : 0;
  }

  /** Whether it is time for another look. */
  due(now = Date.now()) {
    return now >= this.#askAt;
  }

  /** Looks how the account stands. Throws ApiError where that stays unknown. */
  async look() {
    this.#again();
    const [asked, before] = [Date.now(), this.#changes];
    const entry = await this.#found();
    if (this.#changes !== before) return;
    this.entry = entry;
    this.#saidAt = asked;
    this.known = true;
  }

  async #found() {
    try {
      return (await this.#ask('GET')).body;
    } catch (error) {
      if (error.code !== 'NOT_FOUND') throw error;
      return null;
    }
  }

  /** Waits for so many seats. */
  async join(quantity) {
    this.#changed((await this.#ask('POST', { body: { quantity }, key: newKey() })).body);
  }

  /** Waits no more; an offer that stands is given back. */
  async leave() {
    await this.#ask('DELETE', { key: newKey() });
    this.#changed(null);
  }

  #changed(entry) {
    this.entry = entry;
    this.known = true;
    this.#changes += 1;
    this.#again();
  }

  #again() {
    this.#askAt = Date.now() + jitter(document.hidden ? UNSEEN_MS : SEEN_MS);
  }

  /** Where this device has no access token any more, the place shows that the turn came. */
  async #ask(method, options) {
    try {
      return await patient(method, `${this.base}/waiting`, options);
    } catch (error) {
      if (!(error instanceof ApiError) || !['ACCESS_REQUIRED', 'ACCESS_INVALID'].includes(error.code)) throw error;
      await patient('POST', `${this.base}/admission`, { body: { ended: true } });
      return patient(method, `${this.base}/waiting`, options);
    }
  }
}
