// The waiting list as fans meet it. First the real pages before made-up answers, for what people read and press; then the whole
// way on the stack: sold out, on the list, an order is given back, the offer, paid.
// ONSALE_SCREENSHOTS names a folder to keep pictures in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freeMap, pages } from './pages.mjs';
import { browser, check, device, freshName, importEvent, stack, time } from './stack.mjs';

const MINUTE = 60_000;
const PRICE = { price_minor: 5000, fee_minor: 500, total_minor: 5500 };
const LAYOUT = {
  version: 'v', width: 60, height: 40, pools: [], levels: [{ id: 'front', name: 'Front', color: '#2563eb', total_minor: 5500 }],
  sections: [{ id: 'A', name: 'West', x: 10, y: 10, rows: [{ label: '1', seats: [['1', 20, 20, 0, 0], ['2', 30, 20, 0, 0]] }] }],
};
const SEATS = ['A-1-1', 'A-1-2'].map((seat) => ({ seat, level: 'front', type: null, ...PRICE }));

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const shot = async (page, name) => { if (process.env.ONSALE_SCREENSHOTS) await page.screenshot({ path: `${process.env.ONSALE_SCREENSHOTS}/waiting-${name}.png`, fullPage: true }); };

/** A fan whose turn is over, at an event that is sold out and has a list. */
function soldOut(more = {}) {
  return { place: 5, over: true, status: { phase: 'sold_out', bands: { front: 'none', back: 'none' } }, event: { waiting_list: true, layout_version: 'v' }, list: { entry: null, calls: [] }, shop: { layout: LAYOUT, map: freeMap(LAYOUT) }, ...more };
}

const offer = (ms) => ({ state: 'offered', place: 5, quantity: 2, hold: 'h'.repeat(22), until_ms: Date.now() + ms, remaining_ms: ms, access_token: 't' });
const heldUntil = (until_ms) => ({ hold: 'h'.repeat(22), state: 'live', until_ms, remaining_ms: 1, extended: false, order: null, together: true, currency: 'EUR', total_minor: 11_000, seats: SEATS, pools: [] });

/** Makes an offer; the page hears of it at its next look. */
function make(state, ms) {
  state.list.entry = offer(ms);
  state.hold = heldUntil(state.list.entry.until_ms);
}

async function open(state, path, use, options = {}) {
  const server = await pages(state);
  const fan = await device(chromium, options);
  await fan.page.goto(`${server.url}${path}`);
  await use(fan.page);
  fan.noErrors();
  await fan.context.close();
  server.close();
}

const face = (page, name) => page.waitForSelector(`.waiting[data-face=${name}]:not([hidden])`, { timeout: 30_000 });

for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', desk: true }, { forcedColors: 'active' }]) {
  const word = options.forcedColors ? 'forced' : options.colorScheme;
  test(`on the list, an offer, to the seats: ${word}`, () => {
    const state = soldOut();
    state.list.ahead = 3;
    return open(state, '/e/demo', async (page) => {
      await face(page, 'none');
      await check(page, 'the list, before');
      await shot(page, `none-${word}`);
      await page.selectOption('#waiting-n', '2');
      await page.click('.waiting-form .button');
      await face(page, 'waiting');
      assert.deepEqual(state.list.calls, [['POST', { quantity: 2 }]]);
      assert.match(await page.innerText('.waiting'), /You wait for 2 seats\.[^]*3 people with earlier places in line wait before you/);
      await check(page, 'the list, waiting');
      await shot(page, `waiting-${word}`);
      make(state, 20 * MINUTE);
      await face(page, 'offered');
      await page.waitForFunction(() => document.title.startsWith('There are seats for you'));
      assert.match(await page.innerText('.waiting [role=timer]'), /^(20:00|19:\d\d)$/);
      await page.waitForFunction(() => /held for you/.test(document.querySelector("[aria-live=assertive]").textContent));
      await check(page, 'the offer');
      await shot(page, `offered-${word}`);
      await page.click('.waiting .actions .button:not(.secondary)');
      await page.waitForSelector('.hold .checkout');
      assert.match(page.url(), /\/shop$/);
      assert.match(await page.innerText('.hold [role=timer]'), /^19:\d\d$/);
      await check(page, 'the offer in the shop');
      await shot(page, `hold-${word}`);
      // The address is the truth: a reload comes to the same seats, though the turn is over.
      await page.reload();
      await page.waitForSelector('.hold .checkout');
    }, options);
  });
}

