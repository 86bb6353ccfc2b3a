// The operator's page: it asks for a key, shows only what the role may do, sends what was typed, and says what was refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pages } from './pages.mjs';
import { browser, device } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const ORDERS = { paused: null, stopped: null, message: null, rate: null, closed: false };
const RUN = ['look', 'log', 'pause', 'resume', 'rate', 'message', 'stop', 'lift'];
const live = (role, may, more = {}) => ({
  id: 'demo', name: 'Night of the river', beat: 7, phase: 'open', orders: ORDERS, opens_at_ms: Date.now() - 1000, admitted: 5, given: 9, inside: 2,
  rate: 600, orders_left: 40, stock: { free: 100, held: 2, claimed: 0, sold: 3, blocked: 0, levels: {} }, clock: { event_ms: Date.now(), run_ms: 3000 },
  errors: [], log: [], you: { name: 'ada', role, may }, ...more,
});

async function open(state, act) {
  const server = await pages(state);
  const fan = await device(chromium, { desk: true });
  try {
    await fan.page.goto(`${server.url}/operator/demo`);
    await fan.page.fill('#op-key', 'good');
    await fan.page.keyboard.press('Enter');
    await fan.page.waitForSelector('.phase[data-phase=open]');
    await act(fan.page);
    fan.noErrors();
  } finally {
    await fan.context.close();
    server.close();
  }
}

const offered = (page) => page.locator('.op-do:visible .button').allInnerTexts();

test('who may only look sees no controls', () => open({ live: live('view', ['look', 'log']) }, async (page) => {
  assert.deepEqual(await offered(page), []);
  assert.equal(await page.innerText('#who'), 'ada, who may look');
}));

test('who runs the on-sale pauses it, goes on, and reads why something is refused', () => {
  const state = { live: live('run', RUN), calls: [] };
  return open(state, async (page) => {
    assert.deepEqual(await offered(page), ['Pause', 'Set the rate', 'Show the message', 'Emergency stop']);
    await page.fill('.op-do:has-text("Pause") input', 'We check the gates.');
    await page.click('.op-do .button:text-is("Pause")');
    await page.waitForSelector('text=Done: Pause.');
    assert.deepEqual(state.calls, [['pause', { reason: 'We check the gates.' }]]);
    state.live = live('run', RUN, { phase: 'paused', orders: { ...ORDERS, paused: 'We check the gates.' } });
    await page.click('.op-do .button:text-is("Go on after the pause")');
    await page.waitForSelector('text=Done: Go on after the pause.');
    state.refuse = { code: 'COMMAND_REFUSED', detail: 'the rate must be 1 to 1000000 a minute' };
    await page.fill('.op-do:has-text("Set the rate") input', '5');
    await page.click('.op-do .button:text-is("Set the rate")');
    await page.waitForSelector('text=Not done: Set the rate. the rate must be 1 to 1000000 a minute');
    if (process.env.ONSALE_SCREENSHOTS) await page.screenshot({ path: `${process.env.ONSALE_SCREENSHOTS}/operator.png`, fullPage: true });
  });
});

test('lanes and registration are shown, and more people are invited', () => {
  const lottery = {
    lanes: [{ id: 'won', name: 'Invited', share_percent: 80, entries: 40, given: 30, admitted: 20 }],
    registration: { registered: 1200, drawn: 1200, invited_up_to: 50, withdrawn: 3 },
  };
  const state = { live: live('admin', [...RUN, 'invite'], lottery), calls: [] };
  return open(state, async (page) => {
    const text = await page.innerText('.lanes');
    assert.match(text, /Invited \(80 %\): 40 joined, 30 numbered, 20 admitted/);
    assert.match(text, /1,200 registered, invited up to rank 50, 3 of them withdrew/);
    const form = page.locator('.op-do', { hasText: 'Invite more' });
    await form.locator('input').fill('25');
    await form.locator('.button').click();
    await page.waitForSelector('text=Done: Invite more.');
    assert.deepEqual(state.calls, [['invite', { count: 25 }]]);
  });
});

test('an emergency stop is asked twice; only an admin may move the opening or close', () => {
  const may = [...RUN, 'open-early', 'postpone', 'close'];
  const state = { live: live('admin', may, { opens_at_ms: Date.now() + 3_600_000 }), calls: [] };
  return open(state, async (page) => {
    for (const label of ['Open early', 'Postpone', 'Close for good']) assert.ok((await offered(page)).includes(label), label);
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.fill('.op-do:has-text("Emergency stop") input', 'fire');
    await page.click('.op-do .button:text-is("Emergency stop")');
    assert.deepEqual(state.calls, []);
    page.once('dialog', (dialog) => dialog.accept());
    await page.click('.op-do .button:text-is("Emergency stop")');
    await page.waitForSelector('text=Done: Emergency stop.');
    assert.deepEqual(state.calls, [['stop', { reason: 'fire' }]]);
  });
});
