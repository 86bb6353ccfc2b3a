// Joining through the door: does what the door asks for, waits when it says so, and never gives up a place by it.
// An arrival stamp lies in an HttpOnly cookie: a retry within its life counts from the first try, by itself.

import { ApiError, jitter, request, sleep } from './api.js';

const CHECKS = new Set(['CHECK_REQUIRED', 'CHECK_FAILED']);
const WAITS = new Set(['LINE_BUSY', 'LINE_UNAVAILABLE', 'SLOW_DOWN', 'NETWORK']);
/** Waits without end would hide a real trouble: after so long without one stamp or limit the error is shown. */
const TRIES = 4;

/**
 * @param {string} base the event's address
 * @param {object} extra more members of the body
 * @param {{check: (problem: object) => Promise<object>, wait: (error: ApiError) => void}} door asks the fan
 * @param {'line'|'registration'} what is joined
 * @returns {Promise<object>} the entry
 */
export async function enter(base, extra, door, what = 'line') {
  let proof;
  for (let failures = 0; ;) {
    try {
      return (await request('POST', `${base}/${what}`, { body: { ...extra, ...(proof && { proof }) } })).body;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (CHECKS.has(error.code)) {
        proof = await door.check(error.problem);
      } else if (WAITS.has(error.code)) {
        const told = error.problem?.retry_after_ms;
        failures = told ? 0 : failures + 1;
        if (failures >= TRIES) throw error;
        door.wait(error);
        await sleep(told ?? jitter(500 * 2 ** failures));
      } else {
        throw error;
      }
    }
  }
}

/** Has a code sent; answers its ticket. Throws ApiError. */
export async function mailCode(base, mail) {
  return (await request('POST', `${base}/door/mail`, { body: { mail } })).body.ticket;
}
