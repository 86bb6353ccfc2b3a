// The gate's rules in JavaScript against the frozen files and the table of `domain::gate`; and the files that are kept for it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BadKit, readKit } from '../../edge-worker/pages/assets/js/gate/kit.js';
import { Contradiction, Gate, Scans, line, readScans } from '../../edge-worker/pages/assets/js/gate/gate.js';
import { once } from '../../edge-worker/pages/assets/js/gate/camera.js';
import { claimed } from '../../edge-worker/pages/assets/js/gate/ticket.js';
import { loadLocale } from '../../edge-worker/pages/assets/js/i18n.js';
import { DOORS, HOUR, announced, golden, plan, signed } from './gate.mjs';

const file = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const kit = () => readKit({ event: announced(), list: golden('gate.json') });
const gate = async (device = 'north', scans = new Scans()) => new Gate(device, await kit(), scans);

test('the frozen ticket is read, and no other text than its own is one', () => {
  const text = golden('ticket.txt').trim();
  const { key, revision, event, seat } = claimed(text);
  assert.deepEqual([key, revision, event, seat], [1, 2, 'stadium-night', 'W01-1-7']);
  for (const bad of ['', 'ORDER-17', text.slice(1), text.slice(0, -1), `${text}A`, `${text}=`, text.replace('_', '/'), 'ONSALE1.', 'ONSALE1.AQEA', text.replace('ONSALE1', 'ONSALE2')]) {
    assert.equal(claimed(bad), null, bad);
  }
});

test('the frozen list is used; a forged, foreign or damaged one is not', async () => {
  const { list } = await kit();
  assert.deepEqual([list.event, list.least['A-1-2']], ['stadium-night', 2]);
  const good = golden('gate.json');
  const cases = [
    ['form', announced(), '{}'], ['form', '{', good], ['form', announced(), good.slice(0, -5)], ['event', announced({ id: 'other' }), good],
    ['key', announced({ keyId: 2 }), good], ['signature', announced(), good.replace('"A-1-3":2', '"A-1-3":1')], ['signature', announced({ seed: 8 }), good],
  ];
  for (const [reason, event, text] of cases) await assert.rejects(readKit({ event, list: text }), (error) => error instanceof BadKit && error.reason === reason, reason);
});

test('places are called as on their tickets, by the plan that the event has; a scan keeps the id', async () => {
  globalThis.document ??= { documentElement: {} };
  await loadLocale(['en']);
  const kitWith = (layout) => readKit({ event: announced(), list: golden('gate.json'), layout });
  const { name } = await kitWith(plan());
  assert.equal(name('A-1-3'), 'Ночь — 西側スタンド, row 1, seat 3');
  assert.equal(name('floor/2@CQkJCQkJCQkJCQkJCQkJCQ'), 'Floor, place 2');
  for (const unknown of ['A-1-77', 'balcony/2@CQkJCQkJCQkJCQkJCQkJCQ', '']) assert.equal(name(unknown), unknown);
  assert.equal((await kitWith(undefined)).name('A-1-3'), 'A-1-3', 'a kit of before');
  for (const [reason, text] of [['form', '{'], ['layout', plan({ version: 'v0' })], ['layout', '{"version":"v1"}']]) {
    await assert.rejects(kitWith(text), (error) => error instanceof BadKit && error.reason === reason, text);
  }
  const device = new Gate('north', await kitWith(plan()), new Scans());
  assert.equal((await device.scan(signed('A-1-1', 1), DOORS)).place, 'A-1-1');
});

