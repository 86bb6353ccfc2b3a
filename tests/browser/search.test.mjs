// The search for events as people use it: by keyboard, page by page, near them, in scripts of both directions, and when it is out.
// Answers are made up here; what a search finds is tested where the index is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pages } from './pages.mjs';
import { browser, check, device } from './stack.mjs';

let chromium;
before(async () => { chromium = await browser(); });
after(() => chromium?.close());

const DAY_MS = 86_400_000;
const event = (id, more = {}) => ({
  id, name: `Night ${id}`, venue: 'Harbour Hall', zone: 'Europe/Berlin', currency: 'EUR', from_minor: 2145, to_minor: 10_450, left: 'plenty',
  starts_at_ms: Date.now() + 30 * DAY_MS, ends_at_ms: Date.now() + 31 * DAY_MS, opens_at_ms: Date.now() - DAY_MS, ...more,
});

test('a search is an address; results come page by page, and the keyboard goes on where they are', async () => {
  const asked = [];
  const search = (params) => {
    asked.push(Object.fromEntries(params));
    if (params.get('after')) return [200, { events: [event('three', { left: 'none' })], next: null }];
    return [200, { events: [event('one', { name: 'حفلة أمّ كلثوم', address: 'Quay 1' }), event('two', { left: 'few', opens_at_ms: Date.now() + DAY_MS })], next: 7 }];
  };
  const server = await pages({ search });
  const fan = await device(chromium);
  await fan.page.goto(`${server.url}/`);
  await fan.page.waitForSelector('.found');
  assert.deepEqual(asked, [{}]);
  assert.equal(await fan.page.innerText('#results'), 'The next 2 events');
  await check(fan.page, 'the list of events');
  await fan.page.fill('#search-q', 'نايت');
  await fan.page.keyboard.press('Enter');
  await fan.page.waitForURL('**/?q=*');
  assert.equal(new URL(fan.page.url()).search, `?q=${encodeURIComponent('نايت')}`, 'what was left empty is not in the address');
  await fan.page.waitForSelector('.found');
  assert.equal(asked.at(-1).q, 'نايت');
  assert.equal(await fan.page.inputValue('#search-q'), 'نايت', 'a reload shows what was searched for');
  await fan.page.focus('.cards .button');
  await fan.page.keyboard.press('Enter');
  await fan.page.waitForSelector('.found a[href="/e/three"]:focus');
  assert.deepEqual([asked.at(-1).after, await fan.page.locator('.found').count(), await fan.page.locator('.cards .button').count()], ['7', 3, 0]);
  await fan.page.goBack();
  await fan.page.waitForSelector('.found');
  assert.equal(new URL(fan.page.url()).search, '');
  fan.noErrors();
  await fan.context.close();
  server.close();
});

