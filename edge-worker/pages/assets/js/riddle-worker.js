// The proof of work beside the page: takes the work, tells each part, and pauses when told to.

import { solve } from './riddle.js';

let paused = false;
let wake = () => {};

const between = async () => {
  // A turn of the event loop, so that messages arrive.
  await new Promise((resolve) => { setTimeout(resolve, 0); });
  while (paused) await new Promise((resolve) => { wake = resolve; });
  return true;
};

self.onmessage = async ({ data }) => {
  if ('paused' in data) {
    paused = data.paused;
    wake();
    return;
  }
  const answer = await solve(data.work, (done) => self.postMessage({ done }), between);
  self.postMessage({ answer });
};
