// What every journey needs: the running stack's addresses, a browser, and a fan's first steps.
// A missing browser or ready file is a failure, never a skip.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SMALLEST_PX = 44;
const ONSALE = fileURLToPath(new URL('../../target/debug/onsale', import.meta.url));
const CHROMIUM = '/usr/bin/chromium';
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** A turn needs the opening (60 s after the start of the demo) and the line before us. */
export const TURN_MS = 240_000;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const DESK = { viewport: { width: 1280, height: 860 } };

/** @returns {{edge: string, event: string, operatorKey: string, mails: string, payments: string}} addresses of the stack under test */
export function stack() {
  const file = process.env.ONSALE_READY_FILE;
  assert.ok(file, 'ONSALE_READY_FILE names the ready file of a running `onsale up`');
  const ready = JSON.parse(readFileSync(file, 'utf8'));
  const found = { edge: ready.edge_url ?? ready.edge, event: ready.event_id ?? ready.event, operatorKey: ready.operator_key, mails: ready.mails, payments: ready.payments };
  for (const [name, value] of Object.entries(found)) assert.ok(value, `the ready file has no ${name}`);
  return { ...found, edge: found.edge.replace(/\/$/, '') };
}

/** A browser, closed after the tests of the file. */
export const browser = (...more) => chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more], headless: true });

let count = 0;
/** A name nobody else has: one account, one place. */
export const freshName = (word) => `${word} ${process.pid}-${Date.now()}-${(count += 1)}`;

/** A device of its own: cookies and storage are not shared with others. Page errors fail the test at its end. */
export async function device(on, { desk = false, ...more } = {}) {
  const context = await on.newContext({ ...(desk ? DESK : PHONE), timezoneId: 'Europe/Berlin', ...more });
  const errors = [];
  context.on('weberror', (error) => errors.push(String(error.error())));
  context.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text());
  });
  return { context, page: await context.newPage(), noErrors: () => assert.deepEqual(errors, []) };
}

/** Opens the event, signs in, joins. */
export async function join(page, name) {
  const { edge, event } = stack();
  await page.goto(`${edge}/e/${event}`);
  await page.fill('#sign-in-name', name);
  await page.click('.sign-in .button');
  await page.waitForSelector('.stage[data-face=in_draw], .stage[data-face=numbering], .stage[data-face=waiting], .stage[data-face=turn], .shop');
}

/** Waits for the turn; the page goes into the shop by itself. */
export async function reachShop(page) {
  await page.waitForSelector('.shop .map-canvas', { timeout: TURN_MS });
}

/** The number in the line, once it is known. Read from the worker, as the page does. */
export async function placeOf(page) {
  const { event } = stack();
  for (let tries = 0; tries < 240; tries += 1) {
    const place = await page.evaluate(async (id) => (await (await fetch(`/v1/events/${id}/line`)).json()).place, event);
    if (place) return place;
    await page.waitForTimeout(500);
  }
  throw new Error('no number was given');
}

/** Takes the best seats of the cheapest choice and waits for the hold. */
export async function holdBest(page, quantity = 2) {
  await page.click('#tab-quick');
  await page.selectOption('#quick-n', String(quantity));
  await page.click('.quick .button');
  await page.waitForSelector('.hold .checkout');
}

/** An operator's command. */
export async function operate(command, body = {}) {
  const { edge, event, operatorKey } = stack();
  const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${edge}/v1/operator/events/${event}/${command}`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${command}: ${answer.status}`);
}

/** The tool beside this stack, as an operator calls it. @returns {string} what it prints */
export const onsale = (...args) => execFileSync(ONSALE, ['--state', path.dirname(process.env.ONSALE_READY_FILE), ...args], { encoding: 'utf8' });

/** A time as definitions of events write it. */
export const time = (ms) => new Date(ms).toISOString().replace(/\.\d+/, '');

/** Hands a file of this text to what is done with it. */
export function withFile(name, text, act) {
  const folder = mkdtempSync(path.join(tmpdir(), 'onsale-'));
  try {
    writeFileSync(path.join(folder, name), text);
    return act(path.join(folder, name), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts an event on sale by the command line: its definition, which calls its plan `plan.json`. */
export function importEvent(id, definition, plan) {
  withFile(`${id}.toml`, definition, (file, folder) => {
    writeFileSync(path.join(folder, 'plan.json'), JSON.stringify(plan));
    onsale('event', 'import', file);
  });
}

/** No serious or critical violation by axe, no sideways scroll, touch targets of 44 px. */
export async function check(page, where) {
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
