// What this browser saw with its own eyes, and when: the fingerprint of the secret, and the closed list before the random
// number was there. Kept on the device, so that a later story can be compared with it.

const key = (event, what) => `onsale.witness.${event}.${what}`;

function remember(event, what, value, now) {
  if (recall(event, what)) return;
  localStorage.setItem(key(event, what), JSON.stringify({ value, at: Math.round(now) }));
}

/** @returns {{value: string, at: number}|null} what was seen first, and the server's time then */
export const recall = (event, what) => JSON.parse(localStorage.getItem(key(event, what)));

/** Notes the commitment of an event and, while a draw waits for its round, the hash of the closed list. Signatures were checked. */
export function witness(event, status, now) {
  remember(event.id, 'commitment', event.commitment, now);
  if (status?.seal) remember(event.id, 'seal', status.seal, now);
}
