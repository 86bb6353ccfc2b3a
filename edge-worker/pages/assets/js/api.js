// Requests to the worker. One place for problem documents, idempotency keys, retries and server time.
// Tokens travel in HttpOnly cookies: this code never sees them.

/** A refusal or failure. `code` is the stable code of the problem document, or NETWORK when nothing answered. */
export class ApiError extends Error {
  constructor(status, problem, correlation) {
    super(problem.detail ?? problem.title ?? problem.code ?? `HTTP ${status}`);
    Object.assign(this, { status, code: problem.code ?? 'UNKNOWN', problem, correlation });
  }

  /** Worth trying again with the same idempotency key: nothing says that it can never succeed. */
  get transient() {
    return this.code === 'NETWORK' || this.status >= 500 || this.status === 429;
  }
}

/** Told (sentMs, receivedMs, dateHeader) for each answer that no cache can have kept. */
let observeTime = () => {};
export const onServerTime = (observer) => { observeTime = observer; };

/** Asks for new tokens after all were revoked; set by the page. */
let renew = null;
export const onRevoked = (renewer) => { renew = renewer; };

/**
 * One request; where its token was revoked, once more with a new one. Resolves to `{status, body}` for 2xx, rejects with ApiError otherwise.
 * @param {string} method
 * @param {string} path
 * With `binary` a body is bytes, or null where there is none.
 * @param {{body?: unknown, key?: string, headers?: Record<string,string>, timeoutMs?: number, cache?: RequestCache, binary?: boolean}} [options]
 */
export async function request(method, path, options = {}) {
  try {
    return await once(method, path, options);
  } catch (error) {
    if (error.code !== 'TOKEN_REVOKED' || !renew) throw error;
    const renewer = renew;
    renew = null; // What the renewer asks for must not renew.
    await renewer().finally(() => { renew = renewer; });
    return once(method, path, options);
  }
}

async function once(method, path, options) {
  const sent = Date.now();
  const response = await answer(method, path, options);
  if (method !== 'GET' || options.cache !== 'default') observeTime(sent, Date.now(), response.headers.get('date'));
  const body = await (options.binary && response.ok ? readBytes(response) : readJson(response));
  if (!response.ok) throw new ApiError(response.status, body ?? {}, response.headers.get('x-correlation-id'));
  return { status: response.status, body };
}

async function answer(method, path, { body, key, headers = {}, timeoutMs = 20_000, cache = 'no-store', binary = false }) {
  const all = { accept: binary ? 'application/octet-stream' : 'application/json', ...headers };
  if (body !== undefined) all['content-type'] = 'application/json';
  if (key) all['idempotency-key'] = key;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return await fetch(path, { method, headers: all, cache, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ApiError(0, { code: 'NETWORK' });
  }
}

async function readBytes(response) {
  try {
    return response.status === 204 ? null : new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new ApiError(0, { code: 'NETWORK' });
  }
}

async function readJson(response) {
  const text = await response.text().catch(() => '');
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Tries a request again while its failure is transient: 3 more times, after about 0.5, 1 and 2 s, or when it was told to. */
export async function patient(method, path, options, { tries = 4, onTrouble = () => {} } = {}) {
  for (let n = 1; ; n += 1) {
    try {
      return await request(method, path, options);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.transient || n >= tries) throw error;
      onTrouble(error);
      await sleep(error.problem?.retry_after_ms ?? jitter(250 * 2 ** n));
    }
  }
}

export const get = (path, options) => request('GET', path, options);
export const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Between 80 % and 120 %: a crowd that starts together must not stay together. */
export const jitter = (ms) => ms * (0.8 + 0.4 * Math.random());

/** A fresh idempotency key. Kept by the caller for retries of the same wish. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
