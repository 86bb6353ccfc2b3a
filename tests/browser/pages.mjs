// The real pages in front of made-up answers: statuses are signed with a key of the test's own, so each state of an on-sale
// can be looked at without waiting for it. What the worker answers is tested elsewhere; here it is what people read.

import { generateKeyPairSync, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { crc32 } from '../../edge-worker/pages/assets/js/map/document.js';

const PAGES = fileURLToPath(new URL('../../edge-worker/pages', import.meta.url));
const KINDS = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/** A seat map on which every seat of a layout without pools is free. */
export function freeMap(layout) {
  const head = Uint8Array.from([0x53, 0x4d, 1, 1, 1, layout.sections.length, 0, 0]);
  const seats = layout.sections.flatMap((section) => section.rows).reduce((sum, row) => sum + row.seats.length, 0);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(new Uint8Array(seats), crc32(head)));
  return Buffer.concat([head, Uint8Array.of(1), sum]);
}

const key = generateKeyPairSync('ed25519');
const OPENED = Date.now() - 600_000;
const LEVELS = ['front', 'back'].map((id) => ({ id, name: id === 'front' ? 'Front' : 'Back', price_minor: 5000, fee_minor: 500, total_minor: 5500 }));

/** A place server: `state` says how the on-sale stands and may be changed at any time. */
export async function pages(state) {
  const server = createServer((request, response) => answer(state, request, response).catch((error) => response.writeHead(500).end(String(error))));
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The status file of a state, signed; `state.forge` spoils the signature. */
export function statusFile(state) {
  const now = Date.now();
  const status = {
    v: 1, event: 'demo', beat: 100, phase: 'open', clock: [now, now, 3000], opens: OPENED, admitted: 1000, given: 90_000,
    joined: 90_000, turns: 50_000, moved: now - 1000, rate: 600, bands: { front: 'many', back: 'many' }, draw: null, rev: 0,
    why: null, msg: null, fresh: now + 5000, next: 500, ...state.status,
  };
  const body = JSON.stringify(status).slice(0, -1);
  const signature = sign(null, Buffer.from(state.forge ? `${body} ` : body), key.privateKey).toString('base64url');
  return `${body},"sig":"${signature}"}`;
}

function event(state) {
  return {
    id: 'demo', name: 'Night of the river', venue: 'Arena', zone: 'Europe/Berlin', currency: 'EUR', max_per_account: 6, session_ms: 900_000,
    opens_at_ms: OPENED, ends_at_ms: Date.now() + 86_400_000, levels: LEVELS, pools: [], commitment: '00'.repeat(32),
    status_keys: [{ id: 1, key: key.publicKey.export({ format: 'jwk' }).x }], sign_in: ['name'], ...state.event,
  };
}

async function answer(state, request, response) {
  const path = new URL(request.url, 'http://any').pathname;
  const json = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  if (path.endsWith('/status.json')) return json(200, statusFile(state));
  if (path === '/v1/events') return json(...state.search(new URL(request.url, 'http://any').searchParams));
  if (path === '/v1/events/demo') return json(200, event(state));
  if (path.endsWith('/line') && state.lineFails) return json(500, { code: 'INTERNAL' });
  if (path.endsWith('/line')) return state.place === undefined ? json(401, { code: 'PLACE_REQUIRED' }) : json(200, { token: 't', shard: 0, epoch: 1, index: 7, joined_ms: 0, place: state.place, cohort: 1, ask_again_ms: 2000 });
  if (path.endsWith('/waiting') && state.list) return waiting(state, request, json, response);
  if (path.endsWith('/admission') && state.over && !(await bodyOf(request)).ended) return json(403, { code: 'ACCESS_EXPIRED' });
  if (path.endsWith('/admission')) return (state.failures ?? 0) > 0 ? json(state.failures-- % 2 ? 500 : 503, { code: 'INTERNAL' }) : json(200, { session: 's', expires_ms: Date.now() + 900_000 });
  if (path.startsWith('/v1/operator/')) return operate(state, request, json);
  if (path.startsWith('/v1/events/demo/orders/') && state.order) return orders(state, request, json);
  if (path === '/v1/account' && state.data) return json(...state.data(request.method));
  if (path === '/v1/orders' && state.mine) return json(...state.mine(new URL(request.url, 'http://any').searchParams.get('after')));
  if (state.hold && path.endsWith(`/holds/${state.hold.hold}`)) return request.method === 'GET' ? json(200, state.hold) : json(200, {});
  if (state.shop && path.endsWith('/layout')) return json(200, state.shop.layout);
  if (state.shop && path.endsWith('/seatmap/counts')) return state.shop.counts ? json(200, state.shop.counts) : json(503, { code: 'MAP_UNAVAILABLE' });
  if (state.shop && path.endsWith('/seatmap') && !state.shop.map) return json(503, { code: 'MAP_UNAVAILABLE' });
  if (state.shop && path.endsWith('/seatmap')) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(state.shop.map);
  if (state.shop && path.endsWith('/holds') && request.method === 'POST') return json(...state.shop.hold(await bodyOf(request)));
  if (path.startsWith('/v1/')) return json(503, { code: 'PAUSED' });
  const file = path.startsWith('/assets/') ? path : path === '/' ? '/index.html' : path.startsWith('/operator/') ? '/operator.html' : path === '/orders' ? '/orders.html' : path === '/gate' ? '/gate.html' : path === '/gate-worker.js' ? path : '/event.html';
  return response.writeHead(200, { 'content-type': KINDS[file.split('.').at(-1)] }).end(await readFile(PAGES + file));
}

/** The operator's side: `state.live` is what is seen, `state.calls` what was ordered, `state.refuse` the answer to that. */
async function operate(state, request, json) {
  if (request.headers.authorization !== 'Bearer good') return json(401, { code: 'OPERATOR_REQUIRED' });
  if (request.method === 'GET') return json(200, state.live);
  state.calls.push([request.url.split('/').at(-1), await bodyOf(request)]);
  return state.refuse ? json(409, state.refuse) : json(200, {});
}

/** The waiting list: `state.list` has `entry`, which is what the fan sees or null, and `calls`; `refuse` is the answer to who comes. */
async function waiting({ list }, request, json, response) {
  if (request.method === 'GET') return list.entry ? json(200, { ...list.entry, remaining_ms: list.entry.until_ms && list.entry.until_ms - Date.now() }) : json(404, { code: 'NOT_FOUND' });
  list.calls.push([request.method, request.method === 'POST' ? await bodyOf(request) : null]);
  if (list.refuse) return json(409, list.refuse);
  if (request.method === 'DELETE') {
    list.entry = null;
    return response.writeHead(204).end();
  }
  list.entry = { state: 'waiting', place: 5, quantity: list.calls.at(-1)[1].quantity, ahead: list.ahead ?? 0 };
  return json(201, list.entry);
}

/** The fan's order: `state.order` is what is shown, `state.calls` what was asked to go back, `state.after` the order from then on. */
async function orders(state, request, json) {
  if (request.method === 'GET') return json(200, state.order);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  state.calls.push({ key: request.headers['idempotency-key'], seats: text ? JSON.parse(text).seats : undefined });
  if (state.refuse) return json(409, state.refuse);
  state.order = state.after ?? state.order;
  return json(202, state.order);
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks));
}
