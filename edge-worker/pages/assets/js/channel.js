// The channel that a link opens: `#channel=<key>`. Kept in this tab's session storage and sent with the wish for seats; the
// channel's name stands before the key's first dot.

const slot = (event) => `onsale.channel.${event}`;

/** Takes a key out of the address, if there is one, so that it is not copied on with the link. */
export function keepChannel(event) {
  const key = new URLSearchParams(location.hash.slice(1)).get('channel');
  if (!key) return;
  sessionStorage.setItem(slot(event), key);
  history.replaceState(null, '', location.pathname + location.search);
}

/** The key, or null. */
export const channelKey = (event) => sessionStorage.getItem(slot(event));

/** The channels whose seats are shown: the key's and the one of the lane. */
export function channels(event, byLane) {
  const [named] = (channelKey(event) ?? '').split('.');
  return [named, byLane].filter(Boolean);
}
