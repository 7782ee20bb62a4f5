// What is still to be sent: kept on the device, delivered in order, one tab at a time, until the server has answered.
// Every entry has the key under which the server knows it, so that sending it twice is sending it once.

import { newId } from "./shelf.js";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;
const PATIENCE = 20_000;
const RESULTS_KEPT = 24 * 3600 * 1000;

export class Queue extends EventTarget {
  #shelf;
  #request;
  #lock;
  #wait = FIRST_WAIT;
  #timer = 0;
  #delivering = null;
  #again = false;
  #last = 0;

  // `request(entry)` gives the fetch options and address of an entry.
  constructor(shelf, request, name, signal) {
    super();
    this.#shelf = shelf;
    this.#request = request;
    this.#lock = name;
    this.offline = navigator.onLine === false;
    // Why the server takes nothing, in its own words, if it answers at all.
    this.cause = "";
    this.ended = false;
    this.#tidy();
    addEventListener("online", () => this.#now(), { signal });
    addEventListener("offline", () => { this.offline = true; this.#tell("state"); }, { signal });
    addEventListener("pageshow", () => this.#now(), { signal });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#now();
    }, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  // kind: draft, submit or flag; `leases` are those that it speaks of. A newer draft takes the place of an unsent one.
  // `said` tells whether two submits say the same.
  put(kind, leases, body, said = "") {
    const about = (entry) => leases.some((lease) => entry.leases.includes(lease));
    for (const entry of this.entries()) {
      const outdated = entry.kind === "draft" || (kind === "submit" && entry.state === "refused");
      if (kind !== "flag" && outdated && about(entry)) this.#shelf.remove(entry.name);
    }
    const key = newId();
    // Names sort by time, two of the same millisecond as well.
    this.#last = Math.max(Date.now(), this.#last + 1);
    const name = `queue.${this.#last.toString(36).padStart(9, "0")}.${key}`;
    const entry = { kind, leases, body, said, key, state: "waiting" };
    this.#shelf.put(name, entry);
    this.#tell("state");
    return { ...entry, name };
  }

  entries() {
    return this.#shelf.names("queue.")
      .map((name) => ({ ...this.#shelf.get(name), name }))
      .filter((entry) => entry.key);
  }

  get waiting() {
    return this.entries().filter((entry) => entry.state === "waiting");
  }

  remove(key) {
    for (const entry of this.entries()) if (entry.key === key) this.#shelf.remove(entry.name);
    this.#tell("state");
  }

  // What the server answered to the entry of this key, if it has: another tab may have delivered it.
  result(key) {
    return this.#shelf.get(`result.${key}`);
  }

  // Sends what waits, as far as the server answers. Resolves when there is nothing more to be done now.
  deliver() {
    if (this.#delivering) {
      this.#again = true;
      return this.#delivering;
    }
    clearTimeout(this.#timer);
    this.#delivering = this.#locked()
      .catch((error) => console.error(error))
      .finally(() => {
        this.#delivering = null;
        this.#tell("state");
      });
    this.#tell("state");
    return this.#delivering;
  }

  // While the page is going away: sends what waits without waiting for answers. It stays in the queue, under its key.
  partingShot() {
    if (this.offline) return;
    const sent = new Set();
    for (const entry of this.waiting) {
      // Such requests may overtake each other: of one item only the first is sent.
      if (entry.leases.some((lease) => sent.has(lease))) continue;
      entry.leases.forEach((lease) => sent.add(lease));
      const { address, options } = this.#request(entry);
      if (options.body.length < 60_000) fetch(address, { ...options, keepalive: true }).catch(() => {});
    }
  }

  async #locked() {
    do {
      this.#again = false;
      // Without locks (plain http) two tabs may send the same, which the key makes harmless.
      if (navigator.locks) await navigator.locks.request(`rubrica.${this.#lock}`, () => this.#all());
      else await this.#all();
    } while (this.#again && !this.offline);
  }

  async #all() {
    for (let entry = this.waiting[0]; entry && !this.ended; entry = this.waiting[0]) {
      const answer = await this.#send(entry);
      if (!answer) return;
      this.#settle(entry, answer);
    }
  }

  async #send(entry) {
    const { address, options } = this.#request(entry);
    const answer = await fetch(address, { ...options, signal: AbortSignal.timeout?.(PATIENCE) })
      .then(async (response) => ({ status: response.status, body: await response.json().catch(() => ({})) }))
      .catch(() => null);
    const later = !answer || answer.status >= 500 || answer.status === 429 || answer.status === 408;
    this.offline = later;
    this.cause = later ? answer?.body.errors?.[0]?.what ?? "" : "";
    if (!later) {
      this.#wait = FIRST_WAIT;
      return answer;
    }
    this.#timer = setTimeout(() => this.deliver(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    return null;
  }

  #settle(entry, { status, body }) {
    if (status < 300) {
      this.#shelf.remove(entry.name);
      if (entry.kind === "submit") this.#shelf.put(`result.${entry.key}`, { status, body, at: Date.now() });
      this.#tell("delivered", { entry, body });
      return;
    }
    const gone = status === 401 || status === 410;
    if (gone) this.ended = true;
    const problems = body.errors ?? [];
    const { name, ...kept } = entry;
    const state = gone || status === 404 ? "ended" : "refused";
    // It may have been replaced while it was on its way; then the newer one speaks.
    if (this.#shelf.get(name)) this.#shelf.put(name, { ...kept, state, problems });
    this.#tell("refused", { entry, status, problems });
  }

  #now() {
    this.#wait = FIRST_WAIT;
    if (this.waiting.length && !this.ended) this.deliver();
    else if (navigator.onLine !== false && this.offline) {
      this.offline = false;
      this.#tell("state");
    }
  }

  // A link that had ended may be good again; old results are of no use.
  #tidy() {
    for (const { name, ...entry } of this.entries()) {
      if (entry.state === "ended") this.#shelf.put(name, { ...entry, state: "waiting" });
    }
    for (const name of this.#shelf.names("result.")) {
      if (Date.now() - (this.#shelf.get(name)?.at ?? 0) > RESULTS_KEPT) this.#shelf.remove(name);
    }
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
