// The gate on a phone: its camera, the kit that was put on it, and no network.

import { fill, h, setText, show } from './dom.js';
import { once, watch } from './gate/camera.js';
import { Gate, Scans, line, readScans } from './gate/gate.js';
import { readKit } from './gate/kit.js';
import { Store } from './gate/store.js';
import { clockTime, hasText, loadLocale, t } from './i18n.js';

const body = h('div', { class: 'gate' });
let store;
let turn = Promise.resolve();

async function start() {
  await loadLocale();
  document.title = t('gate.title');
  fill(document.querySelector('main'), h('h1', {}, t('gate.title')), body);
  stayHere();
  try {
    store = await Store.open();
    const kit = await store.kit();
    await (kit ? open(kit) : Promise.resolve(fill(body, setup())));
  } catch (error) {
    fill(body, h('p', { class: 'bad', role: 'alert' }, reason(error)), setup());
  }
}

/** The page stays on the device. Browsers that keep nothing still show it for as long as it is open. */
async function stayHere() {
  const registration = await navigator.serviceWorker?.register('/gate-worker.js', { scope: '/gate' }).catch(() => null);
  if (!registration) return;
  const worker = (await navigator.serviceWorker.ready).active;
  setText(document.querySelector('#who'), t('gate.offline_ready'));
  if (navigator.onLine) worker?.postMessage('newest');
}

function reason(error) {
  const key = `gate.kit.${error.reason}`;
  return hasText(key) ? t(key) : t('gate.trouble');
}

/** Asks for a name and the kit's files; a new list for a device that has a name keeps the name. */
function setup(device = '') {
  const name = h('input', { id: 'gate-device', required: true, maxlength: '40', value: device, readonly: Boolean(device), autocapitalize: 'off', autocomplete: 'off' });
  const files = h('input', { id: 'gate-files', type: 'file', required: true, multiple: true, accept: '.json,application/json' });
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const take = async (event) => {
    event.preventDefault();
    try {
      const kit = { device: name.value.trim(), ...(await kitOf(files.files)) };
      new Gate(kit.device, await readKit(kit), new Scans(await store.scans())); // refuses what is not to be used
      await store.keepKit(kit);
      await open(kit);
    } catch (error) {
      setText(trouble, reason(error));
      show(trouble, true);
    }
  };
  return h('form', { class: 'card', onsubmit: take }, h('p', {}, t('gate.setup')), h('label', { for: name.id }, t('gate.device')), name,
    h('label', { for: files.id }, t('gate.files')), files, trouble, h('button', { class: 'button' }, t('gate.take_kit')));
}

/** Which of the files is which is told by what is in them. */
async function kitOf(files) {
  const texts = await Promise.all([...files].map((file) => file.text()));
  const list = texts.find((text) => text.trimEnd().endsWith('"}') && text.includes(',"sig":"'));
  const event = texts.find((text) => text !== list && text.includes('"ticket_keys"'));
  return { list: list ?? '', event: event ?? '', layout: texts.find((text) => text !== list && text !== event) ?? '' };
}

async function open(kit) {
  const gate = new Gate(kit.device, await readKit(kit), new Scans(await store.scans()));
  const answer = h('div', { class: 'answer', role: 'status' }, h('strong', {}, t('gate.ready')));
  const counts = h('p', { class: 'quiet' });
  const twice = h('ul', { class: 'conflicts' });
  const told = () => tell(gate, counts, twice);
  const seen = (payload) => { turn = turn.then(() => scan(gate, payload, answer)).then(told); return turn; };
  fill(body, h('p', { dir: 'auto' }, h('strong', {}, gate.list.name)), h('p', { class: 'quiet' }, t('gate.this_device', { device: kit.device, time: clockTime(gate.list.issued) })),
    answer, camera(seen), byHand(seen), counts, twice, others(gate, told), h('details', {}, h('summary', {}, t('gate.new_kit')), setup(kit.device)));
  told();
}

/** Nobody is let in before the scan is on the disk. */
async function scan(gate, payload, answer) {
  try {
    const made = await gate.scan(payload, Date.now());
    const first = made.said === 'already' ? gate.scans.first(made) : null;
    await store.keep([made]);
    gate.scans.merge(made);
    answer.dataset.said = made.said === 'admitted' ? 'in' : 'no';
    fill(answer, h('strong', {}, t(made.said === 'admitted' ? 'gate.in' : 'gate.no')), made.place && h('span', { class: 'place', dir: 'auto' }, gate.name(made.place)),
      h('span', {}, first ? t('gate.said.already_at', { time: clockTime(first.at), device: first.device }) : t(`gate.said.${made.said}`)));
  } catch {
    answer.dataset.said = 'no';
    fill(answer, h('strong', {}, t('gate.no')), h('span', {}, t('gate.not_kept')));
  }
}

function tell(gate, counts, twice) {
  const { tickets, refused, conflicts } = gate.scans.report();
  setText(counts, t('gate.counts', { tickets, refused }));
  fill(twice, conflicts.map(({ first, later }) => h('li', { class: 'bad' }, t('gate.twice', {
    place: gate.name(first.place), first: `${clockTime(first.at)} (${first.device})`, later: later.map((one) => `${clockTime(one.at)} (${one.device})`).join(', '),
  }))));
}

function camera(seen) {
  const video = h('video', { playsinline: true, muted: true, hidden: true, 'aria-label': t('gate.camera') });
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true }, t('gate.no_camera'));
  let stop = null;
  const act = async () => {
    show(trouble, false);
    if (stop) stop();
    stop = stop ? null : await watch(video, once(seen)).catch(() => { show(trouble, true); return null; });
    show(video, Boolean(stop));
    setText(button, t(stop ? 'gate.stop' : 'gate.start'));
  };
  const button = h('button', { type: 'button', class: 'button', onclick: act }, t('gate.start'));
  return h('div', { class: 'gate' }, video, h('div', { class: 'actions' }, button), trouble);
}

/** Scanners that type, and codes that are read out by another device. */
function byHand(seen) {
  const code = h('input', { id: 'gate-code', required: true, autocapitalize: 'off', autocomplete: 'off', spellcheck: 'false' });
  const take = (event) => {
    event.preventDefault();
    seen(code.value);
    code.value = '';
  };
  return h('form', { onsubmit: take }, h('label', { for: code.id }, t('gate.code')), code, h('button', { class: 'button secondary' }, t('gate.check')));
}

/** What devices tell each other: files with scans, in any order and any number of times. */
function others(gate, told) {
  const files = h('input', { id: 'gate-scans', type: 'file', multiple: true });
  const word = h('p', { role: 'status' });
  files.onchange = async () => {
    setText(word, await meet(gate, files.files).then((n) => t('gate.met', { n }), () => t('gate.not_met')));
    told();
  };
  const save = () => {
    const url = URL.createObjectURL(new Blob(gate.scans.all().map((one) => `${line(one)}\n`), { type: 'application/x-ndjson' }));
    h('a', { href: url, download: `scans-${gate.device}.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return h('details', {}, h('summary', {}, t('gate.others')), h('button', { type: 'button', class: 'button secondary', onclick: save }, t('gate.save')),
    h('label', { for: files.id }, t('gate.meet')), files, word);
}

/** All files or nothing: a set with all of it is made first, then it is kept, then it counts. */
async function meet(gate, files) {
  const read = (await Promise.all([...files].map((file) => file.text()))).flatMap(readScans);
  const all = new Scans(gate.scans.all());
  const fresh = read.filter((scan) => all.merge(scan));
  await store.keep(fresh);
  fresh.forEach((scan) => gate.scans.merge(scan));
  return fresh.length;
}

start();
