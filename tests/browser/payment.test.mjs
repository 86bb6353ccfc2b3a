// Paying when the bank wants to see its customer, and giving back: what a fan sees, also when the browser is closed on the way.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, device, freshName, holdBest, join, reachShop, stack } from './stack.mjs';

const CHALLENGE = 'pm_card_threeDSecure2Required';
/** Where pictures go, if somebody wants to look. */
const SHOTS = process.env.ONSALE_SCREENSHOTS;

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

async function shot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** A fan in the shop with some seats held. */
async function holder(word, seats, options) {
  const fan = await device(chromium, options);
  await join(fan.page, freshName(word));
  await reachShop(fan.page);
  await holdBest(fan.page, seats);
  return fan;
}

async function payWith(page, method) {
  await page.check(`input[value=${method}]`);
  await page.click('.checkout .button.wide');
}

/** Pays with a card whose bank asks; ends on the bank's page. */
async function toTheBank(page) {
  await payWith(page, CHALLENGE);
  await page.waitForSelector('button[value=yes]', { timeout: 30_000 });
  assert.ok(page.url().startsWith(stack().payments), page.url());
}

const orderOf = (page) => /\/orders\/([\w-]{22})/.exec(page.url())?.[1];

/** What moved at the provider for an order. */
async function moved(order) {
  const lines = (await (await fetch(`${stack().payments}/_ledger`)).text()).trim().split('\n').map((line) => JSON.parse(line));
  return lines.filter((line) => line.order === order).map((line) => [line.kind, line.amount]);
}

test('to the bank and back: the order page has the ticket', async () => {
  const { page, noErrors } = await holder('Hedy', 1);
  assert.ok(await page.locator('.checkout .notice').isHidden(), 'nothing was bought before');
  await shot(page, 'checkout');
  await toTheBank(page);
  await shot(page, 'bank');
  await page.click('button[value=yes]');
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  assert.match(page.url(), /\/orders\/[\w-]{22}\?payment_intent=pi_\w+&redirect_status=succeeded$/);

  // The shop leads to what was bought while the browser was away, once.
  await page.goto(`${stack().edge}/e/${stack().event}/shop`);
  await page.waitForURL(/\/orders\/[\w-]{22}$/, { timeout: 30_000 });
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });

  // Who goes on and takes more is told that something was bought a moment ago, and may buy all the same.
  await page.goto(`${stack().edge}/e/${stack().event}/shop`);
  await page.waitForSelector('.shop .map-canvas');
  await holdBest(page, 1);
  await page.waitForSelector('.checkout .notice:not([hidden])');
  assert.match(await page.textContent('.checkout .notice'), /You bought 1 ticket .* at \d\d:\d\d/);
  await shot(page, 'again');
  await payWith(page, 'pm_card_visa');
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  noErrors();
});

test('the browser is closed at the bank: event page and shop both lead back, and the bank can still be answered', async () => {
  const { context, page, noErrors } = await holder('Mary', 1);
  const { edge, event } = stack();
  await toTheBank(page);
  await page.close();
  const again = await context.newPage();
  await again.goto(`${edge}/e/${event}/shop`);
  await again.waitForSelector('.checkout .bank a.button', { timeout: 30_000 });
  assert.equal(await again.locator('.checkout .choice:visible').count(), 0, 'no second card meanwhile');
  await check(again, 'the shop, while the bank waits');
  await shot(again, 'shop-bank');
  await again.goto(`${edge}/e/${event}`);
  await again.click('.event .notice a');
  await again.waitForSelector('.order .bank a.button');
  assert.match(await again.textContent('.order .state'), /bank waits/);
  await check(again, 'the order, while the bank waits');
  await shot(again, 'order-bank');
  await again.click('.order .bank a.button');
  await again.click('button[value=yes]');
  await again.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  noErrors();
});

test('a challenge that is failed, then another card', async () => {
  const { page, noErrors } = await holder('Ida', 1);
  await toTheBank(page);
  await page.click('button[value=no]');
  await page.waitForSelector('.order .state.declined', { timeout: 30_000 });
  await check(page, 'a declined order');
  await shot(page, 'declined');
  const order = orderOf(page);
  await page.click('text=Try another card');
  await page.waitForSelector('.hold .checkout');
  await payWith(page, 'pm_card_visa');
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  assert.deepEqual((await moved(order)).map(([kind]) => kind), ['decline'], 'the first order took nothing');
  noErrors();
});

