// The single marks that the map is made of, on a canvas context `c`, around (x, y), in CSS pixels.

/** Round, square, diamond, and again: price levels differ without colour too. */
export function shape(c, level, x, y, r) {
  c.beginPath();
  if (level % 3 === 0) c.arc(x, y, r, 0, 2 * Math.PI);
  else if (level % 3 === 1) c.roundRect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8, r * 0.3);
  else {
    c.moveTo(x, y - r * 1.15);
    c.lineTo(x + r * 1.15, y);
    c.lineTo(x, y + r * 1.15);
    c.lineTo(x - r * 1.15, y);
    c.closePath();
  }
}

/** Taken. */
export function cross(c, x, y, r, color) {
  c.strokeStyle = color;
  c.lineWidth = Math.max(1, r * 0.5);
  c.beginPath();
  c.moveTo(x - r, y - r);
  c.lineTo(x + r, y + r);
  c.moveTo(x + r, y - r);
  c.lineTo(x - r, y + r);
  c.stroke();
}

/** Chosen. */
export function tick(c, x, y, r, color) {
  c.strokeStyle = color;
  c.lineWidth = Math.max(1.5, r * 0.4);
  c.beginPath();
  c.moveTo(x - r, y);
  c.lineTo(x - r * 0.3, y + r * 0.7);
  c.lineTo(x + r, y - r * 0.7);
  c.stroke();
}

/** Named by a refusal. */
export function ring(c, x, y, r, color) {
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.lineWidth = 3;
  c.strokeStyle = color;
  c.stroke();
}

/** Something particular about the seat, too small to name yet. */
export function mark(c, x, y, r, color) {
  c.fillStyle = color;
  c.fillRect(x - r, y - r, 2 * r, 2 * r);
}

/** A text, centred. */
export function write(c, text, x, y, size, color, weight = 500) {
  c.font = `${weight} ${size}px system-ui, sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillStyle = color;
  c.fillText(text, x, y);
}
