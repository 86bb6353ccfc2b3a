// Bytes, hex and base64url. Knows no format built of them.

/** @param {string} text hexadecimal, two characters a byte */
export function fromHex(text) {
  if (text.length % 2 || /[^0-9a-f]/i.test(text)) throw new Error('not hexadecimal');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

/** Standard or URL alphabet, with or without padding. */
export function fromBase64(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

/** URL alphabet, no padding. */
export function toBase64Url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Hashes and seeds are written as hex or as base64url of 32 bytes; the length tells which. */
export const fromHash = (text) => (text.length === 64 ? fromHex(text) : fromBase64(text));

/** @param {...Uint8Array} parts */
export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** An unsigned integer in big-endian bytes. */
export function bigEndian(value, length) {
  const out = new Uint8Array(length);
  let rest = BigInt(value);
  for (let i = length - 1; i >= 0; i -= 1) {
    out[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return out;
}

/** True if both hold the same bytes. Not for secrets: it stops at the first difference. */
export const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

export const utf8 = (text) => new TextEncoder().encode(text);