test('a bank that does not come is given up for another card', async () => {
  const { context, page, noErrors } = await holder('Vera', 1);
  const { edge, event } = stack();
  await toTheBank(page);
  const again = await context.newPage();
  await again.goto(`${edge}/e/${event}/shop`);
  await again.click('.checkout .bank button', { timeout: 30_000 });
  await again.waitForSelector('.checkout .choice:visible', { timeout: 30_000 });
  await payWith(again, 'pm_card_visa');
  await again.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  await page.click('button[value=yes]');
  await page.waitForTimeout(500);
  assert.deepEqual((await moved(orderOf(again))).map(([kind]) => kind)[0], 'authorize');
  noErrors();
});

for (const colorScheme of ['light', 'dark']) {
  test(`single seats, then all: given back once though ten press at once: ${colorScheme}`, async () => {
    const { page, noErrors } = await holder('Lise', 3, { colorScheme });
    await payWith(page, 'pm_card_visa');
    await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
    await page.waitForSelector('.state.delivered', { timeout: 30_000 });
    await check(page, 'a sold order');
    await shot(page, `sold-${colorScheme}`);
    const order = orderOf(page);
    assert.ok(await page.locator('.give-back button >> nth=0').isDisabled(), 'nothing is chosen');
    await page.check('.give-back input >> nth=0');
    await page.click('.give-back button >> nth=0');
    await page.waitForSelector('dialog[open]');
    await check(page, 'the question');
    await shot(page, `sure-${colorScheme}`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'hidden' });
    assert.equal(await page.locator('.ticket').count(), 3, 'nothing happened yet');
    await page.click('.give-back button >> nth=0');
    await page.waitForSelector('dialog[open]');
    await pressTenTimes(page, order);
    await page.waitForFunction(() => document.querySelectorAll('.ticket').length === 2, null, { timeout: 30_000 });
    await page.waitForSelector('.state.delivered', { timeout: 30_000 });
    assert.match(await page.textContent('.order'), /Given back: /);
    const refunds = (await moved(order)).filter(([kind]) => kind === 'refund');
    assert.equal(refunds.length, 1, JSON.stringify(refunds));
    await shot(page, `part-${colorScheme}`);

    await page.click('text=Give everything back');
    await page.click('dialog[open] .button >> nth=0');
    await page.waitForSelector('.state.refunded', { timeout: 30_000 });
    const money = await moved(order);
    const sum = (wanted) => money.filter(([kind]) => kind === wanted).reduce((all, [, amount]) => all + amount, 0);
    assert.equal(sum('refund'), sum('capture'), JSON.stringify(money));
    assert.equal(await page.locator('.ticket').count(), 0);
    await check(page, 'an order that went back');
    noErrors();
  });
}

/** Ten presses of the button in one go, and ten calls of other tabs with keys of their own at the same time. */
async function pressTenTimes(page, order) {
  await page.evaluate(async ([event, id]) => {
    const yes = document.querySelector('dialog[open] .button');
    const seat = document.querySelector('.give-back input:checked').value;
    const call = (n) => fetch(`/v1/events/${event}/orders/${id}/cancellation`, {
      method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': `tab-${n}` }, body: JSON.stringify({ seats: [seat] }),
    });
    const calls = Array.from({ length: 10 }, (_, n) => call(n));
    for (let n = 0; n < 10; n += 1) yes.click();
    await Promise.all(calls);
  }, [stack().event, order]);
}

test('an order that is not captured yet can be given back as a whole', async () => {
  const { page, noErrors } = await holder('Jane', 2);
  await fetch(`${stack().payments}/_control`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ decline_capture: true }) });
  try {
    await payWith(page, 'pm_card_visa');
    await page.waitForSelector('.state.confirmed', { timeout: 30_000 });
    const order = orderOf(page);
    await page.click('text=Give everything back');
    await page.click('dialog[open] .button >> nth=0');
    await page.waitForSelector('.state.cancelled', { timeout: 30_000 });
    assert.deepEqual((await moved(order)).map(([kind]) => kind), ['authorize', 'void']);
  } finally {
    await fetch(`${stack().payments}/_control`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ decline_capture: false }) });
  }
  noErrors();
});
