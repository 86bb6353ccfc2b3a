// Runs the proof of work: in a worker beside the page, or, where a web view has none, in the page in slices.

import { solve } from './riddle.js';

/**
 * @param {{riddle: string, bits: number, parts: number}} work
 * @param {(done: number) => void} onPart
 * @returns {{answer: Promise<number[]|null>, pause: (on: boolean) => void, stop: () => void}}
 */
export function startWork(work, onPart) {
  try {
    return inWorker(work, onPart);
  } catch {
    return inPage(work, onPart);
  }
}

function inWorker(work, onPart) {
  const worker = new Worker(new URL('./riddle-worker.js', import.meta.url), { type: 'module' });
  let fallback = null;
  let end = () => {};
  const answer = new Promise((resolve) => {
    end = resolve;
    worker.onmessage = ({ data }) => {
      if ('done' in data) onPart(data.done);
      else resolve(data.answer);
    };
    // A worker that does not start says so here only.
    worker.onerror = () => {
      fallback ??= inPage(work, onPart);
      fallback.answer.then(resolve);
    };
  }).finally(() => worker.terminate());
  worker.postMessage({ work });
  return {
    answer,
    pause: (on) => (fallback ? fallback.pause(on) : worker.postMessage({ paused: on })),
    stop: () => { fallback?.stop(); end(null); },
  };
}

function inPage(work, onPart) {
  let [paused, stopped] = [false, false];
  const between = async () => {
    do await new Promise((resolve) => { setTimeout(resolve, paused ? 200 : 4); });
    while (paused && !stopped);
    return !stopped;
  };
  return { answer: solve(work, onPart, between), pause: (on) => { paused = on; }, stop: () => { stopped = true; } };
}
