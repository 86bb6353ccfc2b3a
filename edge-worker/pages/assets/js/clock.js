// Server time and event time on a device whose clock may be wrong. Pure: the device's time is an argument.

/** Poll of 2 s with jitter, a copy of a second, a beat and its pulse. */
const SHOWN_RUN_MS = 6000;

/**
 * Bounds the difference between the server's clock and the device's. Every answer narrows the bounds; the device
 * is believed while it lies within them. Bounds that contradict each other (the device's clock was set) start anew.
 */
export class ServerClock {
  #low = -Infinity;
  #high = Infinity;
  #triple = null;

  /** A Date header has whole seconds: the server's time was in [date, date + 1 s) between sending and receiving. */
  observe(sentMs, receivedMs, dateHeader) {
    const date = Date.parse(dateHeader ?? '');
    if (Number.isNaN(date)) return;
    this.#narrow(date - receivedMs, date + 1000 - sentMs);
  }

  /** The status carries the wall time of its beat: the server is at least there now. */
  observeStatus(status, receivedMs) {
    const [wall, event, run] = status.clock;
    const lively = run > 0 && status.phase !== 'paused' && status.phase !== 'stopped';
    this.#triple = { wall, event, runs: lively ? Math.max(run, SHOWN_RUN_MS) : run };
    this.#narrow(wall - receivedMs, Infinity);
  }

  #narrow(low, high) {
    const next = [Math.max(this.#low, low), Math.min(this.#high, high)];
    [this.#low, this.#high] = next[0] <= next[1] ? next : [low, high];
  }

  /** Server time minus device time, in ms. */
  get offsetMs() {
    return Math.min(Math.max(0, this.#low), this.#high);
  }

  /** @param {number} deviceMs */
  now(deviceMs = Date.now()) {
    return deviceMs + this.offsetMs;
  }

  /**
   * Event time, null before the first status. At the origin it runs for 3 s after a beat; a page hears of a beat later than
   * that, so what it shows runs a little longer: the time left that is shown is never more than there is.
   */
  eventNow(deviceMs = Date.now()) {
    if (!this.#triple) return null;
    const { wall, event, runs } = this.#triple;
    return event + Math.min(Math.max(0, this.now(deviceMs) - wall), runs);
  }

  /** True if event time moves right now. */
  running(deviceMs = Date.now()) {
    return this.#triple !== null && this.now(deviceMs) - this.#triple.wall < this.#triple.runs;
  }
}
