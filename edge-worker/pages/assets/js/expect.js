// What a place may expect, said honestly. Pure.

/** With fewer tickets than this share of those ahead, a place is unlikely to get one. */
const FEW_AHEAD = 2000;

/**
 * @param {{ends_at_ms?: number}} event
 * @param {{admitted: number, rate: number, phase: string, bands: Record<string,string>}} status
 * @param {number} place
 * @param {number} now server time
 * @returns {{ahead: number, waitMs: number|null, beyond: boolean, unlikely: boolean}}
 *   waitMs is null while the line does not move; beyond: the wait ends after the sale does
 */
export function expectation(event, status, place, now) {
  const ahead = Math.max(0, place - status.admitted - 1);
  const moving = status.phase === 'open' && status.rate > 0;
  const waitMs = moving ? ((ahead + 1) / status.rate) * 60_000 : null;
  const beyond = waitMs !== null && event.ends_at_ms > 0 && now + waitMs > event.ends_at_ms;
  const bands = Object.values(status.bands ?? {});
  const scarce = bands.length > 0 && bands.every((band) => band !== 'many');
  return { ahead, waitMs, beyond, unlikely: beyond || (scarce && ahead > FEW_AHEAD) };
}
