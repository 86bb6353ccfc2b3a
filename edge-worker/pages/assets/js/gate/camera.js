// The camera, and who reads QR codes in its pictures: the browser where it can, else a reader of our own.

const LOOK_MS = 120;

async function reader() {
  const own = globalThis.BarcodeDetector;
  const formats = await own?.getSupportedFormats().catch(() => []);
  const Detector = formats?.includes('qr_code') ? own : (await import('../../vendor/qr/decode.js')).BarcodeDetector;
  return new Detector({ formats: ['qr_code'] });
}

/**
 * Shows the camera behind the device in `video` and tells `seen` each code that comes into view.
 * @returns {Promise<() => void>} stops it; rejected where there is no camera, or nobody may use it
 */
export async function watch(video, seen) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment', width: { ideal: 1280 } } });
  const detector = await reader();
  video.srcObject = stream;
  await video.play();
  let timer = setTimeout(look, 0);
  let stopped = false;

  async function look() {
    const codes = await detector.detect(video).catch(() => []);
    for (const { rawValue } of codes) if (!stopped) await seen(rawValue);
    if (!stopped) timer = setTimeout(look, LOOK_MS);
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
    stream.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
  };
}

/** A code that stays in view is one scan; one that was away for a while is another. */
export function once(act, awayMs = 2000, now = () => performance.now()) {
  let last = '';
  let at = -Infinity;
  return async (code) => {
    const again = code === last && now() - at < awayMs;
    if (!again) await act(code);
    [last, at] = [code, now()];
  };
}
