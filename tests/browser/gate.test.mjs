// The gate's page on a phone, with a camera that shows tickets, and without a network.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, check, device } from './stack.mjs';
import { DOORS, announced, film, golden, plan, signed } from './gate.mjs';
import { pages } from './pages.mjs';

const SHOTS = process.env.ONSALE_SCREENSHOTS;
const GOOD = signed('A-1-1', 1);
const folder = mkdtempSync(join(tmpdir(), 'onsale-gate-'));
const [CODES, KIT] = [join(folder, 'codes.y4m'), { event: join(folder, 'event.json'), list: join(folder, 'gate.json'), layout: join(folder, 'layout.json') }];
const SEAT = 'Ночь — 西側スタンド, row 1, seat';
let chromium;

before(async () => {
  film(CODES, [null, GOOD, null, null, null, signed('A-1-2', 1), null, null, null]);
  writeFileSync(KIT.event, announced());
  writeFileSync(KIT.list, golden('gate.json'));
  writeFileSync(KIT.layout, plan());
  chromium = await browser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-video-capture=${CODES}`);
});
after(async () => {
  await chromium?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function shot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** The page in the hour after the doors open. */
async function opened(server, options = {}) {
  const fan = await device(chromium, options);
  await fan.page.clock.setFixedTime(DOORS + 3_600_000);
  if (options.native) await fan.page.addInitScript((code) => { globalThis.BarcodeDetector = class { static getSupportedFormats = async () => ['qr_code']; detect = async () => [{ rawValue: code }]; }; }, options.native);
  await fan.page.goto(`${server.url}/gate`);
  await fan.page.waitForSelector('.gate form');
  return fan;
}

async function equip(page, name = 'north', kit = [KIT.event, KIT.list, KIT.layout]) {
  await page.fill('#gate-device', name);
  await page.setInputFiles('#gate-files', kit);
  await page.click('text=Take this kit');
}

const said = (page) => page.locator('.answer').evaluate((el) => [el.dataset.said, el.innerText.replaceAll('\n', ' ')]);

async function types(page, code) {
  const before = await page.textContent('.gate > .quiet >> nth=1');
  await page.fill('#gate-code', code);
  await page.click('text=Check');
  await page.waitForFunction((old) => document.querySelectorAll('.gate > .quiet')[1].textContent !== old, before);
  return said(page);
}

for (const colorScheme of ['light', 'dark']) {
  test(`the camera lets a ticket in once, and names a revoked one: ${colorScheme}`, async () => {
    const server = await pages({});
    const { page, noErrors } = await opened(server, { colorScheme, permissions: ['camera'] });
    await check(page, 'the kit is asked for');
    await shot(page, `gate-setup-${colorScheme}`);
    await equip(page, 'north', [KIT.layout, KIT.list, KIT.event]);
    await page.waitForSelector('.answer');
    await page.click('text=Start the camera');
    await page.waitForSelector('.answer[data-said=in]', { timeout: 30_000 });
    assert.deepEqual(await said(page), ['in', `✓ In ${SEAT} 1 This ticket is good.`]);
    await check(page, 'let in');
    await shot(page, `gate-in-${colorScheme}`);
    await page.waitForFunction(() => /given back/.test(document.querySelector('.answer').textContent), null, { timeout: 30_000 });
    assert.equal((await said(page))[0], 'no');
    // The film begins anew: the same ticket comes a second time.
    await page.waitForFunction(() => /In since/.test(document.querySelector('.answer').textContent), null, { timeout: 30_000 });
    assert.match((await said(page))[1], new RegExp(`^✗ No ${SEAT} 1 In since \\d\\d:\\d\\d:\\d\\d, by the device north\\.$`));
    await check(page, 'refused');
    await shot(page, `gate-no-${colorScheme}`);
    await page.click('text=Stop the camera');
    assert.equal(await page.locator('video').isVisible(), false);
    noErrors();
    server.close();
  });
}

test('a browser that reads codes itself is asked first', async () => {
  const server = await pages({});
  const { page } = await opened(server, { permissions: ['camera'], native: signed('A-1-6', 1) });
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await equip(page);
  await page.click('text=Start the camera');
  await page.waitForSelector('.answer[data-said=in]');
  assert.ok((await said(page))[1].includes(`${SEAT} 6`));
  assert.equal(asked.some((url) => url.includes('/vendor/')), false);
  server.close();
});

test('without a network it opens again, knows what was scanned, and reads tickets', async () => {
  const server = await pages({});
  const { page, context } = await opened(server, { permissions: ['camera'] });
  await equip(page);
  await page.waitForSelector('.answer');
  assert.equal((await types(page, GOOD))[0], 'in');
  await page.waitForFunction(() => /without a network/.test(document.querySelector('#who').textContent));
  server.close();
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('.answer');
  assert.match(await page.textContent('.gate'), /Tickets let in: 1/);
  assert.match((await types(page, GOOD))[1], /西側スタンド, row 1, seat 1 In since/, 'the names are kept, too');
  await page.click('text=Start the camera');
  await page.waitForFunction(() => /given back/.test(document.querySelector('.answer').textContent), null, { timeout: 30_000 });
});

test('devices tell each other: the first scan counts, each other one is named; a bad kit or file changes nothing', async () => {
  const server = await pages({});
  const { page } = await opened(server);
  for (const [kit, words] of [[[KIT.event, KIT.event], /not the files/], [[bad('signature.json', golden('gate.json').replace('"A-1-3":2', '"A-1-3":1')), KIT.event], /forged or damaged/], [[KIT.list, bad('other.json', announced({ id: 'other' }))], /different events/], [[KIT.list, KIT.event, bad('old.json', plan({ version: 'v0' }))], /another plan/]]) {
    await equip(page, 'north', kit);
    await page.waitForFunction((text) => new RegExp(text).test(document.querySelector('.bad:not([hidden])')?.textContent), words.source);
  }
  await equip(page);
  await page.waitForSelector('.answer');
  assert.equal((await types(page, GOOD))[0], 'in');
  await page.click('summary >> text=Other devices');
  const south = { device: 'south', n: 1, at: DOORS + 60_000, list: 1_811_996_400_000, said: 'admitted', place: 'A-1-1', revision: 1, order: 'CQkJCQkJCQkJCQkJCQkJCQ' };
  await page.setInputFiles('#gate-scans', bad('broken.jsonl', `${JSON.stringify(south)}\n{"device":"south"}\n`));
  await page.waitForSelector('text=Nothing was taken');
  assert.equal(await page.locator('.conflicts li').count(), 0);
  await page.setInputFiles('#gate-scans', bad('south.jsonl', `${JSON.stringify(south)}\n`));
  await page.waitForSelector('.conflicts li');
  assert.match(await page.textContent('.conflicts li'), /西側スタンド, row 1, seat 1 was let in more than once: first \d\d:21:00 \(south\), then \d\d:20:00 \(north\)/);
  await check(page, 'a conflict');
  await shot(page, 'gate-twice');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save the scans')]);
  assert.equal(download.suggestedFilename(), 'scans-north.jsonl');
  const lines = (await (await download.createReadStream()).toArray()).join('').trim().split('\n').map((one) => JSON.parse(one));
  assert.deepEqual(lines.map(({ device: name, n, said: word }) => [name, n, word]), [['north', 1, 'admitted'], ['south', 1, 'admitted']]);
  server.close();
});

/** A file with something in it. */
function bad(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
