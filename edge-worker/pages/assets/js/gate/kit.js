// A gate kit: the event's public keys and its signed list. The twin of domain::gate::List.

import { concat, utf8 } from '../bytes.js';
import { verifier } from '../ed25519.js';
import { names } from './names.js';
import { strict } from './ticket.js';

const DOMAIN = utf8('onsale/gate/1\0');
const SIG = ',"sig":"';

/** Why a kit is not to be used; `reason` is one of form, event, key, signature, layout, older. */
export class BadKit extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Reads `event.json`, `gate.json` and, where it is there, `layout.json`. @returns the list, who verifies for each key id, and what places are called */
export async function readKit({ event, list, layout }) {
  const announced = json(event);
  if (typeof announced.id !== 'string' || !Array.isArray(announced.ticket_keys)) throw new BadKit('form');
  const keys = new Map(await Promise.all(announced.ticket_keys.map(async ({ id, key }) => [id, await verifier(key)])));
  return { list: await readList(list, announced.id, keys), keys, name: readNames(layout, announced.layout_version) };
}

/** Names of another plan would lead people to wrong doors: none are better. */
function readNames(text, version) {
  if (!text) return names(null);
  const layout = json(text);
  if (layout.version !== version || !Array.isArray(layout.sections)) throw new BadKit('layout');
  return names(layout);
}

async function readList(text, event, keys) {
  const at = text.trimEnd().lastIndexOf(SIG);
  const [body, rest] = [text.slice(0, at), text.trimEnd().slice(at + SIG.length)];
  const signature = at < 0 || !rest.endsWith('"}') ? null : strict(rest.slice(0, -2));
  if (signature?.length !== 64) throw new BadKit('form');
  const list = json(`${body}}`);
  if (list.v !== 1 || typeof list.until !== 'number' || typeof list.issued !== 'number' || typeof list.least !== 'object') throw new BadKit('form');
  if (list.event !== event) throw new BadKit('event');
  const verify = keys.get(list.key);
  if (!verify) throw new BadKit('key');
  if (!(await verify(signature, concat(DOMAIN, utf8(body))))) throw new BadKit('signature');
  return list;
}

function json(text) {
  try {
    const read = JSON.parse(text);
    if (read && typeof read === 'object') return read;
  } catch { /* told below */ }
  throw new BadKit('form');
}
