// The order's page in every state, in front of made-up answers: what is read, what can be done, and that it is asked for once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check, browser, device } from './stack.mjs';
import { pages } from './pages.mjs';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const SHOTS = process.env.ONSALE_SCREENSHOTS;
let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const seat = (name) => ({ seat: name, level: 'front', type: null, price_minor: 5000, fee_minor: 500, total_minor: 5500 });
const ticket = (name) => ({ seat: name, revision: 1, payload: 'p', qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>' });

/** An order of some seats, and of places on the floor. */
function order(state, seats, more = {}) {
  const sold = ['confirmed', 'captured', 'delivered', 'reducing'].includes(state);
  return {
    order: ID, hold: ID, state, seats: seats.map(seat), pools: [], total_minor: 5500 * seats.length, currency: 'EUR', created_ms: Date.now(), decline_code: null,
    given_back: [], going_back: [], tickets: sold ? seats.map(ticket) : [], may_cancel: sold, action: null, ...more,
  };
}

async function shown(state, options = {}) {
  const server = await pages({ calls: [], ...state });
  const fan = await device(chromium, options);
  await fan.page.goto(`${server.url}/e/demo/orders/${ID}`);
  await fan.page.waitForSelector('.order .state');
  return { ...fan, close: () => { fan.noErrors(); server.close(); } };
}

async function shot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const TEXTS = [
  ['paying', {}, /under way/], ['paying', { action: { type: 'redirect', url: 'https://bank.example/ask' } }, /bank waits/],
  ['confirmed', {}, /Sold/], ['captured', {}, /Paid/], ['delivered', {}, /See you there/], ['reducing', { going_back: ['A-1'] }, /being given back/],
  ['declined', {}, /declined/], ['declined', { decline_code: 'given_up' }, /another way/], ['voiding', {}, /undone/], ['seats_gone', {}, /not charged/],
  ['abandoned', {}, /not charged/], ['cancelling', {}, /being cancelled/], ['cancelled', {}, /not charged/], ['refunded', {}, /on its way back/],
  ['capture_failed', {}, /trying again/], ['released', {}, /released/],
];

for (const colorScheme of ['light', 'dark']) {
  test(`every state has its words, and is accessible: ${colorScheme}`, async () => {
    for (const [state, more, words] of TEXTS) {
      const { page, close } = await shown({ order: order(state, ['A-1', 'A-2'], more) }, { colorScheme });
      assert.match(await page.textContent('.order .state'), words, state);
      const sold = ['confirmed', 'captured', 'delivered'].includes(state);
      assert.equal(await page.locator('.give-back').count(), sold ? 1 : 0, `${state}: giving back`);
      assert.equal(await page.locator('.bank').count(), state === 'paying' ? 1 : 0, `${state}: the bank`);
      await check(page, `${state} ${words}`);
      await shot(page, `${state}-${more.action ? 'bank-' : ''}${colorScheme}`);
      close();
    }
  });
}

test('the bank’s page is a link; nothing but a web address is', async () => {
  const to = async (url) => {
    const { page, close } = await shown({ order: order('paying', ['A-1'], { action: { type: 'redirect', url } }) });
    const links = await page.locator('.bank a.button').evaluateAll((all) => all.map((a) => a.href));
    close();
    return links;
  };
  assert.deepEqual(await to('https://bank.example/ask'), ['https://bank.example/ask']);
  assert.deepEqual(await to('javascript:alert(1)'), []);
});

test('a payment is given up once, and another card is offered', async () => {
  const state = { order: order('paying', ['A-1'], { action: { type: 'redirect', url: 'https://bank.example/ask' } }), after: order('declined', ['A-1'], { decline_code: 'given_up' }), calls: [] };
  const { page, close } = await shown(state);
  await page.evaluate(() => { const button = document.querySelector('.bank button'); for (let n = 0; n < 10; n += 1) button.click(); });
  await page.waitForSelector('.state.declined');
  assert.equal(await page.locator('a:text("Try another card")').getAttribute('href'), '/e/demo/shop');
  close();
});

test('single seats go back after a question; ten presses are one wish', async () => {
  const calls = [];
  const left = order('delivered', ['A-2', 'A-3'], { given_back: ['A-1'] });
  const { page, close } = await shown({ order: order('delivered', ['A-1', 'A-2', 'A-3']), after: left, calls });
  const [some, all] = [page.locator('.give-back button >> nth=0'), page.locator('.give-back button >> nth=1')];
  assert.ok(await some.isDisabled() && await all.isEnabled());
  await page.check('.give-back input >> nth=0');
  await some.click();
  await page.waitForSelector('dialog[open]');
  assert.match(await page.textContent('dialog[open]'), /Give this seat back\?.*A-1.*€55\.00 goes back/s);
  await check(page, 'the question');
  await shot(page, 'question');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  assert.deepEqual(calls, [], 'a closed question asks for nothing');
  await some.click();
  await page.waitForSelector('dialog[open]');
  await page.evaluate(() => { const yes = document.querySelector('dialog[open] .button'); for (let n = 0; n < 10; n += 1) yes.click(); });
  await page.waitForFunction(() => document.querySelectorAll('.ticket').length === 2);
  assert.match(await page.textContent('.order'), /Given back: A-1/);
  assert.deepEqual(calls.map(({ seats }) => seats), [['A-1']]);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1', 'reading goes on at the top');
  close();
});

test('all goes back as the whole order; with standing places all seats alone are not all', async () => {
  const calls = [];
  const pools = [{ pool: 'floor', quantity: 1, level: 'back', type: null, price_minor: 4000, fee_minor: 0, total_minor: 4000 }];
  const { page, close } = await shown({ order: order('delivered', ['A-1', 'A-2'], { pools, total_minor: 15_000 }), calls, refuse: { code: 'NOT_CANCELLABLE' } });
  await page.check('.give-back input >> nth=0');
  await page.check('.give-back input >> nth=1');
  await page.click('.give-back button >> nth=0');
  await page.click('dialog[open] .button >> nth=0');
  await page.waitForSelector('dialog[open] .bad:not([hidden])');
  assert.match(await page.textContent('dialog[open] .bad'), /try again/);
  await page.click('dialog[open] .button.secondary');
  await page.click('text=Give everything back');
  assert.match(await page.textContent('dialog[open]'), /€150\.00/);
  await page.click('dialog[open] .button >> nth=0');
  await page.waitForSelector('dialog[open] .bad:not([hidden])');
  assert.deepEqual(calls.map(({ seats }) => seats), [['A-1', 'A-2'], undefined]);
  assert.notEqual(calls[0].key, calls[1].key);
  close();
});

test('a final sale offers nothing', async () => {
  const { page, close } = await shown({ order: order('delivered', ['A-1'], { may_cancel: false }) });
  assert.equal(await page.locator('.give-back').count(), 0);
  close();
});
