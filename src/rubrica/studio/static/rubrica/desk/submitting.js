// Submitting, what follows when the server has answered, and pages for the time without network.

import { settle, steadily } from "./answers.js";
import { BlankAsk, fill, made } from "./notices.js";
import { newId, SaveState } from "./saving.js";

// Submitting a page: checked here first, sent once however often it is clicked, kept if there is no network.

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
    const blank = problems.flatMap(({ blank: one }) => one || []);
    if (problems.length > blank.length) return desk.problems.show(problems);
    if (blank.length && !(await this.#none(blank))) return;
    desk.problems.clear();
    this.#busy(true);
    let leaves;
    try {
      const asked = outcome === "answered" ? await desk.hints.asked(desk.blocks) : [];
      if (asked.length) return desk.problems.show(asked);
      leaves = await (desk.works ? this.#inEarnest(outcome) : this.#elsewhere(outcome));
    } finally {
      // While the next page comes, a second click is the same click.
      setTimeout(() => this.#busy(false), leaves ? 3000 : 0);
    }
  }

  // Asks about what was left blank; if there is none, that is the answer.
  async #none(blank) {
    this.running = true;
    const none = await new BlankAsk(this.#desk.words).ask(blank);
    this.running = false;
    for (const question of none ? blank : []) {
      question.value = [];
      this.#desk.changed(question);
    }
    if (!none) blank[0].focus();
    return none;
  }

  async #inEarnest(outcome) {
    const { queue, saving } = this.#desk;
    const entry = saving.submit(outcome);
    await queue.deliver();
    const result = queue.result(entry.key);
    if (result) {
      location.assign(result.body.next);
      return true;
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
      ...desk.saving.judgement(block, outcome),
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
      button.setAttribute("aria-disabled", running);
    }
    this.#desk.form.setAttribute("aria-busy", running);
  }
}

// What the page does when the server has answered, or when another tab or device went on with the same item.

// Nobody is interrupted who changed something within these milliseconds.
const AT_WORK = 3000;

export class Delivery {
  #desk;
  #cause = "";

  constructor(desk, signal) {
    this.#desk = desk;
    const { queue, shelf, saving } = desk;
    this.state = new SaveState(desk.element.querySelector(".save-state"), queue, document.documentElement.lang);
    queue.addEventListener("delivered", ({ detail }) => this.#delivered(detail));
    queue.addEventListener("refused", ({ detail }) => this.#refused(detail));
    queue.addEventListener("state", () => this.#tellCause());
    shelf.heard((name) => this.#heard(name), signal);
    addEventListener("pageshow", (event) => { if (event.persisted) this.adopt(); }, { signal });
    addEventListener("focus", () => { if (!saving.busyWithin(AT_WORK)) this.adopt(); }, { signal });
  }

  start() {
    this.state.show();
    this.#tellRefused();
    this.#desk.queue.deliver();
  }

  // What another tab, or an earlier visit of this page, knows better.
  adopt(blocks = this.#desk.blocks) {
    for (const block of blocks) {
      if (!this.#desk.saving.adopt(block)) continue;
      steadily(document.activeElement, () => settle(block));
      this.#desk.history?.adopted(block);
    }
  }

  // The address and options of the request for an entry of the queue.
  request({ kind, leases, body, key }) {
    const { element, token, saving } = this.#desk;
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const draft = kind === "draft";
    const address = element.dataset.save + (kind === "submit" ? kind : `${leases[0]}/${kind}`);
    const sent = draft ? { ...body, key, base: Math.max(body.base, saving.base(body.lease)) } : body;
    return { address, options: { method: draft ? "PUT" : "POST", headers, body: JSON.stringify(sent) } };
  }

  #heard(name) {
    const { blocks } = this.#desk;
    const changed = blocks.filter(({ lease }) => name === `page.${lease}`);
    if (changed.length) this.#adoptWhenIdle(changed);
    if (name.startsWith("queue.")) this.state.show();
  }

  // At once, or when the person here has paused: what came meanwhile must not wait for the next change.
  #adoptWhenIdle(blocks) {
    if (!document.hasFocus() || !this.#desk.saving.busyWithin(AT_WORK)) this.adopt(blocks);
    else setTimeout(() => this.#adoptWhenIdle(blocks), AT_WORK);
  }

  #delivered({ entry, body }) {
    const { blocks, saving, words, notices } = this.#desk;
    this.state.trouble = "";
    if (entry.kind === "submit") this.#tellRefused();
    const receipts = body.receipts ?? [body];
    if (!receipts.some((one) => one.superseded && blocks.some(({ lease }) => lease === one.lease))) return;
    const run = () => {
      blocks.forEach((block) => saving.forget(block));
      location.reload();
    };
    this.state.trouble = words.kept_not_used;
    this.state.show();
    notices.show("elsewhere", words.other_device, { text: words.load_newest, run });
  }

  #refused({ entry, status, problems }) {
    const { words, notices, offline } = this.#desk;
    const why = problems[0]?.what ?? String(status);
    if (status === 401 || status === 404 || status === 410) {
      this.state.trouble = words.link_ended;
      notices.show("ended", words.link_ended);
      if (status !== 404) offline.forget();
    } else if (entry.kind === "submit") this.#tellRefused();
    else this.state.trouble = words.could_not_save.replace("{why}", why);
    this.state.show();
  }

  // Said once, however often it is tried: the box is an alert.
  #tellCause() {
    const { queue, notices, words } = this.#desk;
    if (queue.cause === this.#cause) return;
    this.#cause = queue.cause;
    notices.show("server", queue.cause && fill(words.server_cannot_save, { why: queue.cause }));
  }

  // Submits that the server refused after the page was left: they are kept, and the item is a click away.
  #tellRefused() {
    const { blocks, queue, problems, submitting, notices, words, token } = this.#desk;
    const refused = queue.entries().find((entry) => entry.kind === "submit" && entry.state === "refused");
    if (refused?.leases.includes(blocks[0].lease)) {
      if (!submitting.running) problems.show(refused.problems);
      return;
    }
    const href = refused && `/w/${token}/work/${refused.leases[0]}/`;
    notices.show("refused", refused && words.refused_earlier, { text: words.go_there, href });
  }
}

// Pages for the time without network: this one, the guidelines, and those that the annotator holds ahead.

const WORKER = "/w/worker.js";
const KEPT = "rubrica-pages";

export class Offline {
  #shelf;
  #token;

  constructor(shelf, token) {
    this.#shelf = shelf;
    this.#token = token;
  }

  // Asks the service worker to keep what is needed. Only on https and on this machine do browsers allow one.
  async prepare(save, addresses) {
    if (!("serviceWorker" in navigator) || !isSecureContext) return;
    try {
      await navigator.serviceWorker.register(WORKER, { scope: "/w/" });
      const { active } = await navigator.serviceWorker.ready;
      const files = performance.getEntriesByType("resource").map(({ name }) => name)
        .filter((name) => new URL(name).pathname.startsWith("/static/"));
      active.postMessage({ keep: [location.pathname, ...addresses.filter(Boolean)], files });
      const response = await fetch(`${save}next`, { headers: { Authorization: `Bearer ${this.#token}` } });
      if (!response.ok) return;
      const pages = [...new Set((await response.json()).leases.map(({ page }) => page))];
      this.#shelf.put("ahead", pages);
      active.postMessage({ keep: pages.filter((page) => page !== location.pathname) });
    } catch {
      // A page without a worker works; it only cannot be opened offline.
    }
  }

  // The next page that is kept and not submitted yet, or nothing.
  async next(submitted) {
    if (typeof caches === "undefined") return null;
    const pages = (this.#shelf.get("ahead") ?? []).filter((page) => page !== location.pathname
      && !submitted.some((lease) => page.includes(`/${lease}/`)));
    for (const page of pages) {
      if (await (await caches.open(KEPT)).match(page).catch(() => null)) return page;
    }
    return null;
  }

  // The link has ended: nothing of it stays readable here, but what is still unsent.
  forget() {
    this.#shelf.remove("ahead");
    navigator.serviceWorker?.controller?.postMessage({ forget: `/w/${this.#token}/` });
  }
}