for (const colorScheme of ['light', 'dark']) {
  for (const desk of [false, true]) {
    const where = `${colorScheme}, ${desk ? 'desk' : 'phone'}`;
    test(`found events and a search for nothing are readable: ${where}`, async () => {
      const description = 'Two hours of songs from both banks of the river, with a break. '.repeat(3);
      const events = [event('one', { name: 'حفلة أمّ كلثوم', address: 'شارع 26 يوليو، القاهرة', left: 'few', distance_km: 3.4 }),
        event('two', { name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenausstellungseröffnungskonzert', description }),
        event('three', { name: '東京ナイト・ジャズ', left: 'none', opens_at_ms: Date.now() + DAY_MS })];
      const state = { search: () => [200, { events, next: 7 }] };
      const server = await pages(state);
      const fan = await device(chromium, { desk, colorScheme });
      const look = async (query, wanted, name) => {
        await fan.page.goto(`${server.url}/?q=${encodeURIComponent(query)}&available=1`);
        await fan.page.waitForSelector(wanted);
        await check(fan.page, `${name}, ${where}`);
        if (process.env.ONSALE_SCREENSHOTS) await fan.page.screenshot({ path: `${process.env.ONSALE_SCREENSHOTS}/${name} ${where}.png`, fullPage: true });
      };
      await look('حفلة', '.found', 'search');
      assert.equal(await fan.page.evaluate(() => getComputedStyle(document.querySelector('#search-q')).direction), 'rtl', 'as it is written');
      state.search = () => [200, { events: [], next: null }];
      await look('nothing', '.try', 'search for nothing');
      assert.equal(await fan.page.evaluate(() => getComputedStyle(document.querySelector('#search-q')).direction), 'ltr');
      fan.noErrors();
      await fan.context.close();
      server.close();
    });
  }
}

test('near me asks the device when it is pressed, and not before', async () => {
  let last = null;
  const server = await pages({ search: (params) => { last = params; return [200, { events: [event('one', { distance_km: 3.4 })], next: null }]; } });
  const fan = await device(chromium, { geolocation: { latitude: 53.5438, longitude: 9.9876 }, permissions: ['geolocation'] });
  await fan.page.goto(`${server.url}/`);
  await fan.page.waitForSelector('.found');
  assert.equal(last.get('near'), null);
  await fan.page.click('.near .button');
  await fan.page.waitForURL('**near=*');
  await fan.page.waitForSelector('.near [aria-pressed=true]');
  assert.deepEqual([last.get('near'), last.get('within_km')], ['53.54,9.99', '50'], 'no more of the place than a search needs');
  assert.match(await fan.page.innerText('.found'), /3 km away/);
  await fan.page.click('.near .button');
  await fan.page.waitForURL((url) => !url.search.includes('near'));
  fan.noErrors();
  await fan.context.close();
  server.close();
});

test('nothing found, a senseless search and a search that is out say so', async () => {
  const state = { search: () => [200, { events: [], next: null }] };
  const server = await pages(state);
  const fan = await device(chromium, { desk: true });
  const shows = async (query, text) => {
    await fan.page.goto(`${server.url}/${query}`);
    await fan.page.waitForFunction((wanted) => document.querySelector('#results')?.textContent === wanted, text);
  };
  await shows('', 'No event is listed here right now.');
  await shows('?q=nobody&from=2027-01-01&available=1', 'Nothing fits this search');
  assert.match(await fan.page.innerText('.try'), /Fewer or shorter words/);
  await check(fan.page, 'a search that finds nothing');
  await fan.page.focus('.try a');
  assert.equal(await fan.page.innerText('.try a:focus'), 'Search on any day');
  await fan.page.keyboard.press('Enter');
  await fan.page.waitForURL((url) => url.search === '?q=nobody&available=1');
  await fan.page.waitForSelector('.try');
  assert.deepEqual(await fan.page.locator('.try a').allInnerTexts(), ['Also show events without tickets left', 'Show all events'], 'only what was asked for can be left out');
  state.search = () => [429, { code: 'SEARCH_TOO_FAST', status: 429, title: 'Too many searches came from here', retry_after_ms: 1000 }];
  await shows('?q=again', 'One moment, please');
  assert.match(await fan.page.innerText('[role=alert]:not(.visually-hidden)'), /Wait a moment, then search again/);
  state.search = () => [400, { code: 'QUERY_INVALID', status: 400, detail: 'q: has neither letters nor digits' }];
  await shows('?q=%3F', 'This search makes no sense');
  assert.match(await fan.page.innerText('[role=alert]:not(.visually-hidden)'), /neither letters nor digits/);
  state.search = () => [503, { code: 'SEARCH_UNAVAILABLE', status: 503, title: 'The search does not answer' }];
  await shows('?q=night', 'The search does not answer');
  await fan.page.fill('#event-id', 'demo');
  await fan.page.keyboard.press('Enter');
  await fan.page.waitForURL('**/e/demo');
  await fan.context.close();
  server.close();
});
