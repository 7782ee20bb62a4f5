// Saving as one goes: every change is put into the queue at once and sent within a second, and the page says so.
// What this device knows of an item (answers, newest revision) is kept too, for a reload without the network.

import { same } from "./answers.js";
import { newId } from "./shelf.js";

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

  judgement(block, { submitting = false, outcome = block.outcome } = {}) {
    return {
      lease: block.lease,
      answers: block.answers({ submitting }),
      ...block.marked,
      outcome,
      base: block.base,
      ...this.#clock.of(block),
    };
  }

  // Puts the submit of the whole page into the queue, once for the same content; its entry.
  submit(outcome) {
    const judgements = this.#blocks.map((block) => this.judgement(block, { submitting: true, outcome }));
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
    const { answers, edits, became } = record;
    if (same({ answers, edits, became }, block.said)) return false;
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

  #keep(block) {
    const { base } = block;
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
