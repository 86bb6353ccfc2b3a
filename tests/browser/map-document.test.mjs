// The pages' reader of the seat map against the vectors that the Rust writer has written; without a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { fromHex } from '../../edge-worker/pages/assets/js/bytes.js';
import { DocumentError, readDocument } from '../../edge-worker/pages/assets/js/map/document.js';
import { SeatStates } from '../../edge-worker/pages/assets/js/map/states.js';

const golden = JSON.parse(readFileSync(new URL('../../domain/golden/seatmap-documents.json', import.meta.url)).toString());

/** The layout of a vector, its sections not in the order of their ids. */
function layoutOf({ rows, pools }) {
  const sections = rows.map((seats, n) => ({ id: `S${String(n).padStart(3, '0')}`, rows: seats.map((count) => ({ count })), count: seats.reduce((sum, count) => sum + count, 0) })).reverse();
  let total = 0;
  for (const section of sections) [section.first, total] = [total, total + section.count];
  return { sections, total, levels: [], pools: pools.map((_, n) => ({ id: `P${n}` })).reverse() };
}

test('a hundred maps are read as they were written', () => {
  assert.equal(golden.length, 100);
  for (const vector of golden) {
    const map = readDocument(fromHex(vector.bytes), layoutOf(vector));
    const read = { version: map.version, whole: map.whole, sections: map.sections.map(({ id }) => Number(id.slice(1))), pools: vector.pools.map((_, n) => map.pools[`P${n}`]), states: [...map.states].join(''), kept: map.kept };
    for (const [name, value] of Object.entries(read)) assert.deepEqual(value, vector[name], `${name} of ${vector.bytes}`);
  }
});

test('a fan sees the seats of its channels as free, others as blocked', () => {
  const vector = golden.find(({ whole, kept }) => whole && kept.length > 3);
  const layout = layoutOf(vector);
  const [own] = vector.kept[0].slice(1);
  const [states, fan] = [new SeatStates(layout), new SeatStates(layout, [own])];
  for (const one of [states, fan]) one.apply(fromHex(vector.bytes));
  const sections = [...layout.sections].sort((a, b) => (a.id < b.id ? -1 : 1));
  const numbers = sections.flatMap((section) => Array.from({ length: section.count }, (_, i) => section.first + i));
  numbers.forEach((seat, at) => assert.equal(states.of[seat], Number(vector.states[at]), `seat ${seat}`));
  for (const [at, channel] of vector.kept) assert.equal(fan.of[numbers[at]], channel === own ? 0 : 3, `seat ${numbers[at]}`);
});

test('bytes that are no map are refused, whatever they are, and nothing of them is taken', () => {
  let seed = 1;
  const dice = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor((seed / 2147483648) * below); };
  let [refused, slowest] = [0, 0];
  for (let n = 0; n < 100_000; n += 1) {
    const vector = golden[n % 100];
    const good = fromHex(vector.bytes);
    let bad = good.slice();
    if (n % 5 === 0) bad = bad.slice(0, dice(bad.length));
    else if (n % 5 === 1) bad = Uint8Array.from(bad, (byte, i) => (i < 4 ? byte : dice(256)));
    else bad[dice(bad.length)] ^= 1 << dice(8);
    const layout = layoutOf(vector);
    const states = new SeatStates(layout);
    const start = performance.now();
    try {
      states.apply(bad);
      assert.deepEqual(readDocument(bad, layout), readDocument(good, layout), `case ${n}: other bytes, another map`);
    } catch (error) {
      assert.ok(error instanceof DocumentError, `case ${n}: ${error}`);
      assert.equal(states.version, null);
      refused += 1;
    }
    slowest = Math.max(slowest, performance.now() - start);
  }
  assert.ok(refused > 80_000 && slowest < 500, `${refused} refused, slowest ${slowest} ms`);
  assert.throws(() => readDocument(fromHex(golden[2].bytes), layoutOf(golden[4])), DocumentError, 'of another layout');
});
