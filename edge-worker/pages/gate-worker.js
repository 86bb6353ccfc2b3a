// Keeps the gate's page on the device, so that it opens without a network. It knows the files' names and nothing else.

const CACHE = 'gate';
const FILES = [
  '/gate', '/assets/icon.svg', '/assets/css/base.css', '/assets/css/gate.css',
  '/assets/js/bytes.js', '/assets/js/describe.js', '/assets/js/dom.js', '/assets/js/ed25519.js', '/assets/js/gate-page.js', '/assets/js/gate/camera.js',
  '/assets/js/gate/gate.js', '/assets/js/gate/kit.js', '/assets/js/gate/names.js', '/assets/js/gate/store.js', '/assets/js/gate/ticket.js',
  '/assets/js/i18n.js', '/assets/js/map/layout.js', '/assets/js/sha2.js', '/assets/locales/en-shop.js', '/assets/locales/en.js', '/assets/vendor/qr/decode.js', '/assets/vendor/qr/index.js',
];

/** All files or none: a page must not mix modules of two versions. */
async function keep() {
  const answers = await Promise.all(FILES.map((file) => fetch(file, { cache: 'reload' })));
  if (answers.some((answer) => !answer.ok || answer.redirected)) throw new Error('a file is missing');
  const cache = await caches.open(CACHE);
  await Promise.all(answers.map((answer, i) => cache.put(FILES[i], answer)));
}

async function serve(request, path) {
  const kept = await caches.open(CACHE).then((cache) => cache.match(path));
  return kept ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
// The page that opens with a network asks for what is newest; the next one to open shows it.
self.addEventListener('message', (event) => event.waitUntil(keep().catch(() => {})));
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === 'GET' && url.origin === self.location.origin && FILES.includes(url.pathname)) event.respondWith(serve(event.request, url.pathname));
});
