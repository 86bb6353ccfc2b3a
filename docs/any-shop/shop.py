"""A foreign shop behind Onsale's line: it answers the pulse, checks access tokens, and sells tickets of one kind.

Python's standard library only. EVENT, ONSALE_MASTER_KEYS and TICKETS come from the environment. See ../any-shop.md.
"""
import base64, hashlib, hmac, json, os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EVENT, CAPACITY = os.environ["EVENT"], int(os.environ["TICKETS"])
unwrap = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
MASTERS = {int(i): unwrap(key) for i, key in (pair.split(":") for pair in os.environ["ONSALE_MASTER_KEYS"].split(","))}
wall = lambda: time.time_ns() // 1_000_000
clock = {"wall_ms": wall(), "event_ms": wall(), "run_ms": 0}
beat, sold, lock = 0, {}, threading.Lock()


def event_now():
    return clock["event_ms"] + min(max(wall() - clock["wall_ms"], 0), clock["run_ms"])


def read(text, kind, word):
    """The bytes of an authentic token before its tag, or None: one answer to everything that is odd."""
    try:
        body, tag = unwrap(text)[:-32], unwrap(text)[-32:]
        key = hmac.digest(MASTERS[body[2]], f"onsale/1/{word}/{EVENT}".encode(), "sha256")
        plain = base64.urlsafe_b64encode(body + tag).rstrip(b"=").decode() == text
        mine = body[:2] == bytes([1, kind]) and body[3:19] == hashlib.sha256(EVENT.encode()).digest()[:16]
        return body if plain and mine and hmac.compare_digest(tag, hmac.digest(key, body, "sha256")) else None
    except (ValueError, KeyError, IndexError, TypeError):
        return None


def pulse(token, ask):
    global beat
    if not (ok := read(token, 4, "pulse")) or int.from_bytes(ok[-8:], "big") <= wall() or int.from_bytes(ok[-16:-8], "big") != ask["beat"]:
        return 401, {"code": "PULSE_REQUIRED"}
    if ask["beat"] <= beat:
        return 409, {"code": "BEAT_NOT_HIGHER", "beat": beat}
    beat, event = ask["beat"], event_now()
    clock.update(wall_ms=wall(), event_ms=event, run_ms=0 if ask["paused"] else max(3000, 2 * ask["beat_ms"]))
    stock = {"free": CAPACITY - len(sold), "held": 0, "claimed": 0, "sold": len(sold), "blocked": 0}
    return 200, {"beat": beat, "clock": clock, "stock": {**stock, "levels": {"front": stock}}, "orders_left": stock["free"],
                 "shoppers": len(sold), "projection": {"beat": beat, "age_ms": 0}, "map": None}


def book(token):
    if not (ok := read(token, 2, "access")) or int.from_bytes(ok[-8:], "big") <= event_now():
        return 401, {"code": "ACCESS_REQUIRED"}
    if len(sold) == CAPACITY and ok[19:35] not in sold:
        return 409, {"code": "SOLD_OUT"}
    return 201, {"ticket": sold.setdefault(ok[19:35], len(sold) + 1)}  # one for each account, asked once or often


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        ask = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        with lock:
            is_pulse = self.path == f"/v1/events/{EVENT}/pulse"
            status, body = pulse(self.headers.get("X-Pulse-Token"), ask) if is_pulse else book(self.headers.get("X-Access-Token"))
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if status < 400 else "application/problem+json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 0))), Shop)
print(server.server_address[1], flush=True)
server.serve_forever()
