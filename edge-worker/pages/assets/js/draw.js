// "Check my place": from the published draw file to the fan's own number, computed here and compared.

import { bigEndian, concat, fromHash, fromHex, same, toBase64Url, toHex, utf8 } from './bytes.js';
import { sha256 } from './sha2.js';
import { shuffledIndex } from './shuffle.js';

/**
 * The number of one entry, with the steps that lead to it. Null if the draw file does not hold the entry.
 * @param {{n: number, base: number, seed: string, cuts: {shard: number, epoch: number, from: number, to: number}[]}} draw
 * @param {{shard: number, epoch: number, index: number}} entry
 * @returns {{position: number, landed: number, place: number}|null} position and landed count from 0
 */
export function placeInDraw(draw, entry) {
  let before = 0;
  for (const cut of draw.cuts) {
    const mine = cut.shard === entry.shard && cut.epoch === entry.epoch;
    if (mine && entry.index >= cut.from && entry.index < cut.to) return numbered(draw, before + entry.index - cut.from);
    before += cut.to - cut.from;
  }
  return null;
}

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
  const beacon = draw.beacon ? fromHex(draw.beacon) : new Uint8Array();
  const seed = sha256(concat(secret, bigEndian(draw.k, 4), bigEndian(draw.n, 8), ...roots, beacon));
  return same(sha256(secret), fromHash(draw.commitment)) && same(seed, fromHash(draw.seed));
}
