// One account has one place, whatever its tabs, devices and reloads do; and the status cannot be forged.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, device, freshName, join, placeOf, reachShop, stack } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

test('two tabs and another device have one place; reload and closing keep it', async () => {
  const { edge, event } = stack();
  const name = freshName('Mary');
  const [one, other] = [await device(chromium), await device(chromium)];
  await join(one.page, name);
  const tab = await one.context.newPage();
  await tab.goto(`${edge}/e/${event}`);
  await join(other.page, name);
  const place = await placeOf(one.page);
  assert.equal(await placeOf(tab), place, 'another tab');
  assert.equal(await placeOf(other.page), place, 'another device');
  await one.page.reload();
  assert.equal(await placeOf(one.page), place, 'after a reload');
  await one.page.close();
  const later = await one.context.newPage();
  await later.goto(`${edge}/e/${event}`);
  await later.waitForSelector('.stage:not([data-face=join_line], [data-face=join_draw]), .shop');
  assert.equal(await placeOf(later), place, 'after closing the tab');
  one.noErrors();
  other.noErrors();
});

test('the place can be worked out again in the browser', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('Hedy'));
  const place = await placeOf(fan.page);
  // Once inside, the event page stays where it is; before, it would go into the shop when the turn comes.
  await reachShop(fan.page);
  await fan.page.goto(`${stack().edge}/e/${stack().event}`);
  await fan.page.waitForSelector('.proof:not([hidden]) .button');
  await fan.page.click('.proof .button');
  await fan.page.waitForSelector('.check-result .good, .check-result .bad');
  assert.match(fan.page.url(), /\/check$/);
  const text = await fan.page.textContent('.check-result');
  assert.ok(text.includes(`place ${place.toLocaleString('en')}. That is the place you were given.`), text);
  const states = await fan.page.$$eval('.step', (steps) => steps.map((step) => step.dataset.state));
  assert.deepEqual(states, ['good', 'good', 'good', 'good', 'open', 'good'], text);
  assert.match(text, /Round \d+ of the public beacon/);
  fan.noErrors();
});

test('a draw file or a proof that lies is noticed', async () => {
  const fan = await device(chromium);
  await join(fan.page, freshName('Sofya'));
  await placeOf(fan.page);
  const lies = [
    ['**/draw/*.json', (draw) => ({ ...draw, beacon: { ...draw.beacon, round: draw.beacon.round + 1 } }), /is not the one that follows from the time of the list|not the one that the signed status names/],
    ['**/line/proof', (proof) => ({ ...proof, pseudonym: proof.pseudonym.replace(/^./, (c) => (c === '0' ? '1' : '0')) }), /does not show your entry/],
  ];
  for (const [path, lie, said] of lies) {
    await fan.page.route(path, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: lie(await answer.json()) });
    });
    await fan.page.goto(`${stack().edge}/e/${stack().event}/check`);
    await fan.page.waitForSelector('.check-result .bad');
    assert.match(await fan.page.textContent('.check-result'), said);
    await fan.page.unroute(path);
  }
});

test('a status with a bad signature or a lower beat is refused', async () => {
  const fan = await device(chromium);
  const { page } = fan;
  const forged = [];
  await page.route('**/status.json', async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    if (forged.length === 0) forged.push(text);
    const body = forged[1] === 'sig' ? text.replace(/"phase":"\w+"/, '"phase":"closed"') : text;
    await route.fulfill({ response: answer, body: forged[1] === 'beat' ? forged[0] : body });
  });
  await page.goto(`${stack().edge}/e/${stack().event}`);
  await page.waitForSelector('.stage[data-face]:not([data-face=loading])');
  await page.waitForTimeout(2500);
  for (const kind of ['sig', 'beat']) {
    forged[1] = kind;
    await page.waitForFunction(() => /The line is paused, your place is safe/.test(document.querySelector('.stage .notice').textContent), null, { timeout: 60_000 });
    assert.notEqual(await page.getAttribute('.stage', 'data-face'), 'closed', kind);
    forged[1] = 'none';
    await page.waitForSelector('.stage .notice', { state: 'hidden', timeout: 60_000 });
  }
});

test('a page without WebCrypto’s Ed25519 works all the same', async () => {
  const fan = await device(chromium);
  await fan.page.addInitScript(() => {
    crypto.subtle.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'));
  });
  await fan.page.goto(`${stack().edge}/e/${stack().event}`);
  await fan.page.waitForSelector('.stage[data-face]:not([data-face=loading])');
  fan.noErrors();
});
