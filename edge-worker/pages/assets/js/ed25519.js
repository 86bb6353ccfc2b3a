// Ed25519 verification (RFC 8032) for browsers whose WebCrypto lacks it, so that nobody is locked out.
// About 20 ms a signature. It never sees a secret, so it need not run in constant time.

import { concat, fromBase64 } from './bytes.js';
import { sha512 } from './sha2.js';

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);
const BASE = decodePoint(encodedBase());

function mod(a, m = P) {
  const r = a % m;
  return r < 0n ? r + m : r;
}

function power(base, exponent) {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) if (e & 1n) result = (result * b) % P;
  return result;
}

function encodedBase() {
  return Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66));
}

function littleEndian(bytes) {
  return bytes.reduceRight((n, b) => (n << 8n) | BigInt(b), 0n);
}

/** Extended coordinates [X, Y, Z, T], or null if the bytes are no point of the curve. */
function decodePoint(bytes) {
  const raw = littleEndian(bytes);
  const sign = raw >> 255n;
  const y = raw & ((1n << 255n) - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  const x2 = mod(u * power(v, P - 2n));
  let x = power(x2, (P + 3n) / 8n);
  if (mod(x * x - x2) !== 0n) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x - x2) !== 0n || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = mod(-x);
  return [x, y, 1n, mod(x * y)];
}

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function multiply(point, scalar) {
  let result = [0n, 1n, 1n, 0n];
  for (let q = point, s = scalar; s > 0n; s >>= 1n, q = add(q, q)) if (s & 1n) result = add(result, q);
  return result;
}

const equal = ([x1, y1, z1], [x2, y2, z2]) => mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n;

/** The bundled verifier. All arguments are bytes. */
export function verifyInScript(key, signature, message) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const a = decodePoint(key);
  const r = decodePoint(signature.slice(0, 32));
  const s = littleEndian(signature.slice(32));
  if (!a || !r || s >= ORDER) return false;
  const k = littleEndian(sha512(concat(signature.slice(0, 32), key, message))) % ORDER;
  return equal(multiply(BASE, s), add(r, multiply(a, k)));
}

/** How often an unknown signature makes a page read the event again, at most. */
const RELOAD_MS = 10_000;

/**
 * A verifier for any of an event's public keys. The organiser may change keys while a page is open: a signature of none of
 * them makes it read the event again.
 * @param {{key: string}[]} keys @param {() => Promise<{key: string}[]>} reload
 */
export function keyring(keys, reload) {
  const open = (list) => Promise.all(list.map(({ key }) => verifier(key)));
  let ring = open(keys);
  let reloadedAt = -Infinity;
  const known = async (signature, message) => {
    for (const verify of await ring) if (await verify(signature, message)) return true;
    return false;
  };
  return async (signature, message) => {
    if (await known(signature, message)) return true;
    if (Date.now() - reloadedAt < RELOAD_MS) return false;
    reloadedAt = Date.now();
    ring = open(await reload());
    return known(signature, message);
  };
}

/**
 * A verifier for one public key: WebCrypto where it knows Ed25519, the bundled one elsewhere.
 * @param {string} publicKey base64url of 32 bytes
 * @returns {Promise<(signature: Uint8Array, message: Uint8Array) => Promise<boolean>>}
 */
export async function verifier(publicKey) {
  const raw = fromBase64(publicKey);
  try {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
    return (signature, message) => crypto.subtle.verify({ name: 'Ed25519' }, key, signature, message);
  } catch {
    return async (signature, message) => verifyInScript(raw, signature, message);
  }
}
