// The venue's layout as flat arrays in plan order, so that 39,350 seats cost no objects. Knows no pixels.

const TAU = 1e-6;

/** Reads the layout JSON. Seats are numbered 0… in map order: section after section, row after row. */
export function readLayout(json) {
  const total = json.sections.reduce((n, s) => n + s.rows.reduce((m, r) => m + r.seats.length, 0), 0);
  const layout = {
    version: json.version, levels: json.levels, pools: json.pools ?? [], total,
    x: new Float32Array(total), y: new Float32Array(total), level: new Uint8Array(total), kind: new Uint8Array(total),
    labels: new Array(total), explicitIds: new Map(), sections: [],
  };
  let at = 0;
  for (const section of json.sections) at = readSection(layout, section, at);
  layout.bounds = union([...layout.sections.map((s) => s.box), ...layout.pools.map(poolBox)]);
  layout.pitch = seatPitch(layout);
  return layout;
}

function readSection(layout, source, first) {
  const section = { id: source.id, name: source.name, index: layout.sections.length, first, rows: [] };
  let at = first;
  for (const row of source.rows) {
    section.rows.push({ label: row.label, first: at, count: row.seats.length });
    for (const [label, x, y, level, kind, id] of row.seats) {
      layout.x[at] = x;
      layout.y[at] = y;
      layout.level[at] = level;
      layout.kind[at] = kind ?? 0;
      layout.labels[at] = label;
      if (id) layout.explicitIds.set(at, id);
      at += 1;
    }
  }
  section.count = at - first;
  section.box = boxOf(layout, first, at);
  layout.sections.push(section);
  return at;
}

const poolBox = (p) => ({ x0: p.x, y0: p.y, x1: p.x + p.w, y1: p.y + p.h });

function boxOf(layout, from, to) {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let i = from; i < to; i += 1) {
    box.x0 = Math.min(box.x0, layout.x[i]);
    box.x1 = Math.max(box.x1, layout.x[i]);
    box.y0 = Math.min(box.y0, layout.y[i]);
    box.y1 = Math.max(box.y1, layout.y[i]);
  }
  return box;
}

function union(boxes) {
  return boxes.reduce((a, b) => ({ x0: Math.min(a.x0, b.x0), y0: Math.min(a.y0, b.y0), x1: Math.max(a.x1, b.x1), y1: Math.max(a.y1, b.y1) }));
}

/** The usual distance of two neighbours, in plan units: the tenth percentile, so that aisles do not count. */
function seatPitch(layout) {
  const gaps = [];
  for (const section of layout.sections) {
    for (const row of section.rows) {
      for (let i = row.first + 1; i < row.first + row.count; i += 1) {
        const gap = Math.hypot(layout.x[i] - layout.x[i - 1], layout.y[i] - layout.y[i - 1]);
        if (gap > TAU) gaps.push(gap);
      }
    }
  }
  gaps.sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 10)] ?? 1;
}

/** Section of a seat, by number. */
export function sectionOf(layout, seat) {
  return layout.sections.find((s) => seat >= s.first && seat < s.first + s.count);
}

/** Row of a seat, by number. */
export function rowOf(section, seat) {
  return section.rows.find((r) => seat >= r.first && seat < r.first + r.count);
}

/** The seat's id as the API knows it: `<section>-<row>-<seat>` unless the layout gives another. */
export function seatId(layout, seat) {
  const section = sectionOf(layout, seat);
  return layout.explicitIds.get(seat) ?? `${section.id}-${rowOf(section, seat).label}-${layout.labels[seat]}`;
}

/** The seat's number from its id, or -1. */
export function seatNumber(layout, id) {
  layout.byId ??= new Map(Array.from({ length: layout.total }, (_, i) => [seatId(layout, i), i]));
  return layout.byId.get(id) ?? -1;
}

/** The seat nearest to a point of the plan within `reach` units, or -1. */
export function seatAt(layout, x, y, reach) {
  let best = -1;
  let bestDistance = reach * reach;
  for (const s of layout.sections) {
    if (x < s.box.x0 - reach || x > s.box.x1 + reach || y < s.box.y0 - reach || y > s.box.y1 + reach) continue;
    for (let i = s.first; i < s.first + s.count; i += 1) {
      const distance = (layout.x[i] - x) ** 2 + (layout.y[i] - y) ** 2;
      if (distance <= bestDistance) [best, bestDistance] = [i, distance];
    }
  }
  return best;
}

/** The section whose box holds the point, or undefined. */
export function sectionAt(layout, x, y, slack) {
  return layout.sections.find(({ box }) => x >= box.x0 - slack && x <= box.x1 + slack && y >= box.y0 - slack && y <= box.y1 + slack);
}
