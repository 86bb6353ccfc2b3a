// Writes docs/screenshot.png: the stadium in the shop, on a desk. Run against a stack that has been open for a while.

import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { browser, device, freshName, join, reachShop } from './stack.mjs';

const out = fileURLToPath(new URL('../../docs/screenshot.png', import.meta.url));
const chromium = await browser();
const { page } = await device(chromium, { desk: true });
await join(page, freshName('Visitor').slice(0, 7));
await reachShop(page);
await page.waitForTimeout(3000);
await page.screenshot({ path: out });
await chromium.close();
console.log(`${out}: ${Math.round(statSync(out).size / 1024)} KB`);
