// Refusals in the fan's words. A code without words here falls back to the worker's own detail.

import { hasText, t } from './i18n.js';

/** @param {Error & {code?: string, problem?: object, correlation?: string}} error @param {Record<string, unknown>} [args] */
export function explain(error, args = {}) {
  const key = `problem.${error.code}`;
  if (hasText(key) || hasText(`${key}.other`)) return t(key, { ...plain(error.problem), ...claims(error.problem), ...args });
  const detail = error.problem?.detail ?? error.problem?.title;
  const tail = error.correlation ? ` (${error.correlation})` : '';
  return `${detail ?? t('problem.unknown')}${tail}`;
}

/** What an account lacks, in words. */
const claims = (problem) => problem?.claims && { claims: problem.claims.map((claim) => t(`claim.${claim}`)).join(', ') };

const plain = (problem = {}) => Object.fromEntries(Object.entries(problem)
  .map(([name, v]) => [name, Array.isArray(v) ? v.filter((one) => typeof one === 'string').join(', ') : v])
  .filter(([, v]) => typeof v === 'string' || typeof v === 'number'));
