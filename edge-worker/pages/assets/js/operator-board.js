// What the operator sees: numbers, stock as bars, a chart of the last minutes, errors and log.

import { fill, h, setText, show } from './dom.js';
import { clockTime, number, t } from './i18n.js';
import { sparkline } from './spark.js';

const TILES = ['beat', 'given', 'admitted', 'inside', 'rate', 'no_shows', 'buying', 'orders_left', 'sold', 'clock'];
const PARTS = ['sold', 'claimed', 'held', 'free', 'blocked'];

/** @param {string} id @param {Record<string, string>} names names of the price levels by id */
export function board(id, names) {
  const values = Object.fromEntries(TILES.map((key) => [key, h('dd', {}, '–')]));
  const name = h('h1', {}, id);
  const phase = h('p', { class: 'phase' });
  const message = h('p', { class: 'quiet' });
  const stock = h('div', { class: 'stock' });
  // They scroll, so the keyboard must reach them.
  const errors = h('ul', { class: 'log', tabindex: '0', 'aria-label': t('op.errors') });
  const log = h('ul', { class: 'log', tabindex: '0', 'aria-label': t('op.log') });
  const lanes = h('ul', {});
  const lanesCard = h('section', { class: 'card lanes', hidden: true }, h('h2', {}, t('op.lanes')), lanes);
  const chart = sparkline(['admitted', 'sold']);
  const el = h('div', { class: 'op' },
    h('header', { class: 'op-head' }, name, phase, message),
    h('dl', { class: 'tiles' }, TILES.map((key) => h('div', { class: 'tile' }, h('dt', {}, t(`op.${key}`)), values[key]))),
    lanesCard,
    h('div', { class: 'two' },
      h('section', { class: 'card' }, h('h2', {}, t('op.stock')), stock, keys()),
      h('section', { class: 'card' }, h('h2', {}, t('op.chart', { n: 300 })), chart.el)),
    h('div', { class: 'two' },
      h('section', { class: 'card' }, h('h2', {}, t('op.errors')), errors),
      h('section', { class: 'card' }, h('h2', {}, t('op.log')), log)));

  function update(live) {
    const seen = reading(live);
    setText(name, seen.name ?? id);
    setText(phase, t(`phase.${seen.phase}`));
    phase.dataset.phase = seen.phase;
    setText(message, [seen.orders?.stopped, seen.orders?.paused, seen.orders?.message].filter(Boolean).join(' · '));
    for (const key of TILES) if (key !== 'clock') setText(values[key], typeof seen[key] === 'number' ? number(seen[key]) : '–');
    fill(values.clock, seen.event_ms ? clockTime(seen.event_ms) : '–', h('span', { class: 'quiet' }, ` ${t(seen.run_ms > 0 ? 'op.running' : 'op.stands')}`));
    if (seen.rate_by === 'derived') fill(values.rate, number(seen.rate), h('span', { class: 'quiet' }, t('op.rate_derived')));
    fill(stock, stockRows(seen.stock, names));
    fill(lanes, laneRows(live));
    show(lanesCard, lanes.childElementCount > 0);
    fill(errors, seen.errors.length ? seen.errors.map(line) : h('li', {}, t('op.no_errors')));
    fill(log, seen.log.slice(-60).reverse().map(line));
    chart.push(seen.beat, { admitted: seen.admitted, sold: seen.sold });
  }
  return { el, update };
}

/** The lanes beside the main line, and the registration. */
function laneRows({ lanes = [], registration = null }) {
  const rows = lanes.map(({ name, share_percent: share, entries, given, admitted }) => t('op.lane', { name, share, entries: number(entries ?? 0), given: number(given ?? 0), admitted: number(admitted ?? 0) }));
  if (registration) rows.push(t(registration.drawn === null ? 'op.registered' : 'op.drawn', { registered: number(registration.registered), bound: number(registration.invited_up_to), withdrawn: number(registration.withdrawn) }));
  return rows.map((text) => h('li', {}, text));
}

/** The live JSON in the shape this page draws: missing parts are empty, never a broken page. */
export function reading(live) {
  const stock = live.stock ?? {};
  const clock = live.clock ?? {};
  return {
    ...live, stock, sold: stock.sold ?? 0, log: live.log ?? [], errors: live.errors ?? live.last_errors ?? [],
    no_shows: percent(live.no_show_permille), buying: percent(live.buying_permille),
    rate: live.rate ?? live.rate_per_minute, event_ms: clock.event_ms ?? clock.event ?? clock[1], run_ms: clock.run_ms ?? clock[2] ?? 0,
  };
}

/** What was learned of people, in whole percent. */
const percent = (permille) => (typeof permille === 'number' ? Math.round(permille / 10) : undefined);

function stockRows(stock, names) {
  const levels = Object.entries(stock.levels ?? {}).map(([level, counts]) => [names[level] ?? level, counts]);
  return [[t('op.all'), stock], ...levels].map(([label, counts]) => stockRow(label, counts));
}

function stockRow(label, counts) {
  const total = PARTS.reduce((sum, part) => sum + (counts[part] ?? 0), 0);
  const words = PARTS.filter((part) => counts[part]).map((part) => `${number(counts[part])} ${t(`op.${part}`).toLowerCase()}`).join(', ');
  const bar = h('div', { class: 'bar', role: 'img', 'aria-label': `${label}: ${words}` }, PARTS.map((part) => {
    const piece = h('i', { class: part });
    piece.style.minWidth = counts[part] ? '3px' : '0';
    piece.style.width = `${total ? (100 * (counts[part] ?? 0)) / total : 0}%`;
    return piece;
  }));
  return h('div', { class: 'stock-row' }, h('p', {}, h('strong', {}, label), h('span', { class: 'quiet' }, words)), bar);
}

const keys = () => h('ul', { class: 'keys' }, PARTS.map((part) => h('li', {}, h('span', { class: 'bar', 'aria-hidden': 'true' }, fullPiece(part)), t(`op.${part}`))));

function fullPiece(part) {
  const piece = h('i', { class: part });
  piece.style.width = '100%';
  return piece;
}

/** An error or log entry is a text or an object with a time and a text. */
function line(entry) {
  if (typeof entry === 'string') return h('li', {}, entry);
  const { at_ms: at, wall_ms: wall, ...rest } = entry;
  const when = at ?? wall;
  const text = rest.text ?? rest.message ?? rest.what ?? Object.entries(rest).map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(' · ');
  return h('li', {}, when ? `${clockTime(when)} ` : '', text);
}
