// axe on every page and view, light and dark: no serious or critical violation; touch targets of 44 px; no sideways scroll.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { browser, device, freshName, holdBest, join, reachShop, stack } from './stack.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SMALLEST_PX = 44;
let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

async function check(page, where) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`));
  assert.deepEqual(found, [], `axe at ${where}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${where} scrolls sideways by ${wide} px`);
  const small = await page.evaluate((least) => [...document.querySelectorAll('button, .button, select, input, [role=tab]')]
    .map((el) => el.closest('label') ?? el).filter((el) => el.checkVisibility()).map((el) => [el, el.getBoundingClientRect()])
    .filter(([, box]) => box.height < least - 0.5 || box.width < least - 0.5).map(([el]) => el.outerHTML.slice(0, 90)), SMALLEST_PX);
  assert.deepEqual(small, [], `touch targets at ${where}`);
}

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
    await page.waitForSelector('.proof-result .good');
    await check(page, 'the proof');
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
