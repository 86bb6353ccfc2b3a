// Signing in at a real OpenID Connect provider, and everything that must not sign anybody in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, device, freshName, stack } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const provider = () => {
  assert.ok(process.env.ONSALE_PROVIDER, 'ONSALE_PROVIDER is the issuer of the provider that the stack knows');
  return process.env.ONSALE_PROVIDER;
};

/** A token signed to order. */
async function token({ header = {}, claims = {}, by = header.alg ?? 'RS256' } = {}) {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: provider(), sub: 'ada', aud: 'onsale', nonce: 'n-1', iat: now, exp: now + 300, email_verified: true, ...claims };
  const order = { header: { alg: 'RS256', typ: 'JWT', ...header }, claims: all, by };
  return (await fetch(`${provider()}/test/sign`, { method: 'POST', body: JSON.stringify(order) })).text();
}

async function session(body) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${stack().edge}/v1/session`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  return { status: answer.status, cookie: answer.headers.get('set-cookie'), ...(await answer.json()) };
}

/** Signs in at the provider's own pages, which take any login. */
async function atProvider(page, login) {
  await page.waitForSelector('input[name=login]');
  await page.fill('input[name=login]', login);
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.waitForSelector('button[type=submit]:has-text("Continue")');
  await page.click('button[type=submit]');
}

test('a fan signs in at the provider, joins, and finds the same place on another device', async () => {
  const { edge, event } = stack();
  const login = freshName('oidc').replaceAll(' ', '-');
  const indexes = [];
  for (let devices = 0; devices < 2; devices += 1) {
    const fan = await device(chromium);
    await fan.page.goto(`${edge}/e/${event}`);
    await fan.page.click('#sign-in-provider');
    await atProvider(fan.page, login);
    await fan.page.waitForURL(`${edge}/e/${event}`);
    if (devices === 0) await fan.page.click('.one .button');
    await fan.page.waitForSelector('.stage[data-face=in_draw], .stage[data-face=numbering], .stage[data-face=waiting], .stage[data-face=turn], .shop');
    const entry = await fan.page.evaluate(async (id) => (await fetch(`/v1/events/${id}/line`)).json(), event);
    indexes.push(`${entry.shard} ${entry.epoch} ${entry.index}`);
    const cookies = await fan.context.cookies(edge);
    const account = cookies.find((cookie) => cookie.name === 'onsale_account');
    assert.ok(account.httpOnly && account.sameSite === 'Lax');
    assert.ok(!cookies.some((cookie) => cookie.name === 'onsale_sign_in'), 'the attempt is over');
    fan.noErrors();
  }
  assert.equal(indexes[0], indexes[1]);
});

test('a fan who gives up at the provider, or comes back on another way, is told and can try again', async () => {
  const { edge, event } = stack();
  const fan = await device(chromium);
  await fan.page.goto(`${edge}/v1/session/start?to=/e/${event}`);
  await fan.page.waitForSelector('input[name=login]');
  await fan.page.goto(`${edge}/v1/session/callback?code=made-up&state=somebody-elses`);
  await fan.page.waitForSelector('.join > .bad:not([hidden])');
  assert.match(await fan.page.textContent('.join > .bad'), /did not work/);
  assert.equal(fan.page.url(), `${edge}/e/${event}`);
  assert.ok(await fan.page.isVisible('#sign-in-provider'));
  const alone = await fetch(`${edge}/v1/session/callback?code=x&state=y`, { redirect: 'manual' });
  assert.equal((await alone.json()).code, 'SIGN_IN_FAILED', 'no attempt of this browser');
  const away = await fetch(`${edge}/v1/session/start?to=https://evil.example/`, { redirect: 'manual' });
  assert.ok(!away.headers.get('set-cookie').includes('evil'), 'nobody is sent elsewhere');
});

