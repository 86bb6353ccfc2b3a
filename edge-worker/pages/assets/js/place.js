// The fan's place: joined once, asked for again after any reload, computed from the draw file for the first cohort.
// What is kept on the device is no secret: the token itself lies in an HttpOnly cookie.

import { ApiError, get, jitter, patient, request } from './api.js';
import { enter } from './door.js';
import { isNamedDraw, placeInDraw } from './draw.js';

export class Place {
  /** {shard, epoch, index, joined_ms, place, cohort} or null. */
  entry = null;
  /** False once the worker said that nobody is signed in. */
  signedIn = null;
  draw = null;
  #askAt = 0;

  constructor(eventId) {
    this.base = `/v1/events/${eventId}`;
  }

  /** The lane that the place is in: 0 is the main line. */
  get lane() {
    return this.entry?.lane ?? 0;
  }

  /** The fan's number, or null while it is not known. */
  get number() {
    return this.entry?.place || null;
  }

  /** Which place has this account? Nothing changes at the worker. @param {(error: ApiError) => void} onTrouble */
  async load(onTrouble) {
    try {
      this.#take((await patient('GET', `${this.base}/line`, {}, { onTrouble })).body);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Joins the line, or a lane by `wish`; the same account gets the same place again. Throws ApiError. @param {object} door see door.js @param {{code?: string, lane?: string}} wish */
  async join(door, wish = {}) {
    try {
      this.#take(await enter(this.base, wish, door));
    } catch (error) {
      if (error.status === 401) this.signedIn = false;
      throw error;
    }
  }

  #take({ token, ...entry }) {
    void token; // The cookie has it.
    this.signedIn = true;
    const moved = this.entry && (this.entry.lane ?? 0) !== (entry.lane ?? 0);
    if (moved) this.draw = null;
    this.entry = moved ? entry : { ...this.entry, ...entry };
    this.#askAt = Date.now() + jitter(Math.max(500, entry.ask_again_ms ?? 1000));
  }

  #refused(error) {
    if (!(error instanceof ApiError)) throw error;
    // An error says nothing against the place: what is known stays.
    if (error.code === 'ACCOUNT_REQUIRED') this.signedIn = false;
    else if (error.code === 'PLACE_REQUIRED') this.signedIn = true;
  }

  /** Learns the number, after a status was read: from the draw file if it can, else by asking when told to. */
  async resolve(status) {
    if (!this.entry || this.number) return;
    // The status names the main line's draw only; a lane's shard tells the number.
    if (status.draw && !this.lane) await this.#fromDraw(status.draw);
    if (!this.number && Date.now() >= this.#askAt) await this.#ask();
  }

  async #fromDraw(hash) {
    const found = await this.fetchDraw(0, hash).then((draw) => draw && placeInDraw(draw, this.entry)).catch(() => null);
    if (found) this.entry = { ...this.entry, place: found.place, cohort: 0 };
  }

  async #ask() {
    this.#askAt = Date.now() + jitter(2000);
    try {
      this.#take((await request('GET', `${this.base}/line`)).body);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** The draw file of cohort k, of the lane with this id if there is one; cohort 0 of the main line must be the one that the signed status names. */
  async fetchDraw(k, hash = null, lane = null) {
    if (this.draw?.k === k) return this.draw;
    const response = await fetch(`${this.base}${lane ? `/lanes/${lane}` : ''}/draw/${k}.json`, { signal: AbortSignal.timeout(15_000) });
    if (!response.ok) throw new ApiError(response.status, { code: 'NO_DRAW' });
    const text = await response.text();
    if (k === 0 && hash && !isNamedDraw(text, hash)) return null;
    this.draw = JSON.parse(text);
    return this.draw;
  }
}

/** Development only: an account by a name. @throws {ApiError} 404 where the worker has no such way */
export async function signIn(name) {
  await request('POST', '/v1/dev/sign-in', { body: { name } });
  localStorage.setItem('onsale.name', name);
}

/** Where the organiser's sign-in begins; it comes back to this page. @param {boolean} again somebody else wants to sign in */
export const signInAt = (again = false) => `/v1/session/start?to=${encodeURIComponent(location.pathname)}${again ? '&again=1' : ''}`;

/** Why the way back from the organiser's sign-in failed: a code, told once, or null. */
export function signInTrouble() {
  const code = new URLSearchParams(location.search).get('sign_in');
  if (code) history.replaceState(null, '', location.pathname);
  return code;
}

/** The name the fan signed in with on this device, or null. For display only. */
export const signedInName = () => localStorage.getItem('onsale.name');

/**
 * Claims the turn and keeps trying: errors at the moment of admission must not cost it (a turn stays claimable).
 * @param {string} eventId @param {(error: ApiError) => void} onTrouble told of each failed try
 * @returns {Promise<{session: string, expires_ms: number}>} rejects only when the answer is final
 */
export async function claimTurn(eventId, onTrouble) {
  for (let wait = 700; ; wait = Math.min(wait * 1.7, 8000)) {
    try {
      return (await request('POST', `/v1/events/${eventId}/admission`, { body: {} })).body;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onTrouble(error);
      if (!error.transient && error.code !== 'NOT_YET') throw error;
      await new Promise((resolve) => { setTimeout(resolve, jitter(wait)); });
    }
  }
}
