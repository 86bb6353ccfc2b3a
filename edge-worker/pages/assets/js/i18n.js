// Texts, numbers, money and times in the fan's language. Texts live in ../locales/<language>.js, one file each;
// a new language is a new file and a line in LOADERS. Times follow the fan's own locale even where texts are English.

import en from '../locales/en.js';

const LOADERS = { en: async () => ({ default: en }) };

let language = 'en';
let texts = en;

/** Chooses the first language of the browser that we have. Call once, before anything is shown. */
export async function loadLocale(wanted = navigator.languages ?? ['en']) {
  const found = wanted.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => LOADERS[tag]);
  language = found ?? 'en';
  texts = { ...en, ...(await LOADERS[language]()).default };
  document.documentElement.lang = language;
}

/**
 * The text for `key`; `{name}` is replaced from `args`. With a number `n` in `args`, the plural form
 * `key.one`, `key.other`, … is taken where it exists, and `{n}` is written in the language's digits.
 */
export function t(key, args = {}) {
  const text = (typeof args.n === 'number' && texts[`${key}.${plural(args.n)}`]) || texts[key] || texts[`${key}.other`] || key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? shown(args[name]) : whole));
}

/** True if the language file has this text: server codes we have no words for fall back to the server's own. */
export const hasText = (key) => key in texts;

const plural = (n) => new Intl.PluralRules(language).select(n);
const shown = (value) => (typeof value === 'number' ? number(value) : value);

/** A whole number with separators. */
export const number = (n) => new Intl.NumberFormat(language).format(n);

/** @param {number} minor amount in minor units @param {string} currency ISO 4217 */
export function money(minor, currency) {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  return format.format(minor / 10 ** format.resolvedOptions().maximumFractionDigits);
}

/** A point in time with weekday and offset, as "Sun, 6 Dec 2026, 10:00 GMT+1". @param {string} [zone] IANA name */
export function dateTime(ms, zone) {
  const options = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: zone, timeZoneName: 'shortOffset' };
  return new Intl.DateTimeFormat(navigator.language, options).format(ms);
}

/** Hour, minute and second. */
export const clockTime = (ms) => new Intl.DateTimeFormat(navigator.language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(ms);

/** The zone the fan's device is set to. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A remaining time as "9:05" or "2:09:05". Rounded up: it reaches 0:00 only when nothing is left. */
export function countdown(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(s / 3600), Math.floor(s / 60) % 60, s % 60];
  const two = (n) => String(n).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A duration in words, coarse: waits are estimates. */
export function duration(ms) {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return t('time.under_minute');
  if (minutes < 90) return t('time.minutes', { n: minutes });
  const hours = Math.round(minutes / 30) / 2;
  return hours < 48 ? t('time.hours', { n: hours }) : t('time.days', { n: Math.round(hours / 24) });
}
