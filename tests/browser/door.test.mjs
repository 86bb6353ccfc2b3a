// The door step: a riddle that the browser works out, a code by mail with the keyboard alone, the way without JavaScript,
// a busy door, and the page inside another site's frame.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { browser, check, device, freshName, stack } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

/** An event beside the demo with these checks; nobody sells it, the line is enough. */
async function eventWith(checks) {
  const { edge, event, operatorKey } = stack();
  const demo = await (await fetch(`${edge}/v1/events/${event}`)).json();
  const id = `door-${Date.now()}`;
  const opens = Date.now() + 600_000;
  const body = JSON.stringify({ ...demo, id, name: 'The door', opens_at_ms: opens, ends_at_ms: opens + 3_600_000, checks });
  const put = await fetch(`${edge}/v1/operator/events/${id}`, { method: 'PUT', headers: { authorization: `Bearer ${operatorKey}` }, body });
  assert.equal(put.status, 200, await put.text());
  return id;
}

/** The code in the newest mail to an address. */
async function codeFor(mail) {
  const all = await (await fetch(stack().mails)).json();
  return all.filter((one) => one.to === mail).at(-1).text.match(/\b\d{8}\b/)[0];
}

test('the browser works out the riddle by itself', async () => {
  const fan = await device(chromium);
  await fan.page.goto(`${stack().edge}/e/${await eventWith({ challenge: 'work', work_bits: 10 })}`);
  await fan.page.fill('#sign-in-name', freshName('Grace'));
  await fan.page.click('.sign-in .button');
  await fan.page.waitForSelector('.stage[data-face=in_draw]');
  fan.noErrors();
});

test('a code by mail, with the keyboard alone, while the riddle is paused', async () => {
  const fan = await device(chromium, { desk: true });
  const { page } = fan;
  await page.goto(`${stack().edge}/e/${await eventWith({ challenge: 'work', work_bits: 18 })}`);
  await page.fill('#sign-in-name', freshName('Blind buyer'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.door:not([hidden])');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'One check first', 'the focus is where the step begins');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.textContent('.door-work button'), 'Go on', 'paused');
  await check(page, 'the door step');
  const mail = `${freshName('fan').replace(/\W/g, '-')}@example.org`;
  await page.keyboard.press('Tab');
  await page.keyboard.type(mail);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#door-code:focus');
  await page.keyboard.type('00000000');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.door .bad:not([hidden])');
  await page.fill('#door-mail', mail);
  await page.press('#door-mail', 'Enter');
  await page.waitForSelector('#door-code:focus');
  await page.keyboard.type(await codeFor(mail));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.stage[data-face=in_draw]');
  fan.noErrors();
});

test('without JavaScript: sign in, code by mail, place', async () => {
  const { page, noErrors } = await device(chromium, { javaScriptEnabled: false });
  const name = freshName('Plain');
  const mail = `${name.replace(/\W/g, '-')}@example.org`;
  await page.goto(`${stack().edge}/e/${await eventWith({ challenge: 'work' })}`);
  await page.click('noscript .button, form.notice .button');
  await page.fill('#name', name);
  await page.click('.sign-in .button');
  await page.click('.sign-in .button');
  await page.fill('#mail', 'nobody');
  await page.fill('#mail', mail);
  await page.click('.sign-in .button');
  await page.fill('#code', '00000000');
  await page.click('.sign-in .button');
  assert.match(await page.textContent('.bad'), /not passed/);
  await page.fill('#mail', mail);
  await page.click('.sign-in .button');
  await page.fill('#code', await codeFor(mail));
  await page.click('.sign-in .button');
  assert.equal(await page.textContent('.stage h2'), 'You are in');
  noErrors();
});

test('a busy door: the page goes on trying and says that the arrival time is safe', async () => {
  const fan = await device(chromium);
  const { page } = fan;
  let sent = 0;
  await page.route('**/line', async (route) => {
    if (route.request().method() !== 'POST' || (sent += 1) > 2) return route.continue();
    const problem = { code: 'LINE_BUSY', status: 503, title: 'busy', stamp: 'x', retry_after_ms: 900 };
    return route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  await page.goto(`${stack().edge}/e/${await eventWith({})}`);
  await page.fill('#sign-in-name', freshName('Early'));
  await page.click('.sign-in .button');
  await page.waitForFunction(() => /Your arrival time is safe/.test(document.querySelector('.join').textContent));
  await page.waitForSelector('.stage[data-face=in_draw]');
  assert.equal(sent, 3);
  fan.noErrors();
});

test('inside another site’s frame there is a link to the page itself, and nothing else', async () => {
  const url = `${stack().edge}/e/${stack().event}`;
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(`<iframe src="${url}" width="380" height="500"></iframe>`));
  await new Promise((ready) => { site.listen(0, '127.0.0.1', ready); });
  const fan = await device(chromium);
  await fan.page.goto(`http://127.0.0.1:${site.address().port}/`);
  const frame = fan.page.frameLocator('iframe');
  await frame.locator('a.button').waitFor();
  assert.equal(await frame.locator('a.button').getAttribute('href'), url);
  assert.equal(await frame.locator('form, input').count(), 0, 'nothing to be tricked into');
  site.close();
});
