// A fan on a phone: from the event page through the line and the map to a ticket. Then the things that go wrong on the way.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, device, freshName, holdBest, join, operate, reachShop, stack } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

test('from the event page through the line and the map to a ticket', async () => {
  const fan = await device(chromium);
  const { page } = fan;
  await join(page, freshName('Ada'));
  assert.match(await page.textContent('.times'), /GMT/);
  assert.match(await page.textContent('.prices'), /fee/);
  await reachShop(page);
  await chooseOnMap(page);
  await page.click('.basket .button');
  await page.waitForSelector('.hold .checkout');
  assert.match(await page.textContent('.hold .big'), /^(10|9):\d\d$/);
  await payWith(page, 'pm_card_chargeDeclined');
  await page.waitForSelector('.checkout .bad:not([hidden])');
  assert.match(await page.textContent('.checkout .bad'), /declined.*still held/);
  await payWith(page, 'pm_card_visa');
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  assert.match(page.url(), /\/orders\/[\w-]{22}$/);
  await page.reload();
  await page.waitForSelector('.ticket .qr svg');
  await page.goto(`${stack().edge}/e/${stack().event}`);
  await page.click('.event .notice a');
  await page.waitForSelector('.ticket .qr svg');
  fan.noErrors();
});

/** Taps the map: first a section, then seats until one is chosen. */
async function chooseOnMap(page) {
  const box = await page.locator('.map-canvas').boundingBox();
  const at = (x, y) => page.touchscreen.tap(box.x + box.width * x, box.y + box.height * y);
  await at(0.62, 0.5);
  await page.waitForTimeout(600);
  for (let i = 0; i < 3; i += 1) await page.click('.map-button >> nth=0');
  for (let y = 0.2; y < 0.9; y += 0.07) {
    for (let x = 0.15; x < 0.8; x += 0.1) {
      if (await page.locator('.basket-lines li').count()) return;
      await at(x, y);
      await page.waitForTimeout(40);
    }
  }
  throw new Error('no seat could be chosen on the map');
}

async function payWith(page, method) {
  await page.check(`input[value=${method}]`);
  await page.click('.checkout .button');
}

test('a slow bank: the order is followed until it is decided, over a reload too', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('Grace'));
  await reachShop(fan.page);
  await holdBest(fan.page, 2);
  await payWith(fan.page, 'pm_card_slow');
  await fan.page.waitForTimeout(300);
  await fan.page.reload();
  await fan.page.waitForSelector('.ticket .qr svg', { timeout: 60_000 });
  fan.noErrors();
});

test('a pause stops the time of a hold, and says why', async () => {
  const fan = await device(chromium);
  const { page } = fan;
  await join(page, freshName('Emmy'));
  await reachShop(page);
  await holdBest(page, 1);
  await operate('pause', { reason: 'We check the gates.' });
  try {
    await page.waitForFunction(() => /standing still/.test(document.querySelector('.session').textContent), null, { timeout: 20_000 });
    // A page that has not heard of the pause yet may have counted on for a moment; it corrects itself with the next status.
    await page.waitForTimeout(4000);
    const left = await page.textContent('.hold .big');
    await page.waitForTimeout(3000);
    assert.equal(await page.textContent('.hold .big'), left);
    const other = await device(chromium);
    await other.page.goto(`${stack().edge}/e/${stack().event}`);
    await other.page.waitForFunction(() => /We check the gates\./.test(document.querySelector('.stage')?.textContent ?? ''), null, { timeout: 20_000 });
  } finally {
    await operate('resume');
  }
  await page.waitForFunction(() => !/standing still/.test(document.querySelector('.session').textContent), null, { timeout: 20_000 });
  await page.click('.hold .actions .button >> nth=0');
  await page.waitForFunction(() => /^1[123]:/.test(document.querySelector('.hold .big').textContent));
  await page.click('.hold .actions .button >> nth=2');
  await page.waitForSelector('.picker');
  fan.noErrors();
});

test('taken seats are named, the rest stays chosen', async () => {
  const [first, second] = [await device(chromium, { desk: true }), await device(chromium, { desk: true })];
  for (const [fan, word] of [[first, 'Kay'], [second, 'Lin']]) {
    await join(fan.page, freshName(word));
    await reachShop(fan.page);
    await fan.page.click('#tab-list');
    // A row that nobody wants is whole, so that no pick in it leaves a single seat.
    for (const list of ['#list-section', '#list-row']) await fan.page.selectOption(list, { index: await fan.page.locator(`${list} option`).count() - 1 });
    await fan.page.waitForSelector('.seat-button[aria-disabled=false]');
  }
  // The second one's map is frozen, so that it chooses what the first one takes.
  await second.page.route('**/seatmap*', (route) => route.abort());
  const free = await second.page.locator('.seat-button[aria-disabled=false]').evaluateAll((all) => all.map((button) => button.dataset.seat));
  assert.ok(free.length >= 4, 'the last row is hardly wanted');
  await first.page.click(`.seat-button[data-seat="${free[0]}"]`);
  for (const seat of free.slice(0, 2)) await second.page.click(`.seat-button[data-seat="${seat}"]`);
  await first.page.click('.basket .button');
  await first.page.waitForSelector('.hold .checkout');
  await second.page.click('.basket .button');
  await second.page.waitForFunction(() => /Somebody was faster/.test(document.querySelector('.shop > .notice').textContent));
  assert.equal(await second.page.locator('.basket-lines li').count(), 1);
});
