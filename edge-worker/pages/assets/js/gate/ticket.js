// What the QR code of a ticket says. The twin of domain::ticket: the same texts are read, all others are none.

import { concat, fromBase64, toBase64Url, utf8 } from '../bytes.js';

const PREFIX = 'ONSALE1.';
const VERSION = 1;
const SIGNATURE = 64;
const DOMAIN = utf8('onsale/ticket/1\0');
const EVENT = /^[a-z0-9][a-z0-9-]{0,39}$/;

/**
 * A payload's content, or null if it is none; **nothing of it is verified**.
 * @returns {{key: number, revision: number, order: string, event: string, seat: string, signed: Uint8Array, signature: Uint8Array}|null}
 */
export function claimed(payload) {
  if (!payload.startsWith(PREFIX)) return null;
  const bytes = strict(payload.slice(PREFIX.length));
  if (!bytes || bytes.length < SIGNATURE) return null;
  const body = bytes.slice(0, -SIGNATURE);
  const content = parse(body);
  return content && { ...content, signed: concat(DOMAIN, body), signature: bytes.slice(-SIGNATURE) };
}

/** The key under which a gate knows a ticket: its seat, or `pool/n@order`, as every order counts its places from 1. */
export const placeOf = ({ seat, order }) => (seat.includes('/') ? `${seat}@${order}` : seat);

/** base64url without padding, and written in the one way that there is. */
export function strict(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = fromBase64(text);
  return toBase64Url(bytes) === text ? bytes : null;
}

function parse(body) {
  if (body.length < 22 || body[0] !== VERSION) return null;
  const event = text(body, 22);
  const seat = event && text(body, event.end);
  if (!seat || seat.end !== body.length || !EVENT.test(event.text)) return null;
  const revision = new DataView(body.buffer, body.byteOffset).getUint32(2);
  return { key: body[1], revision, order: toBase64Url(body.slice(6, 22)), event: event.text, seat: seat.text };
}

/** A length of one byte, then so many bytes of UTF-8. */
function text(body, at) {
  const end = at + 1 + body[at];
  if (at >= body.length || end > body.length) return null;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body.slice(at + 1, end)), end };
  } catch {
    return null;
  }
}
