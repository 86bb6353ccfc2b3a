// What people in line read, state by state: numbers, waits, pauses, hopeless places, stock; and that nobody can feed them
// something else. ONSALE_SCREENSHOTS names a folder to keep pictures of each state in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pages } from './pages.mjs';
import { browser, device } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

/** Opens the page in a state and hands on the fan, the state to change, and what the stage says. */
async function open(state, act, { script } = {}) {
  const server = await pages(state);
  const fan = await device(chromium);
  try {
    if (script) await fan.page.addInitScript(script);
    await fan.page.goto(`${server.url}/e/demo`);
    await fan.page.waitForSelector('.stage[data-face]:not([data-face=loading])');
    await act(fan.page, async (pattern) => {
      await fan.page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector('.event').innerText), [pattern.source], { timeout: 20_000 }).catch(async () => {
        assert.match(await fan.page.innerText('.event'), pattern);
      });
    });
    fan.noErrors();
  } finally {
    await fan.context.close();
    server.close();
  }
}

const shoot = async (page, name) => {
  if (process.env.ONSALE_SCREENSHOTS) await page.screenshot({ path: `${process.env.ONSALE_SCREENSHOTS}/${name}.png`, fullPage: true });
};

const fact = (page, label) => page.locator('.facts-grid div', { hasText: label }).locator('dd').innerText();

test('place, people ahead, rate and time are always there, as true numbers', () => open({ place: 78_659 , status: { turns: 200_000 } }, async (page, reads) => {
  await reads(/78,659/);
  assert.equal(await page.innerText('.big'), '78,659');
  assert.deepEqual([await fact(page, 'People ahead'), await fact(page, 'Let in'), await fact(page, 'Expected wait')], ['77,658', '600 a minute', 'about 2 hours']);
  assert.match(await fact(page, 'Last movement'), /^\d\d:\d\d:\d\d$/);
  await shoot(page, 'waiting');
}));

test('a hopeless place is told plainly and early, without a number of minutes', () => open({ place: 78_659, status: { turns: 6250 } }, async (page, reads) => {
  await reads(/You will most likely not get one/);
  assert.match(await fact(page, 'Expected wait'), /gone before/);
  await shoot(page, 'hopeless');
}));

test('half of the tickets away, it is said that it may not be enough', () => open({ place: 5000, status: { turns: 6250 } }, async (page, reads) => {
  await reads(/There may not be enough tickets/);
  assert.match(await fact(page, 'Expected wait'), /minutes/);
}));

test('a wait beyond the end of the sale is said in words', () => open({ place: 50_000, status: { rate: 1, turns: 1e6 } }, async (page, reads) => {
  await reads(/later than the sale lasts/);
  assert.doesNotMatch(await page.innerText('.event'), /about [\d,]+ days/);
}));

test('a pause shows its reason, the message and the last movement; afterwards the line goes on', () => {
  const state = { place: 3000, status: {} };
  return open(state, async (page, reads) => {
    await reads(/about 3 minutes/);
    state.status = { phase: 'paused', why: 'We check the gates.', msg: 'It goes on at about 10:30.', moved: Date.now() - 60_000, clock: [Date.now(), Date.now(), 0] };
    await reads(/The line is paused, your place is safe\. We check the gates\. It last moved at \d\d:\d\d:\d\d\. It goes on at about 10:30\./);
    assert.match(await fact(page, 'Expected wait'), /unknown while the line stands/);
    await reads(/The wait is longer than shown before: the line stands\./);
    await shoot(page, 'paused');
    state.status = { beat: 101, phase: 'stopped', why: 'A fire alarm.' };
    await reads(/The sale is stopped for the moment\. Your place, your seats and your time are safe\. A fire alarm\./);
    await shoot(page, 'stopped');
    state.status = { beat: 102, phase: 'paused', why: 'origin' };
    await reads(/The box office does not answer; it goes on by itself/);
    state.status = { beat: 103 };
    await reads(/about 3 minutes/);
    await page.waitForSelector('.stage > .notice', { state: 'hidden' });
    await page.waitForFunction(() => !/longer than shown/.test(document.body.innerText));
  });
});

