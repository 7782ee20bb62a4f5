// Submitting a page: checked here first, sent once however often it is clicked, kept if there is no network.

import { made } from "./notices.js";
import { newId } from "./shelf.js";

export class Submitting {
  #desk;

  constructor(desk) {
    this.#desk = desk;
    this.running = false;
  }

  async submit(outcome = "answered") {
    if (this.running) return;
    const desk = this.#desk;
    const problems = outcome === "answered" ? desk.problems.found() : [];
    if (problems.length) {
      desk.problems.show(problems);
      return;
    }
    desk.problems.clear();
    this.#busy(true);
    try {
      await (desk.works ? this.#inEarnest(outcome) : this.#elsewhere(outcome));
    } finally {
      this.#busy(false);
    }
  }

  async #inEarnest(outcome) {
    const { queue, saving } = this.#desk;
    const entry = saving.submit(outcome);
    await queue.deliver();
    const result = queue.result(entry.key);
    if (result) {
      location.assign(result.body.next);
      return;
    }
    const kept = queue.entries().find(({ key }) => key === entry.key);
    if (kept?.state === "refused") this.#refused(kept);
    else if (!queue.ended) await this.#kept();
  }

  // The answers stay as a draft: the page shows what to mend.
  #refused(entry) {
    const desk = this.#desk;
    desk.queue.remove(entry.key);
    desk.blocks.forEach((block) => desk.saving.changed(block));
    desk.problems.show(entry.problems);
  }

  // Without network it goes on with whatever was kept ahead.
  async #kept() {
    const desk = this.#desk;
    const submitted = desk.queue.entries().filter(({ kind }) => kind === "submit").flatMap(({ leases }) => leases);
    const next = await desk.offline.next(submitted);
    if (next) location.assign(next);
    else {
      desk.notices.show("kept", desk.queue.cause ? "" : desk.words.waiting_to_submit);
      desk.element.querySelector('[data-notice="server"]')?.scrollIntoView({ block: "nearest" });
      desk.queue.addEventListener("delivered", ({ detail }) => {
        const here = detail.entry.kind === "submit" && detail.entry.leases.includes(desk.blocks[0].lease);
        if (here) location.assign(detail.body.next);
      });
    }
  }

  // Practice, qualification, trial and preview have their own addresses; nothing is kept on the device.
  async #elsewhere(outcome) {
    const desk = this.#desk;
    const judgements = desk.blocks.map((block) => ({
      ...desk.saving.judgement(block, { submitting: true, outcome }),
      key: newId(),
    }));
    const csrf = desk.form.elements.namedItem("csrfmiddlewaretoken")?.value;
    const headers = { "Content-Type": "application/json", ...(csrf && { "X-CSRFToken": csrf }) };
    const body = JSON.stringify({ judgements });
    let response;
    try {
      response = await fetch(desk.element.dataset.submit, { method: "POST", headers, body });
    } catch {
      desk.notices.show("failed", desk.words.no_network);
      return;
    }
    desk.notices.show("failed", "");
    const answer = await response.json().catch(() => ({}));
    if (response.status === 422) desk.problems.show(answer.errors ?? []);
    else if (!response.ok) desk.notices.show("failed", answer.errors?.[0]?.what ?? response.statusText);
    else if (answer.html) this.#feedback(answer);
    else if (answer.next) location.assign(answer.next);
  }

  #feedback({ html, next }) {
    const desk = this.#desk;
    const actions = desk.element.querySelector(".desk-actions");
    // Our own server's fragment.
    const place = made("div", { className: "feedback", tabIndex: -1, role: "status", innerHTML: html });
    const row = made("div", { className: "actions-row" });
    if (next) row.append(made("a", { className: "button primary", href: next, textContent: desk.words.go_on }));
    desk.questions.forEach((question) => { question.element.disabled = true; });
    actions.replaceChildren(place, row);
    place.scrollIntoView({ block: "nearest" });
    (row.firstElementChild ?? place).focus();
  }

  #busy(running) {
    this.running = running;
    for (const button of this.#desk.element.querySelectorAll('[data-action="submit"], [data-outcome]')) {
      button.setAttribute("aria-disabled", String(running));
    }
    this.#desk.form.setAttribute("aria-busy", String(running));
  }
}
