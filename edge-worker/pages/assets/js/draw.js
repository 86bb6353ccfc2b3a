// "Check my place": from published files to the fan's own number, computed here and compared. Formats: docs/formats.md.

import { bigEndian, concat, fromHash, fromHex, same, toBase64Url, toHex, utf8 } from './bytes.js';
import { sha256 } from './sha2.js';
import { shuffledIndex } from './shuffle.js';

/** From the moment a list is closed to the earliest round that may draw it. */
const LEAD_MS = 3000;

/**
 * The number of one entry, with the steps that lead to it. Null if the draw file does not hold the entry.
 * @param {{n: number, base: number, seed: string, cuts: {shard: number, epoch: number, from: number, to: number}[]}} draw
 * @param {{shard: number, epoch: number, index: number}} entry
 * @returns {{position: number, landed: number, place: number}|null} position and landed count from 0
 */
export function placeInDraw(draw, entry) {
  let before = 0;
  for (const cut of draw.cuts) {
    if (isOf(cut, entry) && entry.index >= cut.from && entry.index < cut.to) return numbered(draw, before + entry.index - cut.from);
    before += cut.to - cut.from;
  }
  return null;
}

const isOf = (cut, entry) => cut.shard === entry.shard && cut.epoch === entry.epoch;

function numbered(draw, position) {
  const landed = shuffledIndex(position, draw.n, fromHash(draw.seed));
  return { position, landed, place: draw.base + landed + 1 };
}

/** True if the draw file's bytes are the ones that the signed status file names. @param {string} hash hex or base64url */
export function isNamedDraw(text, hash) {
  const digest = sha256(utf8(text));
  return hash === toHex(digest) || hash === toBase64Url(digest);
}

/**
 * After the on-sale the secret is published: is it the one committed to, and does it give the seed?
 * @param {object} draw the draw file @param {string|undefined} published the secret, once the event shows it
 * @returns {boolean|null} null while the secret is not published
 */
export function seedFollows(draw, published) {
  if (!published) return null;
  const secret = fromHash(published);
  const roots = draw.cuts.map((cut) => fromHash(cut.root));
  const randomness = draw.beacon ? fromHex(draw.beacon.randomness) : new Uint8Array();
  const seed = sha256(concat(secret, bigEndian(draw.k, 4), bigEndian(draw.n, 8), ...roots, randomness));
  return same(sha256(secret), fromHash(draw.commitment)) && same(seed, fromHash(draw.seed));
}

/** When a round of a beacon's chain is due, in ms. @param {{genesis_s: number, period_s: number}} chain */
export const roundDue = (chain, round) => (chain.genesis_s + (round - 1) * chain.period_s) * 1000;

/** True if the draw took the round that follows from the time its list was closed, and the round's own value. */
export function beaconFits(draw, chain) {
  if (!draw.beacon || !chain) return false;
  const { sealed_ms: sealed, round, signature, randomness } = draw.beacon;
  const first = Math.ceil((sealed + LEAD_MS - chain.genesis_s * 1000) / (chain.period_s * 1000)) + 1;
  return round === first && toHex(sha256(fromHex(signature))) === randomness;
}

/** The hash of the closed list that was published before the round was there, as the draw file of cohort 0 shows it. */
export function sealOf({ event, k, t_ms, n, base, cuts, commitment, beacon }) {
  if (!beacon || k !== 0) return null;
  return toBase64Url(sha256(utf8(JSON.stringify({ event, k, t_ms, n, base, cuts, commitment, sealed_ms: beacon.sealed_ms, round: beacon.round }))));
}

/** True if the Merkle proof shows this very entry under the draw file's root of its log (RFC 9162, 2.1.3.2). */
export function entryProved(proof, draw, entry) {
  const cut = draw.cuts.find((one) => isOf(one, entry));
  if (!cut || proof.k !== draw.k || !isOf(proof, entry) || proof.index !== entry.index || proof.time_ms !== entry.joined_ms || proof.index >= cut.to) return false;
  let [at, last] = [proof.index, cut.to - 1];
  let node = sha256(concat(new Uint8Array([0]), fromHex(proof.pseudonym), bigEndian(proof.time_ms, 8)));
  const join = (left, right) => sha256(concat(new Uint8Array([1]), left, right));
  for (const sibling of proof.path.map(fromHex)) {
    if (last === 0) return false;
    const right = at % 2 === 1 || at === last;
    node = right ? join(sibling, node) : join(node, sibling);
    while (right && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && toHex(node) === cut.root;
}
