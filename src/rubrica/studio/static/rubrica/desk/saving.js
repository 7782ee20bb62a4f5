// Saving: what changes is put into a queue on this device and sent from there, with the active time it took.

import { same } from "./answers.js";

// Saving as one goes: every change is put into the queue at once and sent within a second, and the page says so.
// What this device knows of an item (answers, newest revision) is kept too, for a reload without the network.

const PAUSE = 400;
const LATEST = 700;
const RECORDS_KEPT = 200;

export class Saving {
  #shelf;
  #queue;
  #clock;
  #blocks;
  #timer = 0;
  #first = 0;
  #touched = 0;

  constructor({ shelf, queue, clock, blocks, signal }) {
    this.#shelf = shelf;
    this.#queue = queue;
    this.#clock = clock;
    this.#blocks = blocks;
    queue.addEventListener("delivered", ({ detail }) => this.#delivered(detail));
    addEventListener("pagehide", () => {
      clearTimeout(this.#timer);
      queue.partingShot();
    }, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
    this.#prune();
  }

  busyWithin(milliseconds) {
    return performance.now() - this.#touched < milliseconds && this.#touched > 0;
  }

  changed(block) {
    const now = performance.now();
    this.#touched = now;
    this.#keep(block);
    this.#queue.put("draft", [block.lease], this.judgement(block));
    if (!this.#timer) this.#first = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), Math.max(0, Math.min(PAUSE, this.#first + LATEST - now)));
  }

  flush() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    return this.#queue.deliver();
  }

  judgement(block, outcome = block.outcome) {
    return {
      lease: block.lease,
      answers: block.answers(),
      ...block.marked,
      outcome,
      base: block.base,
      ...this.#clock.of(block),
    };
  }

  // Puts the submit of the whole page into the queue, once for the same content; its entry.
  submit(outcome) {
    const judgements = this.#blocks.map((block) => this.judgement(block, outcome));
    const said = JSON.stringify(judgements.map(({ lease, answers, edits }) => [lease, answers, edits, outcome]));
    const waiting = this.#queue.waiting.find((entry) => entry.kind === "submit" && entry.said === said);
    if (waiting) return waiting;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#blocks.forEach((block) => this.#keep(block));
    const keyed = judgements.map((judgement) => ({ ...judgement, key: newId() }));
    return this.#queue.put("submit", judgements.map(({ lease }) => lease), { judgements: keyed }, said);
  }

  // The answers that this device knows and the page does not: of a tab that went on, or not sent yet. True if any.
  adopt(block) {
    const record = this.#shelf.get(`page.${block.lease}`);
    if (!record) return false;
    if (record.base < block.base) {
      this.#shelf.remove(`page.${block.lease}`);
      return false;
    }
    block.base = record.base;
    const { answers, edits, became, together } = record;
    if (same({ answers, edits, became, together }, block.said)) return false;
    block.adopt(record);
    return true;
  }

  // The newest revision of a lease that this device knows: its own saves have raised it since a draft was queued.
  base(lease) {
    return this.#shelf.get(`page.${lease}`)?.base ?? 0;
  }

  forget(block) {
    this.#shelf.remove(`page.${block.lease}`);
  }

  // Another tab may have delivered what this one queued: the newest revision is the device's, not the tab's.
  #keep(block) {
    const base = Math.max(block.base, this.base(block.lease));
    this.#shelf.put(`page.${block.lease}`, { ...block.said, base, at: Date.now() });
  }

  #delivered({ entry, body }) {
    for (const receipt of entry.kind === "submit" ? body.receipts : entry.kind === "draft" ? [body] : []) {
      const block = this.#blocks.find(({ lease }) => lease === receipt.lease);
      if (block) block.base = Math.max(block.base, receipt.revision);
      const name = `page.${receipt.lease}`;
      const record = this.#shelf.get(name);
      if (record) this.#shelf.put(name, { ...record, base: Math.max(record.base, receipt.revision) });
    }
  }

  #prune() {
    for (const start of ["page.", "time."]) {
      const names = this.#shelf.names(start);
      if (names.length <= RECORDS_KEPT) continue;
      const old = names.map((name) => [this.#shelf.get(name).at, name]).sort().slice(0, names.length - RECORDS_KEPT);
      old.forEach(([, name]) => this.#shelf.remove(name));
    }
  }
}

// The line that says how it stands with saving.
export class SaveState {
  #element;
  #queue;
  #saved = null;

  constructor(element, queue, language) {
    this.#element = element;
    this.#queue = queue;
    this.language = language;
    this.trouble = "";
    for (const kind of ["state", "delivered", "refused"]) queue.addEventListener(kind, () => this.show());
    queue.addEventListener("delivered", ({ detail }) => {
      this.#saved = new Date(detail.body.at ?? detail.body.receipts?.[0]?.at ?? Date.now());
      this.show();
    });
  }

  show() {
    if (!this.#element) return;
    const { waiting, offline, cause } = this.#queue;
    const { dataset } = this.#element;
    const count = new Set(waiting.flatMap((entry) => entry.leases)).size;
    let [state, text] = ["", this.#element.textContent];
    if (this.trouble) [state, text] = ["failed", this.trouble];
    else if (waiting.length && cause) [state, text] = ["failed", dataset.failed];
    else if (waiting.length && (offline || navigator.onLine === false)) {
      const words = count === 1 && dataset.offlineOne ? dataset.offlineOne : dataset.offline;
      [state, text] = ["offline", words.replace("{n}", count)];
    } else if (waiting.length) [state, text] = ["saving", dataset.saving];
    else if (this.#saved) {
      const time = this.#saved.toLocaleTimeString(this.language, { hour: "2-digit", minute: "2-digit" });
      [state, text] = ["saved", dataset.saved.replace("{time}", time)];
    }
    if (this.#element.textContent !== text) this.#element.textContent = text;
    this.#element.dataset.state = state;
  }
}

// What is still to be sent: kept on the device, delivered in order, one tab at a time, until the server has answered.
// Every entry has the key under which the server knows it, so that sending it twice is sending it once.

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

// Active time on each item: counted while the page is seen and focused and somebody did something in the last half
// minute. The total of this device is kept, so a reload goes on counting and nothing is counted twice.

const IDLE = 30_000;
const TICK = 1_000;

export class Clock {
  #shelf;
  #blocks;
  #last = performance.now();
  #active = performance.now();

  constructor(shelf, blocks, signal) {
    this.#shelf = shelf;
    this.#blocks = blocks;
    const stir = () => { this.#active = performance.now(); };
    for (const kind of ["pointerdown", "pointermove", "keydown", "scroll", "wheel", "touchstart"]) {
      addEventListener(kind, stir, { passive: true, capture: true, signal });
    }
    // Coming back, the time away is not counted.
    for (const kind of ["visibilitychange", "focus", "pageshow"]) {
      addEventListener(kind, () => { this.#last = performance.now(); }, { signal });
    }
    addEventListener("pagehide", () => this.#count(), { signal });
    const timer = setInterval(() => this.#count(), TICK);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  // The visit's id and its active seconds so far.
  of(block) {
    this.#count();
    const { visit, seconds } = this.#record(block);
    return { visit, seconds: Math.round(seconds * 10) / 10 };
  }

  #count() {
    const now = performance.now();
    const spent = Math.min(now - this.#last, 2 * TICK);
    this.#last = now;
    if (document.visibilityState !== "visible" || !document.hasFocus() || now - this.#active > IDLE) return;
    const at = this.#blocks.find((block) => block.element.contains(document.activeElement));
    const blocks = at ? [at] : this.#blocks;
    for (const block of blocks) {
      const record = this.#record(block);
      record.seconds += spent / 1000 / blocks.length;
      this.#shelf.put(`time.${block.lease}`, record);
    }
  }

  #record(block) {
    const name = `time.${block.lease}`;
    let record = this.#shelf.get(name);
    if (!record) {
      record = { visit: newId(), seconds: 0, at: Date.now() };
      this.#shelf.put(name, record);
    }
    return record;
  }
}

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
