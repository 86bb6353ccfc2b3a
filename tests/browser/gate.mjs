// A gate's kit and tickets as the tests want them, signed as `domain` does; and QR codes as a camera's pictures.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { encodeQR } from '../../edge-worker/pages/assets/vendor/qr/index.js';

export const HOUR = 3_600_000;
export const DOORS = 1_812_000_000_000;

export const golden = (name) => readFileSync(new URL(`../../domain/golden/${name}`, import.meta.url), 'utf8').trim();

/** The Ed25519 key whose 32 bytes of seed are all `n`. */
function secret(n) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, n)]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** What the edge tells of the event, as far as a gate reads it. */
export function announced({ id = 'stadium-night', keyId = 1, seed = 7 } = {}) {
  return JSON.stringify({ id, name: 'Stadium night', layout_version: 'v1', ticket_keys: [{ id: keyId, key: createPublicKey(secret(seed)).export({ format: 'jwk' }).x }] });
}

/** The plan that the event names: a section with seats in one row, and a pool. */
export function plan({ version = 'v1' } = {}) {
  const seats = Array.from({ length: 9 }, (_, i) => [String(i + 1), 10 * i, 0, 0, 0]);
  const sections = [{ id: 'A', name: 'Ночь — 西側スタンド', x: 0, y: 0, rows: [{ label: '1', seats }] }];
  return JSON.stringify({ version, width: 100, height: 100, levels: [], sections, pools: [{ id: 'floor', name: 'Floor', capacity: 9, level: 0, x: 0, y: 50, w: 10, h: 10 }] });
}

/** A ticket's payload. */
export function signed(seat, revision, { event = 'stadium-night', seed = 7, key = 1, order = 9 } = {}) {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(revision);
  const text = (value) => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);
  const body = Buffer.concat([Buffer.from([1, key]), number, Buffer.alloc(16, order), text(event), text(seat)]);
  const signature = sign(null, Buffer.concat([Buffer.from('onsale/ticket/1\0'), body]), secret(seed));
  return `ONSALE1.${Buffer.concat([body, signature]).toString('base64url')}`;
}

/** Writes a film for Chromium's fake camera: one second of a QR code on grey, or of each of several. */
export function film(path, payloads, [width, height] = [640, 480]) {
  const frames = payloads.flatMap((payload) => Array.from({ length: 10 }, () => frame(payload, width, height)));
  writeFileSync(path, Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), ...frames]));
}

function frame(payload, width, height) {
  const luma = Buffer.alloc(width * height, 150);
  const code = payload ? encodeQR(payload, 'raw', { border: 4 }) : [];
  const scale = Math.floor((height * 0.8) / Math.max(1, code.length));
  const [left, top] = [Math.floor((width - scale * code.length) / 2), Math.floor((height - scale * code.length) / 2)];
  code.forEach((row, y) => row.forEach((dark, x) => {
    for (let dy = 0; dy < scale; dy += 1) luma.fill(dark ? 30 : 225, (top + y * scale + dy) * width + left + x * scale, (top + y * scale + dy) * width + left + (x + 1) * scale);
  }));
  return Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)]);
}
