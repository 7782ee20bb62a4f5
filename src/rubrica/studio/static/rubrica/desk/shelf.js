// What a page keeps on this device: small JSON values under one prefix. Where the browser gives no storage (a frame of
// another site, a full disk), they live as long as the page.

export class Shelf {
  #prefix;
  #store;
  #memory = new Map();

  constructor(name, store = browserStore()) {
    this.#prefix = `rubrica.${name}.`;
    this.#store = store;
  }

  get(name) {
    const text = this.#memory.get(name) ?? this.#store?.getItem(this.#prefix + name);
    return text ? JSON.parse(text) : null;
  }

  put(name, value) {
    const text = JSON.stringify(value);
    try {
      this.#store.setItem(this.#prefix + name, text);
      this.#memory.delete(name);
    } catch {
      this.#memory.set(name, text);
    }
  }

  remove(name) {
    this.#memory.delete(name);
    this.#store?.removeItem(this.#prefix + name);
  }

  // Names that begin so, in order.
  names(start) {
    const found = new Set([...this.#memory.keys()].filter((name) => name.startsWith(start)));
    const whole = this.#prefix + start;
    for (let index = 0; index < (this.#store?.length ?? 0); index += 1) {
      const key = this.#store.key(index);
      if (key?.startsWith(whole)) found.add(key.slice(this.#prefix.length));
    }
    return [...found].sort();
  }

  // Calls back with the name of whatever another tab changed.
  heard(callback, signal) {
    addEventListener("storage", (event) => {
      if (event.key?.startsWith(this.#prefix)) callback(event.key.slice(this.#prefix.length));
    }, { signal });
  }
}

function browserStore() {
  try {
    localStorage.setItem("rubrica.probe", "1");
    localStorage.removeItem("rubrica.probe");
    return localStorage;
  } catch {
    return null;
  }
}

// A random id. crypto.randomUUID is missing on plain http, where a studio on a local network may well be.
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
