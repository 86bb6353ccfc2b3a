// "My tickets": an account's orders of all events, in front of made-up answers; and once through the real stack.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { browser, check, device, freshName, holdBest, join, reachShop, stack } from './stack.mjs';
import { pages } from './pages.mjs';

const SHOTS = process.env.ONSALE_SCREENSHOTS;
let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const id = (n) => String(n).padStart(22, 'A');
const STARTS = Date.UTC(2027, 5, 12, 18);

/** The n-th order, of an event with a name of some length and script. */
function order(n, state, more = {}) {
  const path = `/v1/events/demo/orders/${id(n)}/tickets`;
  const sold = ['confirmed', 'captured', 'delivered', 'reducing'].includes(state);
  return {
    order: id(n), state, seats: [{ seat: 'A-1' }, { seat: 'A-2' }], pools: [{ pool: 'floor', quantity: 1 }], total_minor: 16_500, currency: 'EUR', created_ms: Date.UTC(2026, 10, 30, 9),
    event: { id: 'demo', name: 'Night of the river', venue: 'Arena', zone: 'Europe/Berlin', starts_at_ms: STARTS },
    documents: sold ? { page: `${path}.html?link=x`, pdf: `${path}.pdf?link=x`, calendar: `${path}.ics?link=x`, until_ms: 0 } : null, ...more,
  };
}

