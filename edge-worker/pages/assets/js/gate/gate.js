// Who is let in. The twin of domain::gate::{Gate, Scans}: the same ladder, the same scans, the same first of two.

import { BadKit } from './kit.js';
import { claimed, placeOf } from './ticket.js';

const FIELDS = ['device', 'n', 'at', 'list', 'said', 'place', 'revision', 'order'];

/** Two different scans of one device with one number: two devices have one name, or a file was edited. */
export class Contradiction extends Error {}

/** The scans of all devices that are known: a set that only grows. */
export class Scans {
  #all = new Map();

  #admitted = new Map();

  constructor(scans = []) {
    scans.forEach((scan) => this.merge(scan));
  }

  /** @returns whether it is new */
  merge(scan) {
    const key = JSON.stringify([scan.device, scan.n]);
    const known = this.#all.get(key);
    if (known && line(known) !== line(scan)) throw new Contradiction(scan.device);
    if (known) return false;
    this.#all.set(key, scan);
    if (scan.said === 'admitted') this.#let(scan);
    return true;
  }

  #let(scan) {
    const ticket = ticketOf(scan);
    const scans = [...(this.#admitted.get(ticket) ?? []), scan].sort(earlier);
    this.#admitted.set(ticket, scans);
  }

  all() {
    return [...this.#all.values()];
  }

  of(device) {
    return this.all().filter((scan) => scan.device === device);
  }

  /** The scan that let a ticket in: the first by the devices' clocks. */
  first(scan) {
    return this.#admitted.get(ticketOf(scan))?.[0];
  }

  /** Tickets let in, scans refused, and every ticket that was let in more than once. */
  report() {
    const conflicts = [...this.#admitted.values()].filter((scans) => scans.length > 1).map(([first, ...later]) => ({ first, later }));
    return { tickets: this.#admitted.size, refused: this.all().filter((scan) => scan.said !== 'admitted').length, conflicts };
  }
}

const ticketOf = ({ place, revision }) => JSON.stringify([place, revision]);
const earlier = (a, b) => a.at - b.at || (a.device < b.device ? -1 : a.device > b.device ? 1 : a.n - b.n);

/** A scan as one line of `scans.jsonl`. */
export const line = (scan) => JSON.stringify(scan, FIELDS);

/** The scans of a file. @throws if a line is none */
export function readScans(text) {
  return text.split('\n').filter((one) => one.trim()).map((one) => {
    const scan = JSON.parse(one);
    const whole = typeof scan?.device === 'string' && [scan.n, scan.at, scan.list].every(Number.isSafeInteger) && typeof scan.said === 'string';
    if (!whole || Object.keys(scan).some((name) => !FIELDS.includes(name))) throw new SyntaxError('no scan');
    return scan;
  });
}

/** One device's gate. */
export class Gate {
  /** @param {string} device @param {{list: object, keys: Map<number, Function>, name: (place: string) => string}} kit @param {Scans} scans */
  constructor(device, { list, keys, name }, scans) {
    if (scans.of(device).some((scan) => scan.list > list.issued)) throw new BadKit('older');
    Object.assign(this, { device, list, keys, name, scans });
  }

  /** The next scan of this device. It counts once it is kept: see `Scans.merge`. */
  async scan(payload, now) {
    const ticket = claimed(payload.trim());
    const false_ = await this.#falsehood(ticket);
    const n = this.scans.of(this.device).reduce((most, scan) => Math.max(most, scan.n), 0) + 1;
    const scan = { device: this.device, n, at: now, list: this.list.issued };
    if (false_) return { ...scan, said: false_ };
    const known = { place: placeOf(ticket), revision: ticket.revision, order: ticket.order };
    return { ...scan, said: this.#judge(known, now), ...known };
  }

  /** Why it is no genuine ticket of this event; null if it is one. */
  async #falsehood(ticket) {
    if (!ticket) return 'no_ticket';
    if (ticket.event !== this.list.event) return 'wrong_event';
    const verify = this.keys.get(ticket.key);
    if (!verify) return 'unknown_key';
    return (await verify(ticket.signature, ticket.signed)) ? null : 'forged';
  }

  #judge(ticket, now) {
    const { from, until, least } = this.list;
    if (from !== null && now < from) return 'too_early';
    if (now >= until) return 'over';
    if (Object.hasOwn(least, ticket.place) && ticket.revision < least[ticket.place]) return 'revoked';
    return this.scans.first(ticket) ? 'already' : 'admitted';
  }
}
