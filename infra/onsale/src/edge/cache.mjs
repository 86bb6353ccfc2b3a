// What stands behind the Cache API on the bare runtime: answers in memory, as a data centre's cache would keep them.
//
// The runtime looks up by GET, stores by PUT (the body is a whole HTTP message) and removes by PURGE.

/** @type {Map<string, {until: number, kind: string, body: Uint8Array}>} */
const kept = new Map();
const MOST = 1000;

export default {
  /** @param {Request} request */
  async fetch(request) {
    switch (request.method) {
      case "GET": return look(request.url);
      case "PUT": return keep(request.url, new Uint8Array(await request.arrayBuffer()));
      case "PURGE": return new Response(null, { status: kept.delete(request.url) ? 200 : 404 });
      default: return new Response(null, { status: 405 });
    }
  },
};

/** @param {string} url */
function look(url) {
  const found = kept.get(url);
  if (!found || found.until <= Date.now()) return new Response(null, { status: 504, headers: { "CF-Cache-Status": "MISS" } });
  return new Response(found.body, { headers: { "CF-Cache-Status": "HIT", "Content-Type": found.kind } });
}

/**
 * @param {string} url
 * @param {Uint8Array} message
 */
function keep(url, message) {
  const end = endOfHead(message);
  const head = new TextDecoder().decode(message.subarray(0, end));
  const seconds = Number(/^cache-control:.*max-age=(\d+)/im.exec(head)?.[1] ?? 0);
  const kind = /^content-type: *(.*)$/im.exec(head)?.[1].trim() ?? "text/plain";
  if (kept.size >= MOST) kept.clear();
  kept.set(url, { until: Date.now() + seconds * 1000, kind, body: message.slice(end + 4) });
  return new Response(null, { status: 204 });
}

/** Where the empty line begins. @param {Uint8Array} message */
function endOfHead(message) {
  let at = message.indexOf(13);
  while (at >= 0 && !(message[at + 1] === 10 && message[at + 2] === 13 && message[at + 3] === 10)) at = message.indexOf(13, at + 1);
  return at < 0 ? message.length : at;
}
