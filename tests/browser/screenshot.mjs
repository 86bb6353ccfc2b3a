// Writes docs/screenshot.png: the stadium in the shop, on a desk. Run against a stack that has been open for a while.

import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { browser, device, freshName, join, reachShop } from './stack.mjs';

const out = fileURLToPath(new URL('../../docs/screenshot.png', import.meta.url));
const chromium = await browser();
const { page } = await device(chromium, { desk: true, viewport: { width: 1060, height: 700 } });
await join(page, freshName('Visitor').slice(0, 7));
await reachShop(page);
await page.click('#tab-list');
await page.selectOption('#list-section', { index: 41 });
for (const n of [3, 3]) await page.click(`.seat-button[aria-disabled=false][aria-pressed=false] >> nth=${n}`);
await page.click('#tab-map');
await page.waitForTimeout(1000);
await page.screenshot({ path: out });
await chromium.close();
console.log(`${out}: ${Math.round(statSync(out).size / 1024)} KB`);
