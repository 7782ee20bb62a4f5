// Active time on each item: counted while the page is seen and focused and somebody did something in the last half
// minute. The total of this device is kept, so a reload goes on counting and nothing is counted twice.

import { newId } from "./shelf.js";

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
