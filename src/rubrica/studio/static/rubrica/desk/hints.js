// Remarks of the server on what is being written. They never block, and if they do not come, nothing is missing.

import { made } from "./notices.js";

const PAUSE = 700;
const WATCHED = new Set(["rewrite", "short_answers"]);
// Answers that may open or close a hint of the protocol at a comment.
const RELATED = new Set(["yes_no", "choice", "text"]);

export class Hints {
  #address;
  #token;
  #timers = new Map();
  #running = new Map();

  constructor(address, token, blocks, signal) {
    this.#address = address;
    this.#token = token;
    signal.addEventListener("abort", () => this.#timers.forEach((timer) => clearTimeout(timer)));
    for (const block of blocks) {
      if (block.questions.some(({ kind, value }) => WATCHED.has(kind) && value !== undefined)) this.#soon(block);
    }
  }

  changed(block, question) {
    const comments = block.questions.some(({ kind }) => kind === "text");
    if (WATCHED.has(question.kind) || (comments && RELATED.has(question.kind))) this.#soon(block);
  }

  #soon(block) {
    if (!this.#address) return;
    clearTimeout(this.#timers.get(block));
    this.#timers.set(block, setTimeout(() => this.#ask(block), PAUSE));
  }

  async #ask(block) {
    this.#running.get(block)?.abort();
    const running = new AbortController();
    this.#running.set(block, running);
    try {
      const response = await fetch(this.#address, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...(this.#token && { Authorization: `Bearer ${this.#token}` }) },
        body: JSON.stringify({ lease: block.lease, answers: block.answers() }),
        signal: running.signal,
      });
      if (response.ok) this.#show(block, (await response.json()).hints);
    } catch {
      // Offline, or asked anew: the hints that stand there stay.
    }
  }

  #show(block, hints) {
    for (const question of block.questions) {
      const place = question.element.querySelector(".hints");
      if (!place) continue;
      const lines = hints.filter((hint) => hint.question === question.id).map(({ text }) => text);
      // Said again only if it is something else.
      if (place.dataset.text === lines.join("\n")) continue;
      place.dataset.text = lines.join("\n");
      const line = (textContent) => made("span", { className: "hint", dir: "auto", textContent });
      place.replaceChildren(...lines.flatMap((text, index) => (index ? [" · ", line(text)] : [line(text)])));
    }
  }
}