test('a wait that rises says why', () => {
  const state = { place: 4000, status: {} };
  return open(state, async (page, reads) => {
    await reads(/about 5 minutes/);
    state.status = { rate: 200 };
    await reads(/fewer people are let in a minute/);
    assert.match(await fact(page, 'Expected wait'), /15 minutes/);
  });
});

test('stock is shown by price level, and follows', () => {
  const state = { place: 3000, status: {} };
  return open(state, async (page, reads) => {
    await reads(/Many left/);
    state.status = { bands: { front: 'none', back: 'few' } };
    await reads(/None left/);
    assert.deepEqual(await page.locator('.band').allInnerTexts(), ['None left', 'Few left']);
  });
});

test('before the opening the page explains the draw, after it the line', () => {
  const soon = Date.now() + 60_000;
  const before = { phase: 'prequeue', opens: soon, admitted: 0, given: 0, joined: 77_658, turns: 6250, moved: null };
  const state = { status: before, event: { opens_at_ms: soon } };
  return open(state, async (page, reads) => {
    await reads(/How it works: the draw/);
    await reads(/77,658 people have joined so far\. That is far more than the tickets will last for: most will not get one\./);
    await shoot(page, 'before');
    state.status = { ...before, opens: soon - 15_000 };
    await reads(/The opening was moved\./);
    await reads(/0:[234]\d/);
    await shoot(page, 'moved');
    state.status = { phase: 'open', joined: 77_658, turns: 200_000 };
    await reads(/How it works: the line/);
    assert.doesNotMatch(await page.innerText('.event'), /How it works: the draw/);
  });
});

test('what is sold is said before it is sold: the show, its day by the venue’s clock, its place, and what draws', async () => {
  const soon = Date.now() + 60_000;
  const status = { phase: 'prequeue', opens: soon, admitted: 0, given: 0, joined: 7, turns: 6250, moved: null };
  const show = { opens_at_ms: soon, starts_at_ms: Date.UTC(2027, 5, 12, 18), address: 'Quay 1, Hamburg', description: 'One night on land.' };
  await open({ status, event: { ...show, beacon: { name: 'any' } } }, async (page, reads) => {
    await reads(/Night of the river\s+Sat, Jun 12, 2027, 08:00 PM GMT\+2\s+Arena, Quay 1, Hamburg\s+One night on land\./);
    await reads(/a public random number that nobody knows before the opening/);
  });
  await open({ status, event: { opens_at_ms: soon } }, async (page, reads) => {
    await reads(/Night of the river\s+Arena\s+On sale/);
    await reads(/Its fingerprint is published now/);
  });
});

test('errors at the front cost neither the turn nor the place', () => {
  const state = { place: 3000, status: {} };
  return open(state, async (page, reads) => {
    await reads(/1,999/);
    Object.assign(state, { lineFails: true, failures: 4, status: { admitted: 3000 } });
    await page.waitForSelector('.stage[data-face=turn]');
    await page.waitForURL('**/shop', { timeout: 40_000 });
    assert.equal(state.failures, 0, 'each failed claim was tried again');
  });
});

const WITHOUT_ED25519 = () => { crypto.subtle.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError')); };
for (const [how, options] of [['WebCrypto', {}], ['the bundled verifier', { script: WITHOUT_ED25519 }]]) {
  test(`a status that is forged or old is refused, by ${how}`, () => {
    const state = { place: 3000, status: {} };
    return open(state, async (page, reads) => {
      await reads(/1,999/);
      const lies = [{ forge: true, status: { beat: 200, phase: 'sold_out' } }, { forge: false, status: { beat: 99, phase: 'sold_out' } }];
      for (const lie of lies) {
        const asked = page.waitForResponse(async (answer) => answer.url().endsWith('/status.json') && /sold_out/.test(await answer.text()));
        Object.assign(state, lie);
        await asked;
        await page.waitForTimeout(300);
        assert.equal(await page.getAttribute('.stage', 'data-face'), 'waiting', JSON.stringify(lie));
      }
      Object.assign(state, { forge: false, status: { beat: 201, phase: 'sold_out' } });
      await page.waitForSelector('.stage[data-face=sold_out]', { timeout: 40_000 });
    }, options);
  });
}
