// The pages' modules without a browser: hashes, shuffle, signatures, draw, status, clock, texts.

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { fromHex } from '../../edge-worker/pages/assets/js/bytes.js';
import { ServerClock } from '../../edge-worker/pages/assets/js/clock.js';
import { beaconFits, entryProved, isNamedDraw, placeInDraw, roundDue, sealOf, seedFollows } from '../../edge-worker/pages/assets/js/draw.js';
import { keyring, verifier, verifyInScript } from '../../edge-worker/pages/assets/js/ed25519.js';
import { crowd, expectation, noted, risen, speedOf } from '../../edge-worker/pages/assets/js/expect.js';
import { Registration } from '../../edge-worker/pages/assets/js/lanes.js';
import { readLayout, seatId, seatNumber } from '../../edge-worker/pages/assets/js/map/layout.js';
import { solve } from '../../edge-worker/pages/assets/js/riddle.js';
import { sha256, sha512 } from '../../edge-worker/pages/assets/js/sha2.js';
import { shuffledIndex } from '../../edge-worker/pages/assets/js/shuffle.js';
import { pollDelay, readStatus } from '../../edge-worker/pages/assets/js/status.js';
import en from '../../edge-worker/pages/assets/locales/en.js';

const file = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const PAGES = '../../edge-worker/pages/assets/';

test('hashes equal those of Node at every padding boundary', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 111, 112, 119, 120, 127, 128, 640]) {
    const bytes = new Uint8Array(randomBytes(length));
    assert.deepEqual(Buffer.from(sha256(bytes)), createHash('sha256').update(bytes).digest(), `SHA-256 of ${length}`);
    assert.deepEqual(Buffer.from(sha512(bytes)), createHash('sha512').update(bytes).digest(), `SHA-512 of ${length}`);
  }
});

test('a riddle is worked out part by part, and stops when it is told to', async () => {
  const work = { riddle: 'AQYB-riddle_', bits: 9, parts: 8 };
  const told = [];
  const answer = await solve(work, (part) => told.push(part), async () => true);
  assert.deepEqual(told, [1, 2, 3, 4, 5, 6, 7, 8]);
  answer.forEach((n, part) => {
    const hash = createHash('sha256').update(`${work.riddle}.${part}.${n}`).digest();
    assert.ok(Math.clz32(hash.readUInt32BE(0)) >= work.bits, `part ${part}`);
  });
  assert.equal(await solve({ ...work, bits: 32 }, () => {}, async () => false), null);
});

test('the shuffle equals the published vectors', () => {
  const vectors = JSON.parse(file('fixtures/shuffle.json'));
  assert.ok(vectors.length >= 20);
  for (const { seed, count, mapping } of vectors) {
    mapping.forEach((want, i) => assert.equal(shuffledIndex(i, count, fromHex(seed)), want, `${seed} ${count} ${i}`));
  }
});

test('the frozen draw file gives the frozen places, and its seed follows from the secret', () => {
  const golden = JSON.parse(file('../../domain/golden/draw.json'));
  const draw = JSON.parse(golden.file);
  assert.ok(isNamedDraw(golden.file, golden.hash));
  assert.ok(!isNamedDraw(`${golden.file} `, golden.hash));
  const entries = draw.cuts.flatMap(({ shard, epoch, from, to }) => Array.from({ length: to - from }, (_, i) => ({ shard, epoch, index: from + i })));
  assert.deepEqual(entries.map((entry) => placeInDraw(draw, entry).place), golden.places);
  assert.equal(placeInDraw(draw, { shard: 0, epoch: 1, index: 0 }), null);
  assert.equal(seedFollows(draw, undefined), null);
  assert.equal(seedFollows(draw, golden.secret), true);
  assert.equal(seedFollows({ ...draw, n: 8 }, golden.secret), false);
  assert.equal(seedFollows(draw, golden.secret.replaceAll('0', '1')), false);
});

