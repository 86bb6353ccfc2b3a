// The hold: taken, kept across reloads, extended, given back. One hold an account and event.

import { ApiError, newKey, patient } from './api.js';
import { channelKey } from './channel.js';

export class Holds {
  /** The live hold's JSON, or null. */
  current = null;
  /** The order that an earlier visit's hold became. */
  soldAs = null;

  constructor(eventId) {
    this.event = eventId;
    this.base = `/v1/events/${eventId}`;
    this.slot = `onsale.hold.${eventId}`;
  }

  /** The hold of an earlier visit, if it still lives. */
  async restore(id = localStorage.getItem(this.slot)) {
    if (!id) return null;
    try {
      const { body } = await patient('GET', `${this.base}/holds/${id}`);
      // Paid by another tab, or while the network was gone: the order is where the tickets are.
      this.soldAs = body.state === 'sold' ? (body.order ?? null) : null;
      return this.#keep(body.state === 'live' || body.state === 'claimed' ? body : null);
    } catch (error) {
      if (error instanceof ApiError && error.transient) throw error;
      return this.#keep(null);
    }
  }

  /**
   * Holds seats, standing places or the best available. The key stays the same over retries, so that a lost
   * answer is not a second hold; a hold that exists already replaces the one we know.
   * @param {{seats?: string[], pools?: {pool: string, quantity: number}[], bestAvailable?: object}} wish
   */
  async take(wish) {
    const channel = channelKey(this.event) ?? undefined;
    const body = { ...wish, channel, replaces: this.current?.hold };
    try {
      return this.#keep((await patient('POST', `${this.base}/holds`, { body, key: newKey() })).body);
    } catch (error) {
      // Another tab, or a visit before: show that hold instead of an error.
      if (error.code === 'HOLD_EXISTS' && error.problem.hold) await this.restore(error.problem.hold);
      throw error;
    }
  }

  /** Once, three minutes more. */
  async extend() {
    const path = `${this.base}/holds/${this.current.hold}/extension`;
    const { body } = await patient('POST', path, { body: {}, key: newKey() });
    return this.#keep({ ...this.current, ...body, extended: true });
  }

  async release() {
    const { hold } = this.current;
    await patient('DELETE', `${this.base}/holds/${hold}`, { key: newKey() });
    this.forget();
  }

  /** It ended: sold, expired or gone. */
  forget() {
    this.#keep(null);
  }

  #keep(hold) {
    if (hold) localStorage.setItem(this.slot, hold.hold);
    else localStorage.removeItem(this.slot);
    this.current = hold;
    return hold;
  }
}

/** Pays a hold. @returns {Promise<{status: number, body: object}>} 201 sold, 202 being paid; rejects with 402 or 409 */
export const pay = (eventId, hold, { method, mail }, key) => patient('POST', `/v1/events/${eventId}/orders`, { body: { hold, paymentMethod: method, mail }, key, timeoutMs: 40_000 });

/**
 * Gives an order back: all of it, these seats, or the payment under way. The same key is the same wish, however often it is sent.
 * @param {string[]} [seats] @returns {Promise<object>} the order as it then stands
 */
export const giveBack = async (eventId, order, seats, key = newKey()) => (await patient('POST', `/v1/events/${eventId}/orders/${order}/cancellation`, { body: seats && { seats }, key, timeoutMs: 40_000 })).body;

const ordersSlot = (eventId) => `onsale.orders.${eventId}`;

/** Orders made on this device, so that the event page can lead back to them. The worker checks whose they are. */
export const knownOrders = (eventId) => JSON.parse(localStorage.getItem(ordersSlot(eventId)) ?? '[]');

/** Remembers an order on this device. */
export function rememberOrder(eventId, order) {
  const all = new Set([...knownOrders(eventId), order]);
  localStorage.setItem(ordersSlot(eventId), JSON.stringify([...all].slice(-20)));
}

/** The fan's orders of this event, newest first, whatever device they were made on. */
export const ownOrders = async (eventId) => (await patient('GET', `/v1/events/${eventId}/orders`)).body.orders;

/** An order with its tickets. */
export const getOrder = async (eventId, order) => (await patient('GET', `/v1/events/${eventId}/orders/${order}`)).body;
