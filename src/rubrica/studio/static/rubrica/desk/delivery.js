// What the page does when the server has answered, or when another tab or device went on with the same item.

import { settle, steadily } from "./conditions.js";
import { fill } from "./notices.js";
import { SaveState } from "./saving.js";

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
    const { blocks, saving } = this.#desk;
    const changed = blocks.filter(({ lease }) => name === `page.${lease}`);
    if (!document.hasFocus() || !saving.busyWithin(AT_WORK)) this.adopt(changed);
    if (name.startsWith("queue.")) this.state.show();
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
