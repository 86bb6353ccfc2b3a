// The proof of work: for each part a number n such that SHA-256(riddle.part.n) begins with enough zero bits.
// Works in slices, so that a page or a worker can do other things, and stop, in between.

import { sha256 } from './sha2.js';

const SLICE_MS = 12;
const encoder = new TextEncoder();

/** Whether the first `bits` bits (at most 32) are zero. */
function fits(hash, bits) {
  const first = new DataView(hash.buffer).getUint32(0);
  return Math.clz32(first) >= bits;
}

/**
 * @param {{riddle: string, bits: number, parts: number}} work
 * @param {(part: number, found: number) => void} onPart told after each part
 * @param {() => Promise<boolean>} between asked between slices; false ends the work
 * @returns {Promise<number[]|null>} one number a part, or null if it was ended
 */
export async function solve({ riddle, bits, parts }, onPart, between) {
  const answer = [];
  for (let part = 0; part < parts; part += 1) {
    let n = 0;
    let until = performance.now() + SLICE_MS;
    while (!fits(sha256(encoder.encode(`${riddle}.${part}.${n}`)), bits)) {
      n += 1;
      if (n % 64 === 0 && performance.now() > until) {
        if (!(await between())) return null;
        until = performance.now() + SLICE_MS;
      }
    }
    answer.push(n);
    onPart(part + 1, n);
  }
  return answer;
}