test('each scan is answered by the first check that fails', async () => {
  const good = signed('A-1-1', 1);
  const table = [
    ['ORDER-17', 0, 'no_ticket'], [good.slice(0, -4), 0, 'no_ticket'], [signed('A-1-1', 1, { event: 'other', seed: 3 }), 0, 'wrong_event'],
    [signed('A-1-1', 1, { key: 2 }), 0, 'unknown_key'], [signed('A-1-4', 1, { seed: 8 }), 0, 'forged'], [good, -1, 'too_early'], [good, 8 * HOUR, 'over'],
    [signed('A-1-2', 1), 0, 'revoked'], [signed('A-1-3', 1), 0, 'revoked'], [signed('floor/1', 1), 0, 'revoked'], [signed('floor/1', 1, { order: 8 }), 0, 'admitted'],
    [signed('A-1-3', 2), 0, 'admitted'], [signed('A-1-2', 2), 0, 'admitted'], [` ${good}\n`, 0, 'admitted'], [good, 1, 'already'],
  ];
  const here = await gate();
  for (const [n, [payload, at, said]] of table.entries()) {
    const scan = await here.scan(payload, DOORS + at);
    assert.deepEqual([scan.said, scan.n], [said, n + 1], payload);
    here.scans.merge(scan);
  }
  assert.equal(here.scans.all().some((scan) => line(scan).includes('ONSALE1')), false, 'no scan holds what the code says');
});

test('two devices that were offline agree on the first scan, whoever meets whom', async () => {
  const [north, south] = [await gate('north'), await gate('south')];
  for (const [device, at] of [[north, 5], [south, 3]]) device.scans.merge(await device.scan(signed('A-1-1', 1), DOORS + at));
  north.scans.merge(await north.scan(signed('A-1-5', 1), DOORS + 6));
  const files = [north, south].map((one) => one.scans.all().map((scan) => `${line(scan)}\n`).join(''));
  for (const order of [[0, 1], [1, 0], [0, 1, 1, 0]]) {
    const all = new Scans(order.flatMap((n) => readScans(files[n])));
    const { tickets, refused, conflicts } = all.report();
    assert.deepEqual([tickets, refused, conflicts.map(({ first, later }) => [first.device, later.length])], [2, 0, [['south', 1]]]);
  }
  const met = await gate('north', new Scans(files.flatMap(readScans)));
  const again = await met.scan(signed('A-1-1', 1), DOORS + 9);
  assert.deepEqual([again.said, again.n, met.scans.first(again).device], ['already', 3, 'south']);
  const other = new Scans(readScans(files[0]));
  assert.throws(() => other.merge({ ...readScans(files[0])[0], at: 1 }), Contradiction);
  for (const bad of ['x', '{}', '[]', '{"device":"a","n":1,"at":1,"list":1,"said":"admitted","payload":"x"}']) assert.throws(() => readScans(bad), bad);
});

test('a device does not go back to an older list', async () => {
  const newer = { device: 'north', n: 1, at: DOORS, list: DOORS, said: 'no_ticket' };
  await assert.rejects(gate('north', new Scans([newer])), (error) => error.reason === 'older');
  await gate('south', new Scans([newer]));
});

test('a code that stays in view is one scan', async () => {
  let now = 0;
  const seen = [];
  const look = once(async (code) => seen.push(code), 2000, () => now);
  for (const [at, code] of [[0, 'a'], [1500, 'a'], [3000, 'a'], [3100, 'b'], [3200, 'a'], [5300, 'a']]) {
    now = at;
    await look(code);
  }
  assert.deepEqual(seen, ['a', 'b', 'a', 'a']);
});

test('what is kept from elsewhere is what it was, and the page keeps every file that it needs', () => {
  for (const [, sum, path] of file('../../edge-worker/pages/assets/vendor/README.md').matchAll(/^ {4}([0-9a-f]{64}) {2}(\S+)$/gm)) {
    assert.equal(createHash('sha256').update(file(`../../edge-worker/pages/assets/vendor/${path}`)).digest('hex'), sum, path);
  }
  const html = file('../../edge-worker/pages/gate.html');
  const named = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((found) => found[1]);
  const kept = [...file('../../edge-worker/pages/gate-worker.js').matchAll(/'(\/[\w/.-]+)'/g)].map((found) => found[1]);
  assert.deepEqual(kept.sort(), ['/gate', '/assets/vendor/qr/decode.js', '/assets/vendor/qr/index.js', ...named].sort());
});
