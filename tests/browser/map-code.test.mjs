// The map's decoder for browsers against the vectors that the Rust coder has written; without a browser.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { fromHex } from '../../edge-worker/pages/assets/js/bytes.js';
import { CodeError, decode } from '../../edge-worker/pages/assets/js/map/code.js';

const file = (path) => readFileSync(new URL(path, import.meta.url));
const golden = JSON.parse(file('../../domain/golden/seatmap.json').toString());
const stadium = JSON.parse(gunzipSync(file('../../infra/onsale/demo/stadium-39350.json.gz')).toString()).zones
  .map((zone) => zone.rows.map((row) => row.seats.length));

test('a hundred halls by chance come back, and the worked example', () => {
  assert.equal(golden.small.length, 100);
  for (const { rows, states, code } of [golden.example, ...golden.small]) {
    assert.equal([...decode(rows, fromHex(code))].join(''), states, code);
  }
});

test('the stadium comes back', () => {
  for (const { share, code, sha256 } of golden.stadium) {
    const bytes = fromHex(code);
    const times = Array.from({ length: 20 }, () => {
      const start = performance.now();
      decode(stadium, bytes);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    const states = decode(stadium, bytes);
    assert.equal(createHash('sha256').update(states).digest('hex'), sha256, `${share} taken`);
    console.log(`${states.length} seats, ${share} taken: ${bytes.length} bytes, read in ${times[10].toFixed(1)} ms at the median, ${times[0].toFixed(1)} ms at best`);
  }
});

test('what is no code is refused, whatever it is', () => {
  const good = fromHex(golden.stadium[1].code);
  for (const bytes of ['', '00', '0100', '03000000000000000001', 'ff'.repeat(40)]) assert.throws(() => decode(stadium, fromHex(bytes)), CodeError, bytes);
  for (let i = 0; i < 200; i += 1) {
    const bad = good.slice(0, good.length - (i % 7) * i);
    bad[(i * 7919) % bad.length] ^= 1 << (i % 8);
    // Damage that is not noticed here gives other states, but never too many or too few.
    try {
      assert.equal(decode(stadium, bad).length, 39_350, `case ${i}`);
    } catch (error) {
      assert.ok(error instanceof CodeError, `case ${i}: ${error}`);
    }
  }
});