test('the frozen draw with a beacon: its round, its seal, its seed and its places', () => {
  const golden = JSON.parse(file('../../domain/golden/draw.json'));
  const { beacon: frozen } = golden;
  const draw = JSON.parse(frozen.file);
  assert.ok(isNamedDraw(frozen.file, frozen.hash));
  assert.equal(sealOf(draw), frozen.seal_hash);
  assert.notEqual(sealOf({ ...draw, n: 8 }), frozen.seal_hash);
  assert.equal(roundDue(frozen, draw.beacon.round) - draw.beacon.sealed_ms, 4500);
  assert.ok(beaconFits(draw, frozen));
  for (const lie of [{ round: 124 }, { sealed_ms: draw.beacon.sealed_ms + 3000 }, { randomness: '00'.repeat(32) }]) {
    assert.ok(!beaconFits({ ...draw, beacon: { ...draw.beacon, ...lie } }, frozen), JSON.stringify(lie));
  }
  assert.equal(seedFollows(draw, golden.secret), true);
  const entries = draw.cuts.flatMap(({ shard, epoch, to }) => Array.from({ length: to }, (_, index) => ({ shard, epoch, index })));
  assert.deepEqual(entries.map((entry) => placeInDraw(draw, entry).place), frozen.places);
});

test('an entry is proved, and no other in its place', () => {
  // Five leaves; the entry is the fourth, so its path goes right, left, right.
  const hash = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const node = (left, right) => hash(Buffer.from([1]), left, right);
  const pseudonym = Buffer.alloc(32, 7);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(1_800_000_000_000n);
  const leaves = [1, 2, 3].map((n) => hash(Buffer.from([0, n])));
  leaves.push(hash(Buffer.from([0]), pseudonym, time), hash(Buffer.from([0, 5])));
  const left = node(leaves[0], leaves[1]);
  const root = node(node(left, node(leaves[2], leaves[3])), leaves[4]).toString('hex');
  const entry = { shard: 1, epoch: 0, index: 3, joined_ms: 1_800_000_000_000 };
  const draw = { k: 0, cuts: [{ shard: 1, epoch: 0, from: 0, to: 5, root }] };
  const path = [leaves[2], left, leaves[4]].map((one) => one.toString('hex'));
  const proof = { shard: 1, epoch: 0, index: 3, time_ms: entry.joined_ms, pseudonym: pseudonym.toString('hex'), k: 0, path };
  assert.ok(entryProved(proof, draw, entry));
  for (const lie of [{ index: 2 }, { time_ms: 1 }, { pseudonym: '00'.repeat(32) }, { k: 1 }, { shard: 0 }, { path: path.slice(1) }, { path: [...path, path[0]] }]) {
    assert.ok(!entryProved({ ...proof, ...lie }, draw, entry), JSON.stringify(lie));
  }
  assert.ok(!entryProved(proof, draw, { ...entry, index: 2 }), 'of somebody else');
});

test('the frozen status file is read; one changed byte is refused', async () => {
  const golden = JSON.parse(file('../../domain/golden/status.json'));
  const verify = await verifier(golden.public_key);
  assert.equal((await readStatus(golden.file, verify)).beat, 77);
  await assert.rejects(readStatus(golden.file.replace('1234', '9234'), verify), /bad signature/);
  await assert.rejects(readStatus(golden.file.replace(/,"sig":.*$/, '}'), verify), /without signature/);
});

test('a page outlives a change of keys: it reads the event again, but not for every bad signature', async () => {
  const golden = JSON.parse(file('../../domain/golden/status.json'));
  const other = { key: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x };
  let reads = 0;
  const reload = async () => { reads += 1; return [other, { key: golden.public_key }]; };
  const verify = keyring([other], reload);
  assert.equal((await readStatus(golden.file, verify)).beat, 77);
  for (let i = 0; i < 3; i += 1) await assert.rejects(readStatus(golden.file.replace('1234', '9234'), verify), /bad signature/);
  assert.equal(reads, 1);
});

test('the bundled verifier agrees with Node', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url'));
  const message = new Uint8Array(randomBytes(300));
  const signature = new Uint8Array(sign(null, message, privateKey));
  assert.equal(verifyInScript(key, signature, message), true);
  for (const at of [0, 31, 32, 63]) {
    const bad = signature.slice();
    bad[at] ^= 1;
    assert.equal(verifyInScript(key, bad, message), false, `byte ${at}`);
  }
  assert.equal(verifyInScript(key, signature, message.slice(1)), false);
});

test('polls are often near the front and seldom far back', () => {
  const status = { next: 2000, phase: 'open', opens: 0, admitted: 1000, rate: 600 };
  const table = [[null, 2000], [900, 2000], [1010, 2000], [3000, 10_000], [100_000, 30_000]];
  for (const [place, want] of table) assert.equal(pollDelay(status, place, 0), want, `place ${place}`);
  assert.equal(pollDelay({ ...status, phase: 'prequeue', opens: 100_000 }, null, 0), 10_000);
  assert.equal(pollDelay({ ...status, phase: 'prequeue', opens: 5000 }, null, 0), 2000);
});

