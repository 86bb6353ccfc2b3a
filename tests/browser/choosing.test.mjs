// Choosing in the shop: the single-seat rule as a fan meets it, price types in the basket, and what the machine can be asked.
// The pages are real, the answers made up; that the box office gives such answers is tested with the box office.
// ONSALE_SCREENSHOTS names a folder to keep pictures in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freeMap, pages } from './pages.mjs';
import { browser, check, device } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const SEATS_A_ROW = 10;
const type = (id, name, price) => ({ id, name, price_minor: price, fee_minor: price / 10, total_minor: price * 1.1 });
const LEVELS = [
  { ...type('front', 'Front', 9000), color: '#c2410c', types: [] },
  { ...type('back', 'Back', 4000), color: '#2563eb', types: [type('adult', 'Adult', 4000), type('child', 'Child', 2000)] },
];
const rows = (level, y) => Array.from({ length: 3 }, (_, r) => ({
  label: String(r + 1),
  seats: Array.from({ length: SEATS_A_ROW }, (_, n) => [String(n + 1), 20 + 10 * n, y + 10 * r, level, level === 0 && r === 0 && n < 2 ? n + 1 : 0]),
}));
const LAYOUT = {
  version: 'v', width: 140, height: 140, pools: [], levels: LEVELS.map(({ id, name, color, total_minor }) => ({ id, name, color, total_minor })),
  sections: [{ id: 'A', name: 'West', x: 10, y: 10, rows: rows(0, 20) }, { id: 'B', name: 'East', x: 10, y: 80, rows: rows(1, 90) }],
};
const MAP = freeMap(LAYOUT);

const shot = async (page, name) => { if (process.env.ONSALE_SCREENSHOTS) await page.screenshot({ path: `${process.env.ONSALE_SCREENSHOTS}/${name}.png` }); };
const press = (page, n) => page.click(`.seat-button >> nth=${n}`);

/** A hold of what was asked for, at the prices of the levels. */
function held(wish, more = {}) {
  const line = (one) => {
    const id = one.seat ?? one;
    const level = LEVELS[id.startsWith('A') ? 0 : 1];
    const price = level.types.find((of) => of.id === one.type) ?? level;
    return { seat: id, level: level.id, type: one.type ?? level.types[0]?.id ?? null, price_minor: price.price_minor, fee_minor: price.fee_minor, total_minor: price.total_minor };
  };
  const seats = wish.seats.map(line);
  const total = seats.reduce((sum, seat) => sum + seat.total_minor, 0);
  return { hold: 'h'.repeat(22), state: 'live', until_ms: Date.now() + 600_000, remaining_ms: 600_000, extended: false, order: null, together: true, currency: 'EUR', total_minor: total, seats, pools: [], ...more };
}

/** A shop whose box office answers with what `answer` makes of a wish; `asked` has the wishes. */
async function shop(answer, { parts = {}, shows = '.shop .map-canvas', ...options } = {}) {
  const asked = [];
  const hold = (wish) => { asked.push(wish); return answer(wish); };
  const server = await pages({ place: 5, event: { levels: LEVELS, layout_version: 'v' }, shop: Object.assign(parts, { layout: LAYOUT, map: MAP, hold, ...parts }) });
  const fan = await device(chromium, options);
  await fan.page.goto(`${server.url}/e/demo`);
  await fan.page.waitForSelector(shows, { timeout: 60_000 });
  return { ...fan, asked, close: () => { server.close(); fan.noErrors(); } };
}

const refusal = { code: 'ORPHAN_SEATS', status: 409, title: 'no', seats: ['B-1-1'] };

for (const desk of [false, true]) {
  test(`a single seat is named and marked, and can be taken along (${desk ? 'desk' : 'phone'})`, async () => {
    const fan = await shop((wish) => (wish.seats.includes('B-1-1') ? [201, held(wish)] : [409, refusal]), { desk });
    const { page } = fan;
    await page.click('#tab-list');
    await page.selectOption('#list-section', '1');
    for (const n of [1, 2]) await press(page, n);
    await page.selectOption('#list-section', '0');
    await page.click('.basket .button');
    await page.waitForFunction(() => /single seat between others: East, row 1, seat 1\./.test(document.querySelector('.shop > .notice').textContent));
    assert.deepEqual(await page.locator('.seat-button.marked').allTextContents(), ['1'], 'the list goes to it');
    assert.match(await page.getAttribute('.seat-button.marked', 'aria-label'), /East, row 1, seat 1.*would be left single/);
    assert.equal(await page.locator('.basket-lines li').count(), 2, 'what was chosen stays chosen');
    await check(page, 'the refusal');
    await shot(page, `single-list-${desk ? 'desk' : 'phone'}`);
    await page.click('#tab-map');
    await page.waitForTimeout(900);
    await shot(page, `single-map-${desk ? 'desk' : 'phone'}`);
    await page.click('#tab-list');
    await page.click('.seat-button.marked');
    assert.equal(await page.locator('.seat-button.marked').count(), 0, 'a change takes the mark away');
    await page.click('.basket .button');
    await page.waitForSelector('.hold .checkout');
    assert.deepEqual(fan.asked.at(-1).seats.toSorted(), ['B-1-1', 'B-1-2', 'B-1-3']);
    fan.close();
  });
}

