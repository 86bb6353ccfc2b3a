// Lanes as fans use them: a presale code typed on the page, and the registration lottery from registering to the invitation.
// Each journey has an event of its own, imported by the command line, because only the origin's events are drawn.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, device, freshName, importEvent, onsale, stack, time, withFile } from './stack.mjs';

const PLAN = { name: 'Field', size: { width: 100, height: 100 }, categories: [], zones: [] };

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

/** Imports an event of standing places that opens then, with these lanes. */
function event(word, opensIn, lanes) {
  const id = `${word}-${Date.now()}`;
  const toml = `id = "${id}"
name = "Field of ${word}"
venue = "The field"
zone = "Europe/Berlin"
opens_at = "${time(Date.now() + opensIn)}"
ends_at = "${time(Date.now() + 86_400_000)}"
currency = "EUR"
plan = "plan.json"

[limits]
per_account = 4

[door]
rate_per_minute = 600
grace_ms = 1000

${lanes}

[[levels]]
id = "standing"
name = "Standing"
price = "20.00"

[[pools]]
id = "field"
name = "Field"
level = "standing"
capacity = 200
`;
  importEvent(id, toml, PLAN);
  return id;
}

/** Opens the event, and waits until everybody has what was imported. */
async function visit(fan, id) {
  const { edge } = stack();
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`${edge}/v1/events/${id}/status.json`);
    if (answer.ok) break;
    assert.ok(tries < 60, `the event is there: ${answer.status}`);
    await new Promise((resolve) => { setTimeout(resolve, 500); });
  }
  await fan.page.goto(`${edge}/e/${id}`);
}

const shoot = async (page, name) => {
  if (process.env.ONSALE_SCREENSHOTS) await page.screenshot({ path: `${process.env.ONSALE_SCREENSHOTS}/${name}.png`, fullPage: true });
};

const place = (page, id) => page.evaluate(async (event) => (await fetch(`/v1/events/${event}/line`)).json(), id);

test('a presale code typed on the page leads into its lane, and to the turn', async () => {
  const id = event('club', 40_000, '[[lanes]]\nid = "club"\nname = "Club members"\nshare_percent = 30\naccess = "codes"');
  const imported = withFile('codes.txt', 'CLUB-2027,club,1\n', (file) => onsale('event', 'import-codes', file, '--event', id));
  assert.match(imported, /1 codes imported/);
  const [fan, other] = [await device(chromium), await device(chromium)];
  await visit(fan, id);
  await fan.page.fill('#sign-in-name', freshName('member'));
  await fan.page.click('.sign-in .button');
  await fan.page.waitForSelector('.stage[data-face=in_draw]');
  await fan.page.fill('#presale-code', 'CLUB-2072');
  await fan.page.click('.lanes .button');
  await fan.page.waitForFunction(() => /There is no such code/.test(document.querySelector('.lanes').innerText));
  await check(fan.page, 'the code was wrong');
  await shoot(fan.page, 'code-wrong');
  await fan.page.fill('#presale-code', 'club 2027');
  await fan.page.click('.lanes .button');
  await fan.page.waitForFunction(() => /You are in the lane “Club members”/.test(document.querySelector('.lanes').innerText));
  await shoot(fan.page, 'lane');
  assert.equal((await place(fan.page, id)).lane, 1);
  await fan.page.reload();
  await fan.page.waitForFunction(() => /You are in the lane/.test(document.querySelector('.lanes')?.innerText ?? ''));
  // The code was for one.
  await visit(other, id);
  await other.page.fill('#sign-in-name', freshName('late'));
  await other.page.click('.sign-in .button');
  await other.page.waitForSelector('#presale-code');
  await other.page.fill('#presale-code', 'CLUB-2027');
  await other.page.click('.lanes .button');
  await other.page.waitForFunction(() => /used as often as it can be/.test(document.querySelector('.lanes').innerText));
  // Alone in the lane, and one of two in the main line, where the member stands as well.
  for (const [one, most] of [[fan, 1], [other, 2]]) {
    await one.page.waitForURL('**/shop', { timeout: 90_000 });
    assert.ok((await place(one.page, id)).place <= most);
  }
  await fan.page.goto(`${stack().edge}/e/${id}/check`);
  await fan.page.waitForSelector('.steps');
  const report = await fan.page.innerText('.check');
  assert.match(report, /This lane was drawn by the organiser/);
  assert.doesNotMatch(report, /✗/);
  await shoot(fan.page, 'lane-check');
  fan.noErrors();
  other.noErrors();
  await Promise.all([fan.context.close(), other.context.close()]);
});

test('people register, see their rank, and join by their invitation', async () => {
  const now = Date.now();
  const lanes = `[[lanes]]
id = "won"
name = "Invited"
share_percent = 80
access = "invitation"

[registration]
opens_at = "${time(now - 60_000)}"
draws_at = "${time(now + 60_000)}"
invited = 1`;
  const id = event('lottery', 300_000, lanes);
  const fans = [await device(chromium), await device(chromium)];
  for (const fan of fans) {
    await visit(fan, id);
    await fan.page.fill('#register-name', freshName('registrant'));
    await shoot(fan.page, 'register');
    await fan.page.click('.registration .sign-in .button');
    await fan.page.waitForSelector('.registration[data-face=registered]');
  }
  await check(fans[0].page, 'registered');
  await shoot(fans[0].page, 'registered');
  const faces = await Promise.all(fans.map(async (fan) => {
    await fan.page.waitForSelector('.registration[data-face=invited], .registration[data-face=waits]', { timeout: 120_000 });
    return fan.page.getAttribute('.registration', 'data-face');
  }));
  assert.deepEqual([...faces].sort(), ['invited', 'waits'], 'one is invited, the other is next');
  const [won, next] = faces[0] === 'invited' ? fans : [fans[1], fans[0]];
  assert.match(await next.page.innerText('.registration'), /rank 2\. People up to rank 1 are invited so far/);
  await shoot(next.page, 'waits');
  await shoot(won.page, 'invited');
  await won.page.click('.registration .button:has-text("Join by invitation")');
  await won.page.waitForFunction(() => /You are in the lane “Invited”/.test(document.querySelector('.lanes').innerText));
  assert.match(onsale('event', 'invite', '1', '--event', id), /invited from the next beat on/);
  await next.page.waitForSelector('.registration[data-face=invited]', { timeout: 60_000 });
  await next.page.click('.registration .button:has-text("Withdraw")');
  await next.page.waitForSelector('.registration[data-face=withdrawn]');
  fans.forEach((fan) => fan.noErrors());
  await Promise.all(fans.map((fan) => fan.context.close()));
});
