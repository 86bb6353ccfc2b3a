// The box office fails while people are inside: they keep session, hold and time, and go on by themselves (L-10, L-14). And the
// page inside an app's own browser, in which much is missing (L-43).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, device, freshName, holdBest, join, onsale, placeOf, reachShop, stack } from './stack.mjs';

const OUT_MS = 30_000;
/** The event clock runs on for so long after the last good beat. */
const RUNS_ON_S = 4;

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const left = async (page) => {
  const [minutes, seconds] = (await page.innerText('.hold [role=timer]')).split(':').map(Number);
  return minutes * 60 + seconds;
};

test('the shop fails: everyone inside keeps session, hold and time', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('inside'));
  await reachShop(fan.page);
  const place = await placeOf(fan.page);
  await holdBest(fan.page);
  const session = () => fan.page.evaluate(async (id) => (await fetch(`/v1/events/${id}/admission`, { method: 'POST', body: '{}' })).json(), stack().event);
  const before = await session();
  onsale('kill', 'booking');
  try {
    await fan.page.waitForFunction(() => /stands/.test(document.querySelector('.hold .quiet').innerText), null, { timeout: 30_000 });
    const stood = await left(fan.page);
    await fan.page.waitForTimeout(OUT_MS);
    assert.ok(stood - await left(fan.page) <= RUNS_ON_S, 'time stands');
    assert.equal(await fan.page.locator('.hold').count(), 1, 'the hold is still shown');
    const newcomer = await device(chromium);
    await join(newcomer.page, freshName('newcomer'));
    assert.ok(await placeOf(newcomer.page), 'joining goes on, and numbers are given');
    await newcomer.context.close();
    onsale('start', 'booking');
    await fan.page.waitForFunction(() => !/stands/.test(document.querySelector('.hold .quiet').innerText), null, { timeout: 60_000 });
    assert.ok(stood - await left(fan.page) < OUT_MS / 1000, 'nothing of the outage was taken from the hold');
  } finally {
    try { onsale('start', 'booking'); } catch { /* It runs already. */ }
  }
  const after = await session();
  assert.equal(after.session, before.session);
  assert.equal(after.expires_ms, before.expires_ms, 'in event time, which stood');
  assert.equal(await placeOf(fan.page), place);
  await fan.page.reload();
  await fan.page.waitForSelector('.hold .checkout');
  fan.noErrors();
  await fan.context.close();
});

/** What apps' own browsers lack, each in some: signatures, memory, announcements of sleep, a second window. */
const POOR = () => {
  crypto.subtle.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'));
  window.open = () => null;
  delete Navigator.prototype.serviceWorker;
  delete Navigator.prototype.locks;
  delete Navigator.prototype.wakeLock;
  delete window.Notification;
  delete window.BroadcastChannel;
  delete window.SharedWorker;
};
const APPS = {
  'an Android web view': 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36',
  'a social network’s app': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E219 Instagram 330.0.0.0',
};
for (const [which, userAgent] of Object.entries(APPS)) {
  test(`inside ${which} one joins and keeps the place, and is told where one is`, async () => {
    const fan = await device(chromium, { userAgent });
    await fan.page.addInitScript(POOR);
    const name = freshName('app');
    await fan.page.goto(`${stack().edge}/e/${stack().event}`);
    // Before joining: afterwards the turn may come at any moment, and with it the shop.
    const told = await fan.page.waitForFunction(() => document.querySelector('.in-app')?.innerText);
    assert.match(await told.jsonValue(), /inside an app/);
    await check(fan.page, which);
    await join(fan.page, name);
    const place = await placeOf(fan.page);
    const outside = await device(chromium);
    await join(outside.page, name);
    assert.equal(await placeOf(outside.page), place, 'the same place in the own browser');
    assert.equal(await outside.page.locator('.in-app').count(), 0);
    fan.noErrors();
    await Promise.all([fan.context.close(), outside.context.close()]);
  });
}