test('each seat has its price type, and the basket its all-in sum', async () => {
  const fan = await shop((wish) => [201, held(wish)]);
  const { page } = fan;
  await page.click('#tab-list');
  await press(page, 4);
  await page.selectOption('#list-section', '1');
  for (const n of [0, 1]) await press(page, n);
  assert.equal(await page.locator('.basket .type').count(), 2, 'a level with one price has nothing to choose');
  assert.match(await page.textContent('.basket-total strong'), /187\.00/);
  await page.locator('.basket .type').nth(1).selectOption('child');
  assert.match(await page.textContent('.basket-total strong'), /165\.00/, '99 + 44 + 22');
  assert.match(await page.textContent('.basket-total .quiet'), /15\.00/, 'fees in it');
  await check(page, 'the basket');
  await shot(page, 'types-basket');
  await page.click('.basket .button');
  await page.waitForSelector('.hold .checkout');
  assert.deepEqual(fan.asked[0].seats, ['A-1-5', 'B-1-1', { seat: 'B-1-2', type: 'child' }]);
  assert.match(await page.textContent('.hold .lines tbody'), /Back, Child/);
  await shot(page, 'types-hold');
  fan.close();
});

test('the machine is asked for a section, a level, types and wheelchair places, and tells of a split', async () => {
  const fan = await shop(() => [201, held({ seats: ['B-1-1', 'B-1-2', 'B-2-1', 'B-2-2'] }, { together: false, attempts: 2 })]);
  const { page } = fan;
  await page.click('#tab-quick');
  assert.equal(await page.locator('.quick-types select').count(), 0, 'the levels have not the same types');
  await page.selectOption('#quick-n', '4');
  await page.selectOption('#quick-section', 'B');
  await page.selectOption('#quick-level', 'back');
  await page.selectOption('#quick-type-child', '2');
  await page.click('label:has(#quick-apart)');
  await check(page, 'best seats');
  await shot(page, 'quick');
  await page.click('.quick .button');
  await page.waitForSelector('.hold .checkout');
  const asked = fan.asked[0].bestAvailable;
  assert.deepEqual(asked, { quantity: 4, sections: ['B'], level: 'back', split: false, types: { child: 2 } });
  assert.match(await page.textContent('.hold .notice'), /neighbouring rows/);
  await check(page, 'a split hold');
  await shot(page, 'quick-split');
  fan.close();
});

test('a wheelchair place and its companion are asked for together', async () => {
  const fan = await shop((wish) => (wish.bestAvailable ? [409, { code: 'NONE_TOGETHER', status: 409, title: 'none' }] : [500, {}]));
  const { page } = fan;
  await page.click('#tab-quick');
  assert.equal(await page.isVisible('#quick-companion'), false);
  await page.selectOption('#quick-accessible', '1');
  await page.selectOption('#quick-companion', '1');
  assert.equal(await page.isVisible('#quick-apart'), false, 'they are never torn apart');
  await shot(page, 'quick-wheelchair');
  await page.click('.quick .button');
  await page.waitForFunction(() => /No such seats next to each other/.test(document.querySelector('.shop > .notice').textContent));
  assert.deepEqual(fan.asked[0].bestAvailable, { quantity: 2, accessible: 1, companion: 1 });
  fan.close();
});

test('without a map there are its counts and the machine; the map comes by itself', async () => {
  const parts = { map: null, counts: { version: 1, sections: { A: { front: 12 }, B: { back: 3, front: 1 } }, pools: {} } };
  const fan = await shop((wish) => [201, held({ seats: ['B-1-1', 'B-1-2'], ...wish })], { parts, shows: '.shop .quick' });
  const { page } = fan;
  const notice = () => page.textContent('.shop > .notice');
  assert.match(await notice(), /map is not there right now/);
  assert.deepEqual((await page.locator('#quick-section option').allTextContents()).slice(1).map((text) => Number(/\d+/.exec(text)[0])), [12, 4]);
  parts.counts = { ...parts.counts, sections: { A: { front: 11 } } };
  await page.waitForFunction(() => /11/.test(document.querySelector('#quick-section option:nth-child(2)').textContent));
  await check(page, 'the shop without its map');
  parts.map = MAP;
  await page.waitForFunction(() => document.querySelector('.shop > .notice').textContent === '');
  assert.match((await page.locator('#quick-section option').allTextContents())[1], /30/);
  parts.map = null;
  await page.waitForFunction(() => /does not get news/.test(document.querySelector('.shop > .notice').textContent));
  await page.click('.quick .button');
  await page.waitForSelector('.hold .checkout');
  assert.equal(fan.asked[0].bestAvailable.quantity, 2);
  fan.close();
});