test('with the keyboard alone: wait, decline the offer, and wait again', () => {
  const state = soldOut();
  return open(state, '/e/demo/shop', async (page) => {
    await face(page, 'none');
    const tabTo = async (selector) => {
      for (let n = 0; n < 40; n += 1) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${selector} cannot be reached with Tab`);
    };
    await tabTo('#waiting-n');
    await tabTo('.waiting-form .button');
    await page.keyboard.press('Enter');
    await face(page, 'waiting');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'waiting-title', 'reading goes on at the card');
    make(state, 20 * MINUTE);
    await face(page, 'offered');
    await tabTo('.waiting .actions .secondary');
    await page.keyboard.press('Enter');
    await face(page, 'none');
    assert.deepEqual(state.list.calls.map(([method]) => method), ['POST', 'DELETE']);
    await tabTo('.waiting-form .button');
    await page.keyboard.press('Space');
    await face(page, 'waiting');
  }, { desk: true });
});

test('an offer that runs out is told, and one may wait again; a refusal is said in words', () => {
  const state = soldOut();
  state.list.entry = { state: 'waiting', place: 5, quantity: 1, ahead: 100 };
  return open(state, '/e/demo', async (page) => {
    await face(page, 'waiting');
    assert.match(await page.innerText('.waiting'), /At least 100 people/);
    make(state, 25_000);
    await face(page, 'offered');
    await page.waitForFunction(() => /left of your offer/.test(document.querySelector('[aria-live=polite][role=status]')?.textContent ?? ''));
    await face(page, 'lapsed');
    await shot(page, 'lapsed');
    state.list.refuse = { code: 'LIMIT_EXCEEDED', limit: 4, committed: 4 };
    await page.click('.waiting-form .button');
    await page.waitForSelector('.waiting .bad:not([hidden])');
    assert.match(await page.innerText('.waiting .bad'), /at most 4 tickets; you already have 4/);
  });
});

test('there is no list where the event has none, where the turn has not come, and where there are seats', async () => {
  const cases = [[soldOut({ event: {} }), '/e/demo'], [soldOut({ place: 5000 }), '/e/demo'], [soldOut({ over: false, status: {} }), '/e/demo/shop']];
  for (const [state, path] of cases) {
    state.list.entry = null;
    await open(state, path, async (page) => {
      await page.waitForSelector(path.endsWith('/shop') ? '.shop .map-canvas' : '.stage[data-face=sold_out]');
      await page.waitForTimeout(1500);
      assert.equal(await page.locator('.waiting:not([hidden])').count(), 0);
    });
  }
});

test('in the shop the list is offered once what was asked for is not to be had', () => {
  const state = soldOut({ over: false, status: {} });
  state.shop.hold = () => [409, { code: 'WAITING_LIST' }];
  return open(state, '/e/demo/shop', async (page) => {
    await page.waitForSelector('.shop .map-canvas');
    await page.click('#tab-quick');
    await page.click('.quick .button');
    await face(page, 'none');
    await check(page, 'the list in the shop');
    await shot(page, 'shop');
  });
});

/** Imports an event of two seats that opens soon and has a waiting list. */
function twoSeats() {
  const id = `two-seats-${Date.now()}`;
  const seat = (n) => ({ seat_guid: `A-1-${n}`, seat_number: String(n), position: { x: 10 * n, y: 0 }, category: 'Front' });
  const rows = [{ row_number: '1', position: { x: 0, y: 10 }, seats: [seat(1), seat(2)] }];
  const plan = { name: 'Hall', size: { width: 100, height: 100 }, categories: [{ name: 'Front', color: '#2563eb' }], zones: [{ name: 'A', zone_id: 'A', position: { x: 0, y: 0 }, rows }] };
  importEvent(id, `id = "${id}"
name = "Two seats"
venue = "Hall"
zone = "Europe/Berlin"
opens_at = "${time(Date.now() + 3_000)}"
ends_at = "${time(Date.now() + 86_400_000)}"
currency = "EUR"
plan = "plan.json"

[limits]
per_account = 2
waiting_list = true

[door]
rate_per_minute = 600
grace_ms = 1000

[[levels]]
id = "front"
category = "Front"
price = "20.00"
`, plan);
  return id;
}

/** Signs in, joins, and waits for the shop. */
async function inShop(page, id, name) {
  await page.goto(`${stack().edge}/e/${id}`);
  await page.fill('#sign-in-name', name);
  await page.click('.sign-in .button');
  await page.waitForSelector('.shop .map-canvas', { timeout: 120_000 });
}

async function pay(page) {
  await page.check('input[value=pm_card_visa]');
  await page.click('.checkout .button');
  await page.waitForSelector('.ticket .qr svg', { timeout: 60_000 });
}

test('the whole way: sold out, on the list, given back, offered, paid', { timeout: 300_000 }, async () => {
  const id = twoSeats();
  const [ada, bo] = [await device(chromium, { desk: true }), await device(chromium)];
  await Promise.all([inShop(ada.page, id, freshName('Ada')), inShop(bo.page, id, freshName('Bo'))]);
  await ada.page.click('#tab-quick');
  await ada.page.selectOption('#quick-n', '2');
  await ada.page.click('.quick .button');
  await ada.page.waitForSelector('.hold .checkout');
  await pay(ada.page);
  await face(bo.page, 'none');
  await bo.page.selectOption('#waiting-n', '2');
  await bo.page.click('.waiting-form .button');
  await face(bo.page, 'waiting');
  await shot(bo.page, 'stack-waiting');
  // As soon as the order is captured; before that it is refused.
  await ada.page.waitForFunction(async () => {
    const [, , event, , order] = location.pathname.split('/');
    return (await fetch(`/v1/events/${event}/orders/${order}/cancellation`, { method: 'POST', headers: { 'idempotency-key': 'back' } })).status === 202;
  }, null, { polling: 1000, timeout: 60_000 });
  await face(bo.page, 'offered');
  await shot(bo.page, 'stack-offered');
  await bo.page.click('.waiting .actions .button:not(.secondary)');
  await bo.page.waitForSelector('.hold .checkout');
  await pay(bo.page);
  ada.noErrors();
  bo.noErrors();
});
