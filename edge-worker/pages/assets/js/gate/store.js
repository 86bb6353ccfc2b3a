// What a device at the gate keeps: its kit, its name, every scan. A promise that is kept means that it is on the disk.

const NAME = 'onsale-gate';

/** @returns {Promise<IDBDatabase>} */
function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('kit');
    request.result.createObjectStore('scans', { keyPath: ['device', 'n'] });
  };
  return done(request);
}

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The device's own storage. */
export class Store {
  static async open() {
    const store = new Store();
    store.db = await open();
    await navigator.storage?.persist?.();
    return store;
  }

  /** @returns {Promise<{device: string, event: string, list: string, layout: string}|undefined>} */
  kit() {
    return done(this.db.transaction('kit').objectStore('kit').get('kit'));
  }

  scans() {
    return done(this.db.transaction('scans').objectStore('scans').getAll());
  }

  keepKit(kit) {
    return this.#write('kit', (kits) => kits.put(kit, 'kit'));
  }

  /** All of them or none. One whose number is taken is refused: another tab is this device, too. */
  keep(scans) {
    return this.#write('scans', (all) => scans.forEach((scan) => all.add(scan)));
  }

  #write(name, act) {
    return new Promise((resolve, reject) => {
      const transaction = this.db.transaction(name, 'readwrite', { durability: 'strict' });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      act(transaction.objectStore(name));
    });
  }
}
