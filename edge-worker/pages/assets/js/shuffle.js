// The swap-or-not shuffle of the Ethereum consensus specification (`compute_shuffled_index`, 90 rounds).
// The same function runs in the worker; tests hold both to vectors of two other implementations.

import { concat } from './bytes.js';
import { sha256 } from './sha2.js';

const ROUNDS = 90;

/**
 * Where entry `index` of `count` lands.
 * @param {number} index from 0
 * @param {number} count
 * @param {Uint8Array} seed 32 bytes
 * @returns {number} from 0
 */
export function shuffledIndex(index, count, seed) {
  if (!(index >= 0 && index < count)) throw new RangeError(`index ${index} of ${count}`);
  let at = index;
  for (let round = 0; round < ROUNDS; round += 1) {
    const flip = (pivotOf(round, count, seed) + count - at) % count;
    const position = Math.max(at, flip);
    const source = sha256(concat(seed, Uint8Array.of(round), littleEndian32(Math.floor(position / 256))));
    const bit = (source[Math.floor((position % 256) / 8)] >> (position % 8)) & 1;
    if (bit) at = flip;
  }
  return at;
}

function pivotOf(round, count, seed) {
  const hash = sha256(concat(seed, Uint8Array.of(round)));
  return Number(new DataView(hash.buffer).getBigUint64(0, true) % BigInt(count));
}

function littleEndian32(value) {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, value, true);
  return out;
}