test('good ID tokens of both algorithms make the account of issuer and subject', async () => {
  const [rsa, ec] = [await session({ id_token: await token(), nonce: 'n-1' }), await session({ id_token: await token({ header: { alg: 'ES256' } }), nonce: 'n-1' })];
  assert.equal(rsa.status, 200, JSON.stringify(rsa));
  assert.equal(ec.status, 200, JSON.stringify(ec));
  assert.equal(rsa.account, ec.account);
  assert.match(rsa.cookie, /onsale_account=.*HttpOnly; SameSite=Lax/);
  const other = await session({ id_token: await token({ claims: { sub: 'bo' } }), nonce: 'n-1' });
  assert.notEqual(other.account, rsa.account);
  const joined = await fetch(`${stack().edge}/v1/events/${stack().event}/line`, { method: 'POST', headers: { 'x-account-token': rsa.token } });
  assert.equal(joined.status, 201);
});

test('nothing else does', async () => {
  const now = Math.floor(Date.now() / 1000);
  const good = await token();
  const [header, claims, signature] = good.split('.');
  const table = [
    ['another issuer', { claims: { iss: 'https://evil.example' } }, /issuer/],
    ['another audience', { claims: { aud: 'shop' } }, /client/],
    ['several audiences without an authorised party', { claims: { aud: ['onsale', 'shop'] } }, /client/],
    ['another authorised party', { claims: { azp: 'shop' } }, /client/],
    ['another nonce', { claims: { nonce: 'n-2' } }, /nonce/],
    ['no nonce', { claims: { nonce: undefined } }, /nonce/],
    ['expired', { claims: { iat: now - 400, exp: now - 100 } }, /expired/],
    ['from the future', { claims: { iat: now + 300, exp: now + 600 } }, /not valid yet/],
    ['not before later', { claims: { nbf: now + 300 } }, /not valid yet/],
    ['issued long ago', { claims: { iat: now - 3600 } }, /too long ago/],
    ['alg none', { header: { alg: 'none' }, by: 'none' }, /RS256 or ES256/],
    ['HS256 under the public key', { header: { alg: 'HS256', kid: 'rsa-1' }, by: 'public' }, /RS256 or ES256/],
    ['RS256 said, HMAC done', { header: { alg: 'RS256' }, by: 'public' }, /signature/],
    ['RS256 under the key for ES256', { header: { alg: 'ES256', kid: 'rsa-1' }, by: 'ES256' }, /no such key/],
    ['an unknown key', { header: { kid: 'made-up' } }, /no such key/],
    ['a stranger with the right key id', { by: 'stranger' }, /signature/],
    ['an access token', { header: { typ: 'at+jwt' } }, /signed token/],
    ['critical extensions', { header: { crit: ['b64'] } }, /signed token/],
  ].map(async ([what, order, why]) => [what, await token(order), why]);
  const texts = [
    ['truncated', good.slice(0, -20), /signature|signed token/],
    ['without its signature', `${header}.${claims}.`, /signature/],
    ['two parts', `${header}.${claims}`, /signed token/],
    ['other claims', `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`, /signature/],
    ['garbage', 'x', /signed token/],
  ];
  for (const [what, text, why] of [...(await Promise.all(table)), ...texts]) {
    const answer = await session({ id_token: text, nonce: 'n-1' });
    assert.equal(`${answer.status} ${answer.code}`, '401 ID_TOKEN_INVALID', what);
    assert.match(answer.detail, why, what);
    assert.equal(answer.cookie, null, what);
  }
  for (const body of ['', '{', '{}', '{"id_token":7,"nonce":"n"}', `{"id_token":"${good}","nonce":""}`]) {
    assert.equal((await session(body)).code, 'BAD_REQUEST', body);
  }
});

test('the provider changes its keys: one more reading finds them, made-up key ids do not cause more', async () => {
  const old = await token();
  await fetch(`${provider()}/test/renew`);
  let answer;
  // A reading follows the one before it at ten seconds' distance.
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    answer = await session({ id_token: await token(), nonce: 'n-1' });
    if (answer.status === 200) break;
    assert.match(answer.detail, /no such key/);
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
  assert.equal(answer.status, 200);
  assert.match((await session({ id_token: old, nonce: 'n-1' })).detail, /no such key/);
});
