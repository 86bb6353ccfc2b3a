// axe on every page and view, light and dark: no serious or critical violation; touch targets of 44 px; no sideways scroll.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, device, freshName, holdBest, join, reachShop, stack } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

for (const colorScheme of ['light', 'dark']) {
  test(`list, event, line, shop, hold, order: ${colorScheme}`, async () => {
    const { edge, event } = stack();
    const { page, noErrors } = await device(chromium, { colorScheme });
    await page.goto(`${edge}/`);
    await page.waitForSelector('main h1');
    await check(page, 'the list');
    await page.goto(`${edge}/e/${event}`);
    await page.waitForSelector('#sign-in-name');
    await check(page, 'the event');
    await join(page, freshName('Wanda'));
    if (!(await page.locator('.shop').count())) await check(page, 'the line');
    await reachShop(page);
    for (const tab of ['map', 'list', 'quick']) {
      await page.click(`#tab-${tab}`);
      await check(page, `the shop, ${tab}`);
    }
    await holdBest(page, 1);
    await check(page, 'the hold');
    await page.check('input[value=pm_card_visa]');
    await page.click('.checkout .button');
    await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
    await check(page, 'the order');
    await page.goto(`${edge}/e/${event}`);
    await page.waitForSelector('.proof:not([hidden])');
    await page.click('.proof .button');
    await page.waitForSelector('.check-result .good');
    await check(page, 'the check');
    noErrors();
  });

  test(`operator: ${colorScheme}`, async () => {
    const { edge, event, operatorKey } = stack();
    const { page, noErrors } = await device(chromium, { colorScheme });
    await page.goto(`${edge}/operator/${event}`);
    await page.waitForSelector('#op-key');
    await check(page, 'the key');
    await page.fill('#op-key', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.op-key .bad');
    await page.fill('#op-key', operatorKey);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.phase[data-phase]');
    await page.waitForTimeout(2200);
    await check(page, 'the live view');
    assert.ok(Number((await page.textContent('.tile dd >> nth=0')).replace(/\D/g, '')) > 0, 'the beat is shown');
    assert.equal(new URL(page.url()).search, '', 'the key is not in the address');
    noErrors();
  });
}
