// Paying, in front of made-up answers: to the bank at once, back without a second card, and what each answer leads to.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, device } from './stack.mjs';
import { pages } from './pages.mjs';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const BANK = 'https://bank.example/ask';
const asked = { action: { type: 'redirect', url: BANK } };
let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const order = (state, more = {}) => ({ order: ID, hold: ID, state, seats: [{ seat: 'A-1' }], pools: [], created_ms: Date.now(), decline_code: null, action: null, ...more });

/** The checkout of a hold in a page of its own. `answers` are told one after the other, the last one for ever; `placed` is the answer to paying. */
async function checkout(placed, answers, { hold = {}, bought = [] } = {}) {
  const server = await pages({});
  const fan = await device(chromium);
  const { page } = fan;
  const json = (status, body) => ({ status, contentType: 'application/json', body: JSON.stringify(body) });
  const paid = [];
  await page.route('**/v1/events/demo/orders', (route) => {
    if (route.request().method() === 'GET') return route.fulfill(json(200, { orders: bought }));
    paid.push(JSON.parse(route.request().postData()));
    return route.fulfill(json(...placed));
  });
  await page.route(`**/v1/events/demo/orders/${ID}`, (route) => route.fulfill(json(200, answers.length > 1 ? answers.shift() : answers[0])));
  await page.route(`**/orders/${ID}/cancellation`, (route) => {
    answers.splice(0, answers.length, order('declined', { decline_code: 'given_up' }));
    return route.fulfill(json(202, answers[0]));
  });
  await page.route(`${BANK}*`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Bank</title>The bank' }));
  await page.goto(`${server.url}/e/demo`);
  await page.waitForSelector('.event');
  const show = (more) => page.evaluate(async (more) => {
    const [{ checkout: make }, { Holds }] = await Promise.all([import('/assets/js/views/checkout.js'), import('/assets/js/holds.js')]);
    const ctx = { id: 'demo', event: { currency: 'EUR' }, holds: new Holds('demo'), clock: { now: () => Date.now() }, go: (path) => { globalThis.went = path; } };
    const on = { changed() {}, tell: (text) => { globalThis.told = text; }, locked() {}, readMap: async () => {} };
    document.querySelector('main').replaceChildren(make(ctx, { hold: 'AAAAAAAAAAAAAAAAAAAAAA', total_minor: 5500, currency: 'EUR', state: 'live', ...more }, on).el);
  }, more);
  await show(hold);
  return { ...fan, show, paid, close: () => { fan.noErrors(); server.close(); } };
}

test('what was typed outlives a hold that ran out', async () => {
  const { page, show, close } = await checkout([500, {}], []);
  await page.fill('.checkout input[type=email]', 'ada@fans.example');
  await page.check('input[value=pm_card_slow]');
  await show({ hold: 'BBBBBBBBBBBBBBBBBBBBBA', total_minor: 700 });
  assert.match(await page.innerText('.checkout .button.wide'), /7\.00/);
  assert.equal(await page.inputValue('.checkout input[type=email]'), 'ada@fans.example');
  assert.ok(await page.isChecked('input[value=pm_card_slow]'));
  close();
});

const press = (page) => page.click('.checkout .button.wide');

test('paid: to the order', async () => {
  const { page, paid, close } = await checkout([201, order('confirmed')], []);
  await check(page, 'the checkout');
  await press(page);
  await page.waitForFunction(() => globalThis.went);
  assert.equal(await page.evaluate(() => globalThis.went), `/e/demo/orders/${ID}`);
  assert.deepEqual(paid.map((one) => one.paymentMethod), ['pm_card_visa']);
  assert.ok(await page.locator('.checkout .notice').isHidden(), 'nothing was bought before');
  close();
});

test('a bank that asks: gone to at once, and the order is remembered on this device', async () => {
  const { page, close } = await checkout([202, order('paying', asked)], [order('paying', asked)]);
  await press(page);
  await page.waitForURL(`${BANK}*`);
  await page.goBack();
  assert.match(await page.evaluate(() => localStorage.getItem('onsale.orders.demo')), new RegExp(ID));
  close();
});

test('back at the shop while the bank waits: no second card, a way to the bank, and a way out', async () => {
  const { page, paid, close } = await checkout([500, {}], [order('paying', asked)], { hold: { state: 'claimed', order: ID } });
  await page.waitForSelector('.bank a.button');
  assert.ok(page.url().endsWith('/e/demo'), 'who comes back is asked, not sent');
  assert.equal(await page.locator('.choice:visible').count() + await page.locator('.button.wide:visible').count(), 0);
  await check(page, 'the checkout, while the bank waits');
  await page.click('.bank button');
  await page.waitForSelector('.choice:visible', { timeout: 10_000 });
  assert.ok(await page.locator('.checkout > .bad').isHidden(), 'nobody was declined');
  assert.deepEqual(paid, []);
  close();
});

test('a challenge that was failed says so; a declined card by its code', async () => {
  const failed = order('declined', { decline_code: 'payment_intent_authentication_failure' });
  const first = await checkout([500, {}], [order('paying', asked), failed], { hold: { state: 'claimed', order: ID } });
  await first.page.waitForSelector('.checkout > .bad:not([hidden])');
  assert.match(await first.page.textContent('.checkout > .bad'), /bank did not confirm/);
  first.close();
  const second = await checkout([402, { code: 'PAYMENT_DECLINED', decline_code: 'insufficient_funds' }], []);
  await press(second.page);
  await second.page.waitForSelector('.checkout > .bad:not([hidden])');
  assert.match(await second.page.textContent('.checkout > .bad'), /insufficient funds/);
  second.close();
});

test('who bought a moment ago is told, and may buy again', async () => {
  const old = { ...order('delivered'), created_ms: Date.now() - 3_600_000 };
  const { page, close } = await checkout([201, order('confirmed')], [], { bought: [order('declined'), order('delivered'), old] });
  await page.waitForSelector('.checkout .notice:not([hidden])');
  assert.match(await page.textContent('.checkout .notice'), /You bought 1 ticket .* at \d\d:\d\d/);
  await press(page);
  await page.waitForFunction(() => globalThis.went);
  close();
  const late = await checkout([201, order('confirmed')], [], { bought: [old] });
  await late.page.waitForTimeout(300);
  assert.ok(await late.page.locator('.checkout .notice').isHidden(), 'an hour ago is no moment');
  late.close();
});