test('event time runs with the beats and stands without them', () => {
  const clock = new ServerClock();
  assert.equal(clock.eventNow(0), null);
  clock.observeStatus({ clock: [10_000, 4000, 3000], phase: 'open' }, 10_000);
  assert.deepEqual([10_000, 11_500, 16_000, 60_000].map((now) => clock.eventNow(now)), [4000, 5500, 10_000, 10_000]);
  assert.deepEqual([clock.running(14_000), clock.running(60_000)], [true, false]);
  clock.observeStatus({ clock: [20_000, 9500, 0], phase: 'paused' }, 20_000);
  assert.deepEqual([clock.eventNow(24_000), clock.running(21_000)], [9500, false], 'paused by the operator');
  clock.observeStatus({ clock: [20_000, 9500, 3000], phase: 'paused' }, 30_000);
  assert.deepEqual([clock.eventNow(30_000), clock.running(30_000)], [12_500, false], 'the origin is out');
});

test('a wrong device clock is corrected, a right one believed', () => {
  const clock = new ServerClock();
  clock.observe(0, 100, new Date(500_000).toUTCString());
  assert.ok(clock.offsetMs >= 499_900 && clock.offsetMs <= 501_000);
  const right = new ServerClock();
  right.observe(500_300, 500_400, new Date(500_000).toUTCString());
  assert.equal(right.offsetMs, 0);
});

test('what a place may expect, by the line, the stock and the end of the sale', () => {
  const status = { admitted: 100, rate: 60, phase: 'open', turns: 2500 };
  const table = [
    // [what, status, place, end, speed] → [ahead, wait, minutes, odds]
    ['near', {}, 201, 0, null, [100, 'time', 101, 'good']],
    ['next', {}, 101, 0, null, [0, 'time', 1, 'good']],
    ['slower than the rate', {}, 201, 0, 30, [100, 'time', 202, 'good']],
    ['faster than the rate cannot be', {}, 201, 0, 600, [100, 'time', 101, 'good']],
    ['half of the tickets', {}, 1351, 0, null, [1250, 'time', 1251, 'tight']],
    ['all of the tickets', {}, 2601, 0, null, [2500, 'sold_out_before', null, 'poor']],
    ['77,658 ahead for 2,500', {}, 77_759, 0, null, [77_658, 'sold_out_before', null, 'poor']],
    ['50,475 minutes', { rate: 2, turns: 1e9 }, 100_000, 3_600_000, null, [99_899, 'ended_before', null, 'good']],
    ['paused', { phase: 'paused' }, 201, 0, null, [100, 'stands', null, 'good']],
    ['stopped and hopeless', { phase: 'stopped' }, 9000, 0, null, [8899, 'sold_out_before', null, 'poor']],
    ['nothing moves though open', {}, 201, 0, 0, [100, 'stands', null, 'good']],
    ['already in', {}, 50, 0, null, [0, 'time', 1, 'good']],
    ['nothing left', { turns: 0 }, 201, 0, null, [100, 'sold_out_before', null, 'poor']],
  ];
  for (const [what, change, place, ends, speed, [ahead, wait, seconds, odds]] of table) {
    const got = expectation({ ends_at_ms: ends }, { ...status, ...change }, place, 0, speed);
    assert.deepEqual([got.ahead, got.wait, got.odds], [ahead, wait, odds], what);
    assert.equal(got.waitMs === null, seconds === null, what);
    if (seconds !== null) assert.ok(Math.abs(got.waitMs / 1000 - seconds) < 1, `${what}: ${got.waitMs}`);
  }
});

test('how many have joined, and whether it can be enough for all', () => {
  for (const [joined, admitted, turns, odds] of [[100, 0, 100, 'good'], [101, 0, 100, 'tight'], [200, 0, 100, 'poor'], [200, 150, 100, 'good'], [0, 0, 0, 'good'], [1, 0, 0, 'poor']]) {
    assert.deepEqual(crowd({ joined, admitted, turns }), { joined, odds }, `${joined} for ${turns}`);
  }
});

