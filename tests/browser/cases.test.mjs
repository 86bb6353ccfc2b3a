// What people suffered in other waiting rooms, tried on this one: a tab that slept, the Back button, another time zone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pages } from './pages.mjs';
import { browser, device, freshName, holdBest, join, placeOf, reachShop } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

test('a tab that slept for an hour wakes to its place, and another one to its turn', async () => {
  for (const [admitted, wakes] of [[2000, async (page) => page.waitForFunction(() => document.querySelector('.facts-grid dd')?.textContent === '999')], [3000, async (page) => page.waitForURL('**/shop')]]) {
    const state = { place: 3000, status: {} };
    const server = await pages(state);
    const fan = await device(chromium);
    await fan.page.clock.install();
    await fan.page.goto(`${server.url}/e/demo`);
    await fan.page.waitForSelector('.stage[data-face=waiting]');
    state.status = { admitted };
    await fan.page.clock.fastForward(3_600_000);
    await wakes(fan.page);
    fan.noErrors();
    await fan.context.close();
    server.close();
  }
});

test('the Back button and Forward keep the turn and the hold', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('back'));
  await reachShop(fan.page);
  const place = await placeOf(fan.page);
  await fan.page.goBack();
  await fan.page.waitForSelector('.stage[data-face=turn]');
  await fan.page.goForward();
  await fan.page.waitForSelector('.shop .map-canvas');
  await holdBest(fan.page);
  const held = await fan.page.innerText('.hold .lines');
  await fan.page.goBack();
  await fan.page.waitForSelector('.stage[data-face=turn]');
  await fan.page.goForward();
  await fan.page.waitForSelector('.hold .checkout');
  assert.equal(await fan.page.innerText('.hold .lines'), held);
  assert.equal(await placeOf(fan.page), place);
  fan.noErrors();
  await fan.context.close();
});

test('more time in the shop is there on request, by keyboard, once', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('slow'));
  await reachShop(fan.page);
  const minutes = async () => Number(/(\d+):\d\d/.exec(await fan.page.innerText('.shop-head .session'))[1]);
  const before = await minutes();
  const more = fan.page.locator('.shop-head button');
  await more.focus();
  await fan.page.keyboard.press('Enter');
  await more.waitFor({ state: 'hidden' });
  assert.ok(await minutes() >= before + 10, `${before} minutes became ${await minutes()}`);
  const session = () => fan.page.evaluate(async () => (await fetch(`/v1/events/${location.pathname.split('/')[2]}/admission`, { method: 'POST', body: '{"longer":true}' })).status);
  assert.equal(await session(), 409, 'it goes once');
  await fan.page.reload();
  await reachShop(fan.page);
  assert.ok(await minutes() >= before + 10, 'another visit knows it too');
  assert.equal(await more.isVisible(), false);
  fan.noErrors();
  await fan.context.close();
});

test('the time of a hold is visible and can be extended once', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('extends'));
  await reachShop(fan.page);
  await holdBest(fan.page);
  const left = async () => {
    const [minutes, seconds] = (await fan.page.innerText('.hold [role=timer]')).split(':').map(Number);
    return minutes * 60 + seconds;
  };
  const before = await left();
  assert.ok(before > 500 && before <= 600, `ten minutes at first: ${before} s`);
  await fan.page.click('.hold .actions button:has-text("more minutes")');
  await fan.page.waitForFunction((least) => {
    const [minutes, seconds] = (document.querySelector('.hold [role=timer]')?.innerText ?? '0:0').split(':').map(Number);
    return minutes * 60 + seconds > least;
  }, before + 60);
  assert.equal(await fan.page.locator('.hold .actions button:has-text("more minutes")').isVisible(), false, 'it goes once');
  fan.noErrors();
  await fan.context.close();
});

test('times stand in the fan’s zone and in the venue’s, with their offsets, in the fan’s way of writing them', async () => {
  const opens = Date.UTC(2027, 5, 1, 8);
  const server = await pages({ event: { opens_at_ms: opens }, status: { phase: 'prequeue', opens, admitted: 0, given: 0, moved: null } });
  const fan = await device(chromium, { timezoneId: 'America/New_York', locale: 'de-DE' });
  await fan.page.goto(`${server.url}/e/demo`);
  await fan.page.waitForSelector('.times time');
  const times = await fan.page.locator('.times time').allInnerTexts();
  assert.equal(times.length, 2);
  assert.match(times[0], /1\. Juni 2027.*04:00.*GMT-4/);
  assert.match(times[1], /1\. Juni 2027.*10:00.*GMT\+2/);
  fan.noErrors();
  await fan.context.close();
  server.close();
});
