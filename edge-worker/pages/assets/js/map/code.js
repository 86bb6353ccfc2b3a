// The states of many seats from few bytes: the twin of `domain::map::code`, number for number. Format: docs/formats.md.

const STATES = 8;
const STEP = 8;
const LIKE_LEFT = 8;
const RUN = 4;
const AROUND = 2;
const NONE = STATES;
const LEAST = 2 ** 24;
const MOST = 2 ** 16;

/** Bytes that are no code of these seats. */
export class CodeError extends Error {}

/** A range decoder. Numbers stay below 2^40, so plain numbers hold them. */
class Decoder {
  #bytes;
  #read = 0;
  #code = 0;
  #range = 2 ** 32 - 1;

  constructor(bytes) {
    this.#bytes = bytes;
    for (let i = 0; i < 4; i += 1) this.#shift();
  }

  #shift() {
    this.#code = this.#code * 256 + (this.#bytes[this.#read] ?? 0);
    this.#read += 1;
  }

  /** Where the next symbol lies: a number below `total`. */
  place(total) {
    const place = Math.floor(this.#code / Math.floor(this.#range / total));
    if (place >= total) throw new CodeError('damaged');
    return place;
  }

  /** Steps over the symbol at `from`, `width` wide. */
  take(from, width, total) {
    const step = Math.floor(this.#range / total);
    this.#code -= step * from;
    this.#range = step * width;
    while (this.#range < LEAST) {
      this.#shift();
      this.#range *= 256;
    }
  }

  finish() {
    if (this.#read < this.#bytes.length || this.#bytes.at(-1) === 0) throw new CodeError('damaged');
  }
}

/** How often each state followed each kind of neighbourhood. */
class Counts {
  #alone;
  #of;

  constructor(alone, set) {
    this.#alone = alone;
    this.#of = new Uint32Array((alone ? 1 : (STATES + 1) * RUN * 3) * STATES);
    for (let i = 0; i < this.#of.length; i += 1) {
      const [kind, state] = [Math.floor(i / STATES), i % STATES];
      if (!((set >> state) & 1)) continue;
      this.#of[i] = !alone && Math.floor(kind / (RUN * 3)) === state ? 1 + LIKE_LEFT : 1;
    }
  }

  /** Which kind of seat comes at `at` in the row from `row` on, behind the row from `front` on with `seats` seats. */
  kind(states, row, at, front, seats) {
    if (this.#alone) return 0;
    const left = at > row ? states[at - 1] : NONE;
    let run = 1;
    while (run < RUN && at - run > row && states[at - run - 1] === left) run += 1;
    return (left * RUN + run - 1) * 3 + ahead(states, at - row, front, seats);
  }

  take(kind, decoder) {
    const [of, first] = [this.#of, kind * STATES];
    let total = 0;
    for (let i = first; i < first + STATES; i += 1) total += of[i];
    const place = decoder.place(total);
    let [state, from] = [0, 0];
    while (from + of[first + state] <= place) {
      from += of[first + state];
      state += 1;
    }
    decoder.take(from, of[first + state], total);
    of[first + state] += STEP;
    if (total + STEP > MOST) for (let i = first; i < first + STATES; i += 1) of[i] = (of[i] + 1) >> 1;
    return state;
  }
}

function ahead(states, position, front, seats) {
  if (position >= seats) return 2;
  const end = Math.min(position + AROUND + 1, seats);
  for (let i = Math.max(position - AROUND, 0); i < end; i += 1) if (states[front + i] !== 0) return 1;
  return 0;
}

/**
 * The states of the seats of some sections, in order.
 * @param {number[][]} sections numbers of seats in each row
 * @param {Uint8Array} code
 */
export function decode(sections, code) {
  const states = new Uint8Array(sections.flat().reduce((sum, seats) => sum + seats, 0));
  if (code.length === 0) throw new CodeError('cut off');
  const set = code[0];
  if ((set & (set - 1)) === 0) {
    if (code.length > 1 || (set !== 0) !== (states.length > 0)) throw new CodeError('damaged');
    return states.fill(31 - Math.clz32(set || 1));
  }
  const decoder = new Decoder(code.subarray(1));
  const model = decoder.place(2);
  decoder.take(model, 1, 2);
  const counts = new Counts(model === 0, set);
  let row = 0;
  for (const section of sections) {
    let [front, before] = [0, 0];
    for (const seats of section) {
      for (let at = row; at < row + seats; at += 1) states[at] = counts.take(counts.kind(states, row, at, front, before), decoder);
      [front, before] = [row, seats];
      row += seats;
    }
  }
  decoder.finish();
  return states;
}
