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

const STATUS = /^https?:\/\/[^/]+\/v1\/events\/([a-z0-9-]{1,40})\/status\.json$/;

/** The hottest answer, the same bytes for everybody: from memory if it is there and young, else the long way. */
function statusAtHand(request) {
  const event = request.method === "GET" && STATUS.exec(request.url)?.[1];
  const text = event && rust.status_at_hand(event);
  if (!text) return null;
  return new Response(text, {
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=1",
      "Date": new Date().toUTCString(),
      "X-Content-Type-Options": "nosniff",
      "X-Correlation-Id": crypto.randomUUID(),
    },
  });
}

export const LineShard = durable("LineShard");
export const Pacer = durable("Pacer");
export default {
  fetch: (request, env, context) =>
    statusAtHand(request) ?? answer(request, () => rust.fetch(request, env, context)),
};
