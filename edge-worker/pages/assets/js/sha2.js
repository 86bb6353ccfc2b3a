// SHA-256 and SHA-512 (FIPS 180-4), synchronous: WebCrypto is absent on plain-HTTP pages and asynchronous
// elsewhere, and the draw needs 180 tiny hashes in a row.

const PRIMES = firstPrimes(80);
const K256 = PRIMES.slice(0, 64).map((p) => Number(fraction(p, 3n, 32n)));
const H256 = PRIMES.slice(0, 8).map((p) => Number(fraction(p, 2n, 32n)));
const K512 = PRIMES.map((p) => fraction(p, 3n, 64n));
const H512 = PRIMES.slice(0, 8).map((p) => fraction(p, 2n, 64n));

function firstPrimes(count) {
  const found = [];
  for (let n = 2n; found.length < count; n += 1n) if (found.every((p) => n % p)) found.push(n);
  return found;
}

/** The first `bits` bits of the fractional part of the `root`-th root of p: the constants' definition. */
function fraction(p, root, bits) {
  const target = p << (root * bits);
  let x = 1n << (bits + 5n);
  for (;;) {
    const next = ((root - 1n) * x + target / x ** (root - 1n)) / root;
    if (next >= x) break;
    x = next;
  }
  return x & ((1n << bits) - 1n);
}

function padded(bytes, block) {
  const tail = block / 8;
  const out = new Uint8Array(Math.ceil((bytes.length + 1 + tail) / block) * block);
  out.set(bytes);
  out[bytes.length] = 0x80;
  new DataView(out.buffer).setBigUint64(out.length - 8, BigInt(bytes.length) * 8n);
  return new DataView(out.buffer);
}

const rotr = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256(bytes) {
  const data = padded(bytes, 64);
  const state = Int32Array.from(H256);
  const w = new Int32Array(64);
  for (let at = 0; at < data.byteLength; at += 64) round256(state, w, data, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((v, i) => out.setInt32(4 * i, v));
  return new Uint8Array(out.buffer);
}

function round256(state, w, data, at) {
  for (let i = 0; i < 16; i += 1) w[i] = data.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const t1 = (h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + K256[i] + w[i]) | 0;
    const t2 = ((rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((v, i) => { state[i] += v; });
}

const MASK = (1n << 64n) - 1n;
const rotr64 = (x, n) => ((x >> n) | (x << (64n - n))) & MASK;

/** @param {Uint8Array} bytes @returns {Uint8Array} 64 bytes */
export function sha512(bytes) {
  const data = padded(bytes, 128);
  const state = [...H512];
  for (let at = 0; at < data.byteLength; at += 128) round512(state, data, at);
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((v, i) => out.setBigUint64(8 * i, v));
  return new Uint8Array(out.buffer);
}

function round512(state, data, at) {
  const w = Array.from({ length: 16 }, (_, i) => data.getBigUint64(at + 8 * i));
  for (let i = 16; i < 80; i += 1) {
    const s0 = rotr64(w[i - 15], 1n) ^ rotr64(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
    const s1 = rotr64(w[i - 2], 19n) ^ rotr64(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & MASK;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; i += 1) {
    const sum1 = rotr64(e, 14n) ^ rotr64(e, 18n) ^ rotr64(e, 41n);
    const t1 = h + sum1 + ((e & f) ^ ((e ^ MASK) & g)) + K512[i] + w[i];
    const t2 = (rotr64(a, 28n) ^ rotr64(a, 34n) ^ rotr64(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK, c, b, a, (t1 + t2) & MASK];
  }
  [a, b, c, d, e, f, g, h].forEach((v, i) => { state[i] = (state[i] + v) & MASK; });
}