test('the speed is what was seen for a minute at least, and forgotten when the line stands', () => {
  let seen = [];
  const beat = (second, admitted, phase = 'open') => { seen = noted(seen, { phase, clock: [second * 1000], admitted }); };
  for (let second = 0; second < 60; second += 2) beat(second, second);
  assert.equal(speedOf(seen), null);
  beat(60, 60);
  assert.equal(speedOf(seen), 60);
  beat(60, 60);
  for (let second = 62; second <= 600; second += 2) beat(second, 60);
  assert.equal(speedOf(seen), 0);
  assert.ok(seen.length < 200);
  beat(602, 60, 'paused');
  assert.deepEqual(seen, []);
});

test('a wait that rose tells why', () => {
  const of = (minutes, rate = 60) => ({ wait: 'time', waitMs: minutes * 60_000, rate });
  const stands = { wait: 'stands', waitMs: null, rate: 60 };
  const table = [[null, of(5), null], [of(5), of(4), null], [of(5), of(6), null], [of(60), of(70), null], [of(5), of(8), 'slower'], [of(5), of(10, 30), 'rate'], [of(5), stands, 'stands'], [stands, of(9), null]];
  for (const [before, after, why] of table) assert.equal(risen(before, after), why, JSON.stringify([before, after]));
});

test('seats have the ids of the API', () => {
  const rows = [{ label: '2', seats: [['7', 1, 1, 0, 0], ['8', 2, 1, 0, 0, 'odd']] }];
  const layout = readLayout({ version: 'v', levels: [], sections: [{ id: 'A', name: 'A', rows }], pools: [] });
  assert.deepEqual([seatId(layout, 0), seatId(layout, 1)], ['A-2-7', 'odd']);
  assert.deepEqual([seatNumber(layout, 'odd'), seatNumber(layout, 'none')], [1, -1]);
});

test('every text that the code asks for is in the English file, and none is unused', () => {
  const sources = ['js', 'js/gate', 'js/map', 'js/views'].flatMap((dir) => readdirSync(new URL(PAGES + dir, import.meta.url)).filter((name) => name.endsWith('.js')).map((name) => file(`${PAGES}${dir}/${name}`)));
  const all = sources.join('\n');
  const base = new Set(Object.keys(en).map((key) => key.replace(/\.(one|other)$/, '')));
  const asked = [...all.matchAll(/\bt\(\s*(?:[^'`()]*\?\s*)?'([a-z_]+(?:\.[A-Za-z0-9_]+)+)'/g)].map((found) => found[1]);
  assert.ok(asked.length > 80);
  for (const key of asked) assert.ok(base.has(key), `no text for ${key}`);
  const quoted = new Set([...all.matchAll(/['"`]([a-z]+\.[A-Za-z0-9_.]+)['"`]/g)].map((found) => found[1]));
  const prefixes = [...all.matchAll(/`([a-z]+\.(?:[a-z]+\.)?)\$\{/g)].map((found) => found[1]).concat('explain.draw.', 'explain.line.');
  for (const key of base) assert.ok(quoted.has(key) || prefixes.some((prefix) => key.startsWith(prefix)), `unused text ${key}`);
});

test('a look that began before registering does not undo it', async (context) => {
  const held = [];
  const json = (status, body) => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  context.mock.method(globalThis, 'fetch', (_, { method }) => (method === 'POST'
    ? Promise.resolve(json(201, { rank: 0 }))
    : new Promise((answer) => held.push(() => answer(json(401, { code: 'PLACE_REQUIRED' }))))));
  const registration = new Registration('/v1/events/demo');
  const looking = registration.load();
  await registration.register({});
  held.shift()();
  assert.deepEqual([await looking, registration.state], [{ rank: 0 }, { rank: 0 }]);
  const again = registration.load();
  held.shift()();
  assert.equal(await again, null, 'its twin: a look that began afterwards is believed');
});

test('each page names all modules it needs, so that they load at once', () => {
  for (const page of ['index', 'event', 'operator', 'orders', 'gate']) {
    const html = file(`../../edge-worker/pages/${page}.html`);
    const named = [...html.matchAll(/"modulepreload" href="\/assets\/([^"]+)"/g)].map((found) => found[1]);
    const needed = new Set();
    const visit = (path) => {
      for (const [, other] of file(PAGES + path).matchAll(/^import [^;]*?from '([^']+)'/gm)) {
        const next = new URL(other, `file:///${path}`).pathname.slice(1);
        if (!needed.has(next)) needed.add(next) && visit(next);
      }
    };
    visit(`js/${page}-page.js`);
    assert.deepEqual(named, [...needed].sort(), page);
  }
});