const FIRST = [
  order(1, 'delivered'),
  order(2, 'refunded', { event: { id: 'demo', name: 'ليلة النهر', venue: 'الساحة', zone: 'Asia/Riyadh', starts_at_ms: STARTS } }),
  order(3, 'captured', { event: { id: 'demo', name: 'The longest night of the river that was ever sung in one breath by everybody', venue: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk', zone: 'Europe/Vienna', starts_at_ms: STARTS } }),
  order(4, 'declined', { event: { id: 'gone', name: null, venue: null, zone: null, starts_at_ms: null } }),
];

async function shown(mine, options = {}, data = undefined) {
  const server = await pages({ calls: [], mine, data });
  const fan = await device(chromium, options);
  await fan.page.goto(`${server.url}/orders`);
  return { ...fan, close: () => { fan.noErrors(); server.close(); } };
}

async function shot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

for (const colorScheme of ['light', 'dark']) {
  for (const desk of [false, true]) {
    test(`orders of all events are readable: ${colorScheme}, ${desk ? 'desk' : 'phone'}`, async () => {
      const { page, close } = await shown(() => [200, { orders: FIRST, next: null }], { colorScheme, desk });
      await page.waitForSelector('.orders article');
      const links = await page.locator('article >> nth=0').locator('a').evaluateAll((all) => all.map((a) => [a.textContent, a.getAttribute('href').split('?')[0].split('.').at(-1)]));
      assert.deepEqual(links, [['Open as a page', 'html'], ['Download as PDF', 'pdf'], ['Add to the calendar', 'ics']]);
      assert.match(await page.textContent('article >> nth=0'), /Night of the river.*Sat.*2027.*GMT\+2.*See you there.*3 places · €165\.00/s);
      assert.match(await page.textContent('article >> nth=1'), /on its way back/);
      assert.match(await page.textContent('article >> nth=3'), /gone/, 'an event that is not there any more goes by its id');
      assert.deepEqual(await page.locator('article').evaluateAll((all) => all.map((one) => one.querySelectorAll('a').length)), [3, 0, 3, 0]);
      assert.equal(await page.locator('.rest button').count(), 0, 'there are no more');
      await check(page, `my tickets ${colorScheme}`);
      await shot(page, `mine-${colorScheme}-${desk ? 'desk' : 'phone'}`);
      close();
    });
  }
}

test('older orders come when they are asked for, and reading goes on there; a failure can be tried again', async () => {
  const asked = [];
  let fails = false;
  const { page, close } = await shown((after) => {
    asked.push(after);
    if (fails) return [400, { code: 'BAD_REQUEST' }];
    return [200, after ? { orders: [order(9, 'delivered')], next: null } : { orders: FIRST, next: '1.A' }];
  });
  await page.waitForSelector('.rest button');
  fails = true;
  await page.click('text=Older orders');
  await page.waitForSelector('.rest .bad');
  await shot(page, 'mine-trouble');
  fails = false;
  await page.click('text=Try again');
  await page.waitForSelector('article >> nth=4');
  assert.equal(await page.evaluate(() => document.activeElement.id), `o-${id(9)}`);
  assert.deepEqual(asked, [null, '1.A', '1.A']);
  assert.equal(await page.locator('.rest button').count(), 0);
  close();
});

test('whoever is not signed in is shown the way there and back; whoever ordered nothing is told so', async () => {
  const stranger = await shown(() => [401, { code: 'ACCOUNT_REQUIRED' }]);
  await stranger.page.waitForSelector('.rest .button');
  assert.equal(await stranger.page.getAttribute('.rest .button', 'href'), '/v1/session/start?to=%2Forders');
  await check(stranger.page, 'signed out');
  await shot(stranger.page, 'mine-signed-out');
  stranger.close();
  const newcomer = await shown(() => [200, { orders: [], next: null }]);
  await newcomer.page.waitForSelector('text=There are no orders');
  newcomer.close();
});

const OUTCOME = {
  account: 'a', erased: [id(4)], kept: [{ order: id(1), why: 'event_not_over', until_ms: Date.UTC(2027, 5, 12, 22) }, { order: id(2), why: 'under_way' }],
  counts: ['demo'], lines: [{ event: 'demo', erased: false }, { event: 'past', erased: true }],
};

for (const [colorScheme, desk] of [['light', false], ['dark', true]]) {
  test(`a fan gets all data as a file, and has it deleted after reading what stays: ${colorScheme}`, async () => {
    const asked = [];
    let orders = FIRST;
    const data = (method) => {
      asked.push(method);
      if (method === 'GET') return [200, { account: 'a', items: [{ k: 'order' }], lines: [] }];
      orders = FIRST.slice(0, 3);
      return [200, OUTCOME];
    };
    const { page, close } = await shown(() => [200, { orders, next: null }], { colorScheme, desk }, data);
    await page.waitForSelector('.my-data');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Download my data')]);
    assert.equal(file.suggestedFilename(), 'onsale-my-data.json');
    assert.deepEqual(JSON.parse(readFileSync(await file.path(), 'utf8')).items, [{ k: 'order' }]);

    await page.click('text=Delete my data');
    await page.waitForSelector('dialog[open]');
    assert.match(await page.textContent('dialog'), /events that are over.*tickets.*books.*payment provider/s);
    await check(page, `what is deleted and what stays, ${colorScheme}`);
    await shot(page, `mine-delete-${colorScheme}`);
    await page.click('text=Keep my data');
    assert.deepEqual(asked, ['GET'], 'nothing was deleted yet');
    await page.click('text=Delete my data');
    await page.click('text=Delete now');
    await page.waitForSelector('.told ul');
    assert.match(await page.textContent('.told'), /1 order does not bear.*2 orders stay.*(13 Jun|Jun 13).*2027.*under way.*1 line that is not closed/s);
    await page.waitForFunction(() => document.querySelectorAll('.orders article').length === 3);
    assert.deepEqual(asked, ['GET', 'DELETE']);
    await check(page, `what was deleted, ${colorScheme}`);
    await shot(page, `mine-deleted-${colorScheme}`);
    close();
  });
}

test('what cannot be deleted or read now is told, and can be tried again; strangers are not asked', async () => {
  let answer = [500, { code: 'INTERNAL' }];
  const { page, close } = await shown(() => [200, { orders: [], next: null }], {}, () => answer);
  for (const [next, told] of [[answer, 'That did not work'], [[401, { code: 'ACCOUNT_REQUIRED' }], 'Sign in again first'], [[200, { erased: [], kept: [], lines: [] }], '0 orders do not bear']]) {
    answer = next;
    await page.click('text=Delete my data');
    await page.click('text=Delete now');
    await page.waitForSelector(`.told >> text=${told}`);
  }
  close();
  const stranger = await shown(() => [401, { code: 'ACCOUNT_REQUIRED' }]);
  await stranger.page.waitForSelector('.rest .button');
  assert.equal(await stranger.page.locator('.my-data').count(), 0);
  stranger.close();
});

test('what is bought at the real stack is found again, and its documents open', async () => {
  const fan = await device(chromium);
  const { page } = fan;
  await join(page, freshName('Mina'));
  await reachShop(page);
  await holdBest(page);
  await page.check('input[value=pm_card_visa]');
  await page.click('.checkout .button');
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  await page.click('text=All my tickets');
  await page.waitForSelector('.orders article');
  assert.equal(await page.locator('article').count(), 1);
  assert.match(await page.textContent('article'), /2 places/);
  await check(page, 'my tickets');
  await page.click('text=Open as a page');
  await page.waitForSelector('svg');
  assert.match(page.url(), new RegExp(`^${stack().edge}/v1/events/`));
  fan.noErrors();
});
