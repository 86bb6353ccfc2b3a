// What a place may expect, said honestly. Pure: the same figures that the line itself acts on, and what they mean.

/** Places are seen to move for this long before their own speed is believed, in ms of server time. */
const SPEED_AFTER_MS = 60_000;
/** The speed is that of this last stretch. */
const SPEED_OVER_MS = 180_000;
/** A wait is said to have risen when it is longer than before by this much. */
const RISEN_BY = 1.25;
const RISEN_MS = 120_000;

/**
 * How fast the line really moves, from statuses seen so far: places a minute, or null while too little was seen.
 * @param {Array<{at: number, admitted: number}>} seen oldest first, server time of the beat
 */
export function speedOf(seen) {
  const last = seen.at(-1);
  const first = last && seen.find(({ at }) => at >= last.at - SPEED_OVER_MS);
  if (!first || last.at - first.at < SPEED_AFTER_MS) return null;
  return ((last.admitted - first.admitted) / (last.at - first.at)) * 60_000;
}

/** Keeps what `speedOf` needs: one note a beat, only while the line is open, as long as it matters. */
export function noted(seen, status) {
  if (status.phase !== 'open') return [];
  const at = status.clock[0];
  if (seen.at(-1)?.at >= at) return seen;
  return [...seen.filter((note) => note.at >= at - 2 * SPEED_OVER_MS), { at, admitted: status.admitted }];
}

/**
 * @param {{ends_at_ms?: number}} event
 * @param {{admitted: number, rate: number, phase: string, turns?: number}} status
 * @param {number} place
 * @param {number} now server time
 * @param {number|null} [speed] see speedOf
 * @returns {{ahead: number, perMinute: number, wait: 'time'|'stands'|'sold_out_before'|'ended_before', waitMs: number|null, odds: 'good'|'tight'|'poor'}}
 *   `wait` says what stands in the place of a time: the line does not move; the stock will most likely be gone, or the
 *   sale be over, before this turn. `odds` is `tight` from half the turns that the stock will last for, `poor` from all of
 *   them on.
 */
export function expectation(event, status, place, now, speed = null) {
  const ahead = Math.max(0, place - status.admitted - 1);
  const perMinute = Math.min(status.rate, speed ?? status.rate);
  const turns = status.turns ?? Infinity;
  const odds = ahead >= turns ? 'poor' : ahead >= turns / 2 ? 'tight' : 'good';
  const waitMs = status.phase === 'open' && perMinute > 0 ? ((ahead + 1) / perMinute) * 60_000 : null;
  const over = waitMs !== null && event.ends_at_ms > 0 && now + waitMs > event.ends_at_ms;
  const wait = odds === 'poor' ? 'sold_out_before' : over ? 'ended_before' : waitMs === null ? 'stands' : 'time';
  return { ahead, perMinute, wait, waitMs: wait === 'time' ? waitMs : null, odds };
}

/** What a person without a number should know: how many have joined, and whether the tickets can last for all who wait. */
export function crowd(status) {
  const joined = status.joined ?? 0;
  const waiting = Math.max(0, joined - status.admitted);
  const turns = status.turns ?? Infinity;
  return { joined, odds: waiting >= 2 * turns && waiting > 0 ? 'poor' : waiting > turns ? 'tight' : 'good' };
}

/**
 * Why the wait that is shown is longer than the one shown before; null if it is not, or not by much. A wait that stands counts
 * as risen when the line stops.
 * @param {{wait: string, waitMs: number|null, rate: number}|null} before
 * @param {{wait: string, waitMs: number|null, rate: number}} after
 * @returns {'stands'|'rate'|'slower'|null}
 */
export function risen(before, after) {
  if (!before || before.wait !== 'time') return null;
  if (after.wait === 'stands') return 'stands';
  if (after.wait !== 'time' || after.waitMs < before.waitMs * RISEN_BY || after.waitMs < before.waitMs + RISEN_MS) return null;
  return after.rate < before.rate ? 'rate' : 'slower';
}
