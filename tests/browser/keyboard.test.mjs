// From the event page to a ticket with the keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, device, freshName, stack, reachShop } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

/** Presses Tab until the focus is on what `selector` names; what takes more than `most` presses is out of reach. */
async function tabTo(page, selector, most = 60) {
  for (let n = 0; n < most; n += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached with Tab`);
}

test('keyboard only: sign in, join, choose from the list, hold, pay', async () => {
  const { edge, event } = stack();
  const fan = await device(chromium, { desk: true });
  const { page } = fan;
  await page.goto(`${edge}/e/${event}`);
  await page.waitForSelector('#sign-in-name');
  await tabTo(page, '#sign-in-name');
  await page.keyboard.type(freshName('Joan'));
  await page.keyboard.press('Enter');
  await reachShop(page);
  await tabTo(page, '#tab-map');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-list', 'aria-selected'), 'true');
  await tabTo(page, '#list-section');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, '.seat-button[aria-disabled=false]');
  await page.keyboard.press('Space');
  await page.waitForSelector('.seat-button[aria-pressed=true]');
  await tabTo(page, '.basket .button', 200);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.hold .checkout');
  await tabTo(page, 'input[name=method]');
  await tabTo(page, '.checkout .button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.ticket .qr svg', { timeout: 30_000 });
  fan.noErrors();
});

test('the map moves, zooms and chooses with the keyboard', async () => {
  const fan = await device(chromium, { desk: true });
  const { page } = fan;
  await page.goto(`${stack().edge}/e/${stack().event}`);
  await page.fill('#sign-in-name', freshName('Rosa'));
  await page.keyboard.press('Enter');
  await reachShop(page);
  await page.focus('.map-canvas');
  for (let i = 0; i < 12; i += 1) await page.keyboard.press('+');
  // Seat by seat to the right and row by row down, until one is chosen.
  for (let i = 0; i < 400 && !(await page.locator('.basket-lines li').count()); i += 1) {
    await page.keyboard.press(i % 12 === 11 ? 'ArrowDown' : 'ArrowRight');
    await page.keyboard.press('Enter');
  }
  assert.equal(await page.locator('.basket-lines li').count(), 1);
  await page.keyboard.press('0');
  fan.noErrors();
});
