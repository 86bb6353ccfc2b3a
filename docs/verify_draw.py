#!/usr/bin/env python3
"""Verifies a finished on-sale from its published files alone: python3 verify_draw.py FOLDER-OR-ADDRESS [proof.json]

Written from docs/formats.md, with the standard library only. It checks everything but two signatures: that of the beacon's
round (BLS12-381; compare the round with any copy of the beacon) and that of the status file (Ed25519).
A folder is what `onsale verify-draw ADDRESS --save FOLDER` keeps; an address ends in /v1/events/ID.
"""
import base64, hashlib, json, pathlib, sys, urllib.error, urllib.request

LEAD_MS = 3000  # from the seal to the earliest round that may draw


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def need(holds, code, k=None):
    if not holds:
        sys.exit(f"the draw does not hold: {code}" + ("" if k is None else f" in cohort {k}"))


def read(source, name):
    """The bytes of a published file; None if there is none."""
    if not source.startswith("http"):
        path = pathlib.Path(source, name)
        return path.read_bytes() if path.exists() else None
    try:
        return urllib.request.urlopen(source if name == "event.json" else f"{source}/{name}").read()
    except urllib.error.HTTPError:
        return None


def shuffle(count, seed, index):
    """compute_shuffled_index of the Ethereum consensus specification, 90 rounds."""
    for r in range(90):
        pivot = int.from_bytes(sha(seed, bytes([r]))[:8], "little") % count
        flip = (pivot + count - index) % count
        position = max(index, flip)
        source = sha(seed, bytes([r]), (position // 256).to_bytes(4, "little"))
        if source[position % 256 // 8] >> (position % 8) & 1:
            index = flip
    return index


def check_cuts(draw, before):
    """Cuts add up, and each log goes on where the cohort before left it."""
    k = draw["k"]
    old = {(c["shard"], c["epoch"]): c for c in before["cuts"]} if before else {}
    need(sum(c["to"] - c["from"] for c in draw["cuts"]) == draw["n"], "CUTS", k)
    for c in draw["cuts"]:
        was = old.pop((c["shard"], c["epoch"]), {"to": 0, "root": c["root"]})
        moved = c["to"] > c["from"]
        need(c["from"] == was["to"] and c["to"] >= c["from"], "CHAIN", k)
        need((c["epoch"] % 2 == 0) == (k == 0) if moved else c["root"] == was["root"], "CHAIN", k)
    need(not old and (not before or before["t_ms"] < draw["t_ms"]), "CHAIN", k)
    need(draw["base"] == (before["base"] + before["n"] if before else 0), "BASE", k)


def check_beacon(draw, before, chain):
    """The round follows from the time of the seal; later cohorts take the same. Answers what enters the seed."""
    beacon, k = draw["beacon"], draw["k"]
    need(draw["drawn_by"] == ("organiser" if not beacon else "chained" if k else "beacon"), "BEACON", k)
    if before:
        need(beacon == before["beacon"], "BEACON", k)
    elif beacon:
        need(chain is not None, "BEACON", k)
        since_ms, period_ms = beacon["sealed_ms"] + LEAD_MS - chain["genesis_s"] * 1000, chain["period_s"] * 1000
        need(beacon["sealed_ms"] >= draw["t_ms"] and beacon["round"] == -(-since_ms // period_ms) + 1, "ROUND", k)
    if beacon:
        need(sha(bytes.fromhex(beacon["signature"])).hex() == beacon["randomness"], "BEACON", k)
    return bytes.fromhex(beacon["randomness"]) if beacon else b""


def place_of(proof, draw):
    """The Merkle proof of an entry (RFC 9162, 2.1.3.2), and its place."""
    need(proof["k"] == draw["k"], "FOREIGN", draw["k"])
    before = 0
    for cut in draw["cuts"]:
        if (cut["shard"], cut["epoch"]) == (proof["shard"], proof["epoch"]):
            break
        before += cut["to"] - cut["from"]
    at, last = proof["index"], cut["to"] - 1
    node = sha(b"\0", bytes.fromhex(proof["pseudonym"]), proof["time_ms"].to_bytes(8, "big"))
    for sibling in map(bytes.fromhex, proof["path"]):
        need(last > 0, "PROOF", draw["k"])
        if at & 1 or at == last:
            node = sha(b"\1", sibling, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = sha(b"\1", node, sibling)
        at, last = at >> 1, last >> 1
    need(last == 0 and node.hex() == cut["root"], "PROOF", draw["k"])
    return draw["base"] + shuffle(draw["n"], bytes.fromhex(draw["seed"]), before + proof["index"] - cut["from"]) + 1


def main(source, proof_file=None):
    event, status = (json.loads(read(source, name)) for name in ("event.json", "status.json"))
    need("draw_secret" in event, "the secret is not published yet")
    secret, draws, before = bytes.fromhex(event["draw_secret"]), [], None
    need(sha(secret).hex() == event["commitment"], "SECRET")
    while before is None or before["base"] + before["n"] < status["given"]:
        k, text = len(draws), read(source, f"draw/{len(draws)}.json")
        need(text is not None, "GIVEN")
        draw = json.loads(text)
        need((draw["event"], draw["k"], draw["commitment"]) == (event["id"], k, event["commitment"]), "FOREIGN", k)
        check_cuts(draw, before)
        randomness = check_beacon(draw, before, event.get("beacon"))
        roots = b"".join(bytes.fromhex(cut["root"]) for cut in draw["cuts"])
        seed = sha(secret, k.to_bytes(4, "big"), draw["n"].to_bytes(8, "big"), roots, randomness)
        need(seed.hex() == draw["seed"], "SEED", k)
        if k == 0:
            named = base64.urlsafe_b64encode(sha(text)).decode().rstrip("=")
            need(status["draw"] == named, "NAMED", k)
        draws, before = draws + [draw], draw
    places = before["base"] + before["n"]
    need(status["given"] == places and status["admitted"] <= places, "GIVEN")
    print(f"{event['id']}: {len(draws)} cohorts, {places} places: the draw holds ({draws[0]['drawn_by']})")
    proof_file = proof_file or pathlib.Path(source, "proof.json")
    if pathlib.Path(proof_file).exists():
        proof = json.loads(pathlib.Path(proof_file).read_bytes())
        print(f"the entry is proved: place {place_of(proof, draws[proof['k']])}")


main(*sys.argv[1:])
