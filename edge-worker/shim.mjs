// The entry of the Worker: hands every call to the Rust module and survives its death.
//
// A panic aborts the WebAssembly instance: whatever was in flight in it would hang for ever, and an
// alarm that panicked would never run again. So every call races against "the instance died"; the
// module is then started afresh, each Durable Object rebuilds its Rust half on its next call (its
// facts are in its storage), the calls that were cut off answer 500, and the alarm is set again.
import * as rust from "./index.js";

const RETRY_ALARM_MS = 1000;

/** Counts the instances of the module: a Rust object belongs to one of them. */
let life = 0;
/** How to cut off the calls that run in the present instance. */
const inFlight = new Set();

const initState = rust.__worker_init_state();
Object.defineProperty(initState, "criticalError", {
  get: () => false,
  // Called by the panic hook, still inside the dying instance: let it fall first.
  set: (died) => { if (died) queueMicrotask(startAfresh); },
});

function startAfresh() {
  life += 1;
  rust.__wbg_reset_state();
  const cut = [...inFlight];
  inFlight.clear();
  for (const reject of cut) reject(new Error("the instance died"));
}

async function outliving(call) {
  let cutOff;
  const death = new Promise((_, reject) => { cutOff = reject; });
  inFlight.add(cutOff);
  try {
    return await Promise.race([call(), death]);
  } finally {
    inFlight.delete(cutOff);
  }
}

function failed(request) {
  const correlation = request.headers.get("X-Correlation-Id") ?? crypto.randomUUID();
  const problem = { type: "about:blank", title: "Internal error", status: 500, code: "INTERNAL" };
  const headers = {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "X-Correlation-Id": correlation,
  };
  return new Response(JSON.stringify(problem), { status: 500, headers });
}

async function answer(request, call) {
  try {
    return await outliving(call);
  } catch (error) {
    console.error("request cut off:", String(error));
    return failed(request);
  }
}

/** A Durable Object whose Rust half is rebuilt after the instance died. */
const durable = (rustClass) => class {
  #context; #env; #half; #life = -1;
  constructor(context, env) { this.#context = context; this.#env = env; }
  #rust() {
    if (this.#life !== life) {
      this.#half = new rust[rustClass](this.#context, this.#env);
      this.#life = life;
    }
    return this.#half;
  }
  fetch(request) { return answer(request, () => this.#rust().fetch(request)); }
  async alarm() {
    try {
      await outliving(() => this.#rust().alarm());
    } catch (error) {
      console.error("alarm cut off:", String(error));
      await this.#context.storage.setAlarm(Date.now() + RETRY_ALARM_MS);
    }
  }
};

/** The parts of an address: this site, the event, and what follows. */
const EVENT = /^(https?:\/\/[^/]+)\/v1\/events\/([a-z0-9-]{1,40})\/(.+)$/;

/**
 * The short way: the module answers from its memory, or says nothing, and then the request goes the long way.
 * Only strings cross the border; what is answered is the module's business alone.
 * @param {Request} request
 * @returns {Response | null}
 */
function atHand(request) {
  const parts = EVENT.exec(request.url);
  if (!parts) return null;
  const header = (/** @type {string} */ name) => request.headers.get(name) ?? undefined;
  const [, site, event, rest] = parts;
  const { method } = request;
  if (rest === "status.json") {
    if (method !== "GET" && method !== "HEAD") return null;
    return spoken(rust.status_at_hand(event, header("If-None-Match"), header("X-Correlation-Id")));
  }
  const token = header("X-Access-Token");
  const reads = method === "GET" || method === "HEAD";
  const cookie = reads && token !== undefined ? undefined : header("Cookie");
  return spoken(rust.guarded_at_hand(method, site, event, rest, header("If-None-Match"), token, cookie,
    reads ? undefined : header("Origin"), header("X-Correlation-Id")));
}

/** Most heads that are remembered; what one second's readers are told has few. */
const HEADS = 64;
/** How answers begin, and what the runtime makes of it: to build its headers anew costs more than all the rest. */
const heads = new Map();

/**
 * An answer in the module's plain words: its head, an empty line, the body.
 * @param {string | undefined} words
 * @returns {Response | null}
 */
function spoken(words) {
  if (words === undefined) return null;
  const end = words.indexOf("\n\n");
  const head = words.slice(0, end);
  let init = heads.get(head);
  if (init === undefined) {
    if (heads.size === HEADS) heads.clear();
    heads.set(head, init = read(head));
  }
  return new Response(words.slice(end + 2) || null, init);
}

/**
 * A head: the status, then names and values of headers, a line each.
 * @param {string} head
 * @returns {ResponseInit}
 */
function read(head) {
  const [status, ...lines] = head.split("\n");
  const headers = new Headers();
  for (let at = 0; at + 1 < lines.length; at += 2) headers.set(lines[at], lines[at + 1]);
  return { status: Number(status), headers };
}

/**
 * The short way, and its death: a panic in it is thrown here, while the module is started afresh.
 * @param {Request} request
 */
function atHandOrFailed(request) {
  try {
    return atHand(request);
  } catch (error) {
    console.error("request cut off:", String(error));
    return failed(request);
  }
}

export const LineShard = durable("LineShard");
export const Pacer = durable("Pacer");
export default {
  fetch: (request, env, context) =>
    atHandOrFailed(request) ?? answer(request, () => rust.fetch(request, env, context)),
};
