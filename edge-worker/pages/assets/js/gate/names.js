// A place in words, as its ticket says it: by the layout in the kit, where there is one.

import { nameOfId } from '../describe.js';
import { t } from '../i18n.js';
import { readLayout } from '../map/layout.js';

/** @param {object|null} json a layout @returns {(place: string) => string} a scan's place in words; its id where the layout does not know it */
export function names(json) {
  if (!json) return (place) => place;
  const layout = readLayout(json);
  return (place) => poolPlace(layout, place) ?? nameOfId(layout, place);
}

/** Of `pool/n@order` and `pool/n`. */
function poolPlace(layout, place) {
  const [, id, n] = /^(.+)\/(\d+)(?:@.*)?$/.exec(place) ?? [];
  const pool = layout.pools.find((one) => one.id === id);
  return pool && t('gate.pool_place', { pool: pool.name, n });
}
