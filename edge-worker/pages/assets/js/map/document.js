// The seat map as it travels: the twin of `domain::map::chart::Document`. Format: docs/formats.md.

import { CodeError, decode } from './code.js';

const MAGIC = [0x53, 0x4d, 1];
const WHOLE = 1;
const FOR_CHANNEL = 4;
const BLOCKED = 3;
const SUM_BYTES = 4;
const TEXT = new TextDecoder();

/** Bytes that are no seat map of this layout. */
export class DocumentError extends Error {}

/** What is left to read. */
class Bytes {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  take(count) {
    if (count > this.bytes.length - this.at) throw new DocumentError('damaged');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Seven bits a byte, the lowest first. */
  number() {
    let number = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const [byte] = this.take(1);
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (number > Number.MAX_SAFE_INTEGER) break;
        return number;
      }
    }
    throw new DocumentError('damaged');
  }

  /** So many things as the number before them says. */
  many(one) {
    const all = [];
    for (let left = this.number(); left > 0; left -= 1) all.push(one(this));
    return all;
  }
}

const byId = (a, b) => (a.id < b.id ? -1 : 1);

/**
 * Reads a seat map. The checksum is over the states, so bytes of another layout are refused as damaged ones are.
 * @param {Uint8Array} bytes
 * @param {{sections: {id: string, rows: {count: number}[]}[], pools: {id: string}[]}} layout
 * @returns {{version: number, whole: boolean, sections: object[], pools: Record<string, number>, states: Uint8Array, kept: [number, string][]}}
 *   `sections` are those of the layout that it has; `states` are theirs, one after the other, as anybody may take the seats;
 *   `kept` are positions in `states` of seats that are free for a channel's buyers
 */
export function readDocument(bytes, layout) {
  try {
    return read(bytes, [...layout.sections].sort(byId), [...layout.pools].sort(byId));
  } catch (error) {
    throw error instanceof CodeError ? new DocumentError(error.message) : error;
  }
}

function read(bytes, sections, pools) {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) throw new DocumentError('no seat map of a known format');
  const from = new Bytes(bytes);
  from.take(MAGIC.length);
  const head = readHead(from, sections, pools);
  const end = bytes.length - SUM_BYTES;
  if (end < from.at) throw new DocumentError('damaged');
  const states = decode(head.sections.map((section) => section.rows.map((row) => row.count)), bytes.subarray(from.at, end));
  const sum = crc32(states, crc32(bytes.subarray(0, from.at)));
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(end) !== sum) throw new DocumentError('not of this layout, or damaged');
  const kept = keepers(states, head.runs, head.channels);
  for (let i = 0; i < states.length; i += 1) if (states[i] === FOR_CHANNEL) states[i] = BLOCKED;
  return { version: head.version, whole: head.whole, sections: head.sections, pools: head.pools, states, kept };
}

function readHead(from, sections, pools) {
  const [flags] = from.take(1);
  const version = from.number();
  if (flags > WHOLE || from.number() !== sections.length) throw new DocumentError('damaged');
  const bits = flags === WHOLE ? null : from.take(Math.ceil(sections.length / 8));
  const isIn = (_, at) => bits === null || ((bits[at >> 3] >> (at & 7)) & 1) === 1;
  const free = from.many((bytes) => bytes.number());
  const channels = from.many((bytes) => TEXT.decode(bytes.take(bytes.number())));
  const runs = channels.length ? from.many((bytes) => [bytes.number(), bytes.number()]) : [];
  if (free.length !== pools.length) throw new DocumentError('not of this layout');
  return { version, whole: flags === WHOLE, sections: sections.filter(isIn), pools: Object.fromEntries(pools.map(({ id }, i) => [id, free[i]])), channels, runs };
}

/** Which channel each seat is kept for. */
function keepers(states, runs, channels) {
  const kept = [];
  let at = -1;
  for (const [channel, seats] of runs) {
    if (channels[channel] === undefined) throw new DocumentError('damaged');
    for (let left = seats; left > 0; left -= 1) {
      at = states.indexOf(FOR_CHANNEL, at + 1);
      if (at < 0) throw new DocumentError('damaged');
      kept.push([at, channels[channel]]);
    }
  }
  if (states.indexOf(FOR_CHANNEL, at + 1) >= 0 || states.some((state) => state > FOR_CHANNEL)) throw new DocumentError('damaged');
  return kept;
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** CRC-32 as of gzip; goes on from that of what comes before. */
export function crc32(bytes, before = 0) {
  let sum = ~before;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return ~sum >>> 0;
}
