// <rubrica-desk>: enlivens the page that annotate/desk.html draws. The page works as a form without any of this.

import { Block, settle, steadily, Undo } from "./answers.js";
import { Guide, Hints, made, Notices, Problems } from "./notices.js";
import { Clock, Queue, Saving, Shelf } from "./saving.js";
import { Delivery, Offline, Submitting } from "./submitting.js";

const FOLDS = "details[open]:is(.flag, .ways-out, .menu, .annotator-menu)";
// So many milliseconds no question takes a click after questions moved: it was meant for what stood there.
const STILL = 400;

class RubricaDesk extends HTMLElement {
  connectedCallback() {
    this.leaving = new AbortController();
    this.desk = new Desk(this, this.leaving.signal);
  }

  disconnectedCallback() {
    this.leaving.abort();
  }
}

class Desk {
  #coming = null;
  constructor(element, signal) {
    this.element = element;
    this.form = element.querySelector("form.desk-form");
    const { messages, answers, outcome, scheme, items } = JSON.parse(element.querySelector("script.desk-data").textContent);
    this.words = messages;
    this.works = element.dataset.mode === "work";
    this.token = element.dataset.token;
    this.blocks = [...element.querySelectorAll(".item[data-lease]")].map((section) => {
      const { lease } = section.dataset;
      return new Block(section, answers[lease] ?? {}, outcome[lease] ?? "answered");
    });
    this.current = null;
    this.#build(signal);
    if (scheme) this.#edit(scheme, items, signal);
    new Keyboard(this, this.settings, signal);
    this.#listen(signal);
    this.#start(signal);
  }

  #build(signal) {
    const { element, blocks } = this;
    const settings = this.settings = new Shelf("settings");
    // The first part of a token names the link and stays when the link is renewed; the secret part is not stored.
    const name = this.token.slice(0, 16);
    this.shelf = this.works ? new Shelf(name) : new Shelf("trial", null);
    this.clock = new Clock(this.shelf, blocks, signal);
    this.queue = new Queue(this.shelf, (entry) => this.delivery.request(entry), name, signal);
    this.saving = new Saving({ shelf: this.shelf, queue: this.queue, clock: this.clock, blocks, signal });
    this.notices = new Notices(element);
    this.problems = new Problems(this);
    this.texts = new Texts(this, settings, signal);
    this.guide = new Guide(element);
    this.offline = new Offline(this.shelf, this.token);
    this.submitting = new Submitting(this);
    if (this.works) this.delivery = new Delivery(this, signal);
  }

  // Where edits are marked, each item has an editor; its keys are heard before the desk's.
  #edit(scheme, items, signal) {
    const { element } = this;
    for (const block of this.blocks) {
      const given = { lease: block.lease, words: this.words, scheme, item: items[block.lease] };
      block.editor = block.element.querySelector("rubrica-edits").start(given, {
        edited: () => this.changed(null, block),
        seen: () => {
          this.problems.clear(null, block);
          if (this.works) this.saving.changed(block);
        },
        attend: (question) => this.attend(question),
        say: (text) => this.notices.say(text),
        kept: (lease) => ({ get: () => this.shelf.get(`none.${lease}`), put: (value) => this.shelf.put(`none.${lease}`, value) }),
        get shortcuts() { return element.dataset.shortcuts !== "off"; },
      }, signal);
    }
  }

  #listen(signal) {
    const { element, form } = this;
    const changed = ({ target }) => {
      const question = this.#questionOf(target);
      if (!question || !target.name) return;
      question.touched(target);
      this.changed(question);
    };
    const flows = (target) => target.matches("textarea, input[type=text], input[type=range]");
    form.addEventListener("input", (event) => { if (flows(event.target)) changed(event); });
    form.addEventListener("change", (event) => {
      if (!flows(event.target)) changed(event);
      this.#goOn(event.target);
    });
    // Where a range stands already is an answer too, once it is touched.
    form.addEventListener("pointerup", (event) => {
      if (!event.target.matches("[data-unset]")) return;
      changed(event);
      this.#goOn(event.target);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { submitter } = event;
      if (submitter?.name === "flag") this.#flag(submitter.value);
      else this.submit(submitter?.dataset.outcome);
    });
    element.addEventListener("focusin", ({ target }) => this.attend(this.#questionOf(target)));
    this.#watchHand(signal);
    element.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("click", ({ target }) => {
      for (const fold of element.querySelectorAll(FOLDS)) if (!fold.contains(target)) fold.open = false;
    }, { signal });
  }

  // Answered questions shrink to a line only while the keyboard answers: under a pointer nothing may move. A mouse that
  // begins to move opens them again, long before it clicks; a finger first has to look where it taps.
  #watchHand(signal) {
    this.pointing = true;
    addEventListener("keydown", () => { this.pointing = false; }, { signal, capture: true });
    addEventListener("pointerdown", () => {
      this.pointing = true;
      this.takeUp("pointer");
    }, { signal, capture: true });
    addEventListener("pointermove", ({ movementX, movementY }) => {
      if (movementX || movementY) this.takeUp("pointer");
    }, { signal });
  }

  takeUp(hand) {
    if ((this.element.dataset.hand ?? "pointer") === hand) return;
    this.#still(() => steadily(this.current?.element, () => { this.element.dataset.hand = hand; }));
  }

  // Does something that may move questions; if it did, none takes a click for a moment.
  #still(change) {
    if (!this.pointing) return change();
    const tops = () => this.blocks.flatMap(({ questions }) => questions).map(({ element }) => (element.hidden ? null : element.getBoundingClientRect().top));
    const before = tops();
    const result = change();
    if (!tops().every((top, index) => top === before[index] || Math.abs(top - before[index]) < 1)) {
      clearTimeout(this.moved);
      this.element.dataset.moved = "";
      this.moved = setTimeout(() => delete this.element.dataset.moved, STILL);
    }
    return result;
  }

  #start(signal) {
    this.delivery?.adopt();
    this.blocks.forEach(settle);
    this.history = new Undo(this.blocks);
    this.hints = new Hints(this.element.dataset.hints, this.token, this.blocks, signal);
    this.attend(this.nextUnanswered(null));
    this.element.dataset.ready = "";
    if (!this.works) return;
    // The page may have been opened as the first of one's work: from now on it goes by its own address.
    history.replaceState(history.state, "", this.form.action);
    this.delivery.start();
    const prepare = () => this.offline.prepare(this.element.dataset.save, [this.guide.address]);
    if (document.readyState === "complete") prepare();
    else addEventListener("load", prepare, { once: true });
  }

  // Those of the edit that is open come first, as on the page.
  get questions() {
    return this.blocks.flatMap((block) => [...(block.editor?.questions ?? []), ...block.questions]);
  }

  // The next question that still needs an answer, after this one, else from the top.
  nextUnanswered(question) {
    if (question?.owner) return question.owner.next(question);
    const open = (one) => !one.hidden && !one.locked && one.required && one.open;
    const at = this.questions.indexOf(question);
    return this.questions.slice(at + 1).find(open) ?? this.questions.slice(0, at + 1).find(open);
  }

  // After an answer to a question; without one, after a change of the block's edits.
  changed(question, block = this.blocks.find(({ lease }) => lease === question.lease)) {
    if (question) this.#still(() => steadily(document.activeElement, () => (question.owner ? question.owner.answered() : settle(block))));
    this.problems.clear(question, block);
    this.history.changed(block, question);
    this.#after(block, question);
  }

  // Who answers by mouse or finger is at the next question, as by keyboard: at once if it is on the screen, else when
  // it comes there, so that no text fades for a question that nobody sees yet.
  #goOn(target) {
    const question = this.#questionOf(target);
    if (!this.pointing || !question?.single || question.owner) return;
    this.#coming?.disconnect();
    const next = this.nextUnanswered(question);
    if (!next) return;
    const { top, height } = next.element.getBoundingClientRect();
    if (top + height / 2 < innerHeight) return this.attend(next);
    this.#coming = new IntersectionObserver(([seen]) => seen.isIntersecting && this.attend(next), { threshold: 0.5 });
    this.#coming.observe(next.element);
  }

  undo(again = false) {
    const step = this.history.take(again);
    if (!step) return;
    const { block, question } = step;
    steadily(document.activeElement, () => settle(block));
    if (question && !question.owner && !question.hidden) question.focus();
    this.#after(block, question);
    this.notices.say(again ? this.words.redone : this.words.undone);
  }

  #after(block, question) {
    for (const [action, can] of Object.entries(this.history.possible)) {
      for (const button of this.element.querySelectorAll(`[data-action="${action}"]`)) button.hidden = !can;
    }
    if (this.works) this.saving.changed(block);
    if (question && !question.owner) this.hints.changed(block, question);
  }

  submit(outcome) {
    return this.submitting.submit(outcome);
  }

  go(where) {
    const { previous, next } = this.element.dataset;
    const address = where === "back" ? previous : next;
    if (address) location.assign(address);
  }

  unfold(selector) {
    const fold = this.element.querySelector(selector);
    if (!fold) return;
    fold.open = !fold.open;
    if (fold.open) fold.querySelector(".pop :is(textarea, button)")?.focus();
  }

  showKeys() {
    this.element.querySelector("dialog.keys")?.showModal();
  }

  // Closes whatever stands open; Escape.
  close() {
    const fold = this.element.querySelector(FOLDS);
    if (!fold) {
      this.texts.unfold(false);
      this.guide.close();
      return;
    }
    fold.open = false;
    fold.querySelector("summary").focus();
  }

  #questionOf(target) {
    const element = target?.closest?.(".question");
    return element ? this.questions.find((question) => question.element === element) : undefined;
  }

  // The question that digits answer and the guide is opened at.
  attend(question) {
    if (!question || question === this.current) return;
    steadily(this.current && question.element, () => {
      this.current?.element.classList.remove("focused");
      question.element.classList.add("focused");
    });
    this.current = question;
    this.texts.attend(question);
    this.guide.turnTo(question);
  }

  #clicked({ target }) {
    const control = target.closest("[data-action]");
    switch (control?.dataset.action) {
      case "guide": this.guide.toggle(this.current); break;
      case "close-guide": this.guide.close(); break;
      case "keys": this.showKeys(); break;
      case "undo": this.undo(); break;
      case "redo": this.undo(true); break;
      case "layout": this.texts.layout(); break;
      case "strip": this.texts.unfold(control.getAttribute("aria-expanded") !== "true"); break;
      case "start-from": this.#startFrom(control); break;
      case undefined: this.#reopen(target); break;
      default:
    }
  }

  // An answered question is one line; a click on it opens it again.
  #reopen(target) {
    const question = this.#questionOf(target);
    if (!question || question === this.current || target.closest("input, textarea, label, a, button, summary")) return;
    steadily(question.element, () => question.focus());
  }

  #startFrom(button) {
    const question = this.#questionOf(button);
    const [input] = question.inputs;
    input.value = button.dataset.from;
    input.focus();
    question.touched(input);
    this.changed(question);
  }

  #flag(lease) {
    const fold = this.element.querySelector("details.flag");
    const field = fold.querySelector("textarea");
    const reason = field.value.trim();
    field.setAttribute("aria-invalid", String(!reason));
    if (!reason) {
      field.focus();
      return;
    }
    this.queue.put("flag", [lease], { reason });
    this.queue.deliver();
    field.value = "";
    this.close();
    this.notices.show("flag", this.words.flagged);
  }
}

// The texts that are judged: dimmed or covered as the question at hand demands, differences, layout. Where they do not
// stay in view (a phone), a strip of them lies over the page once one has scrolled past them; a tap brings them back whole.

// So many characters stand before the marked word in the strip.
const AHEAD = 16;

export class Texts {
  #desk;
  #settings;
  #strip = null;
  #whole = null;

  constructor(desk, settings, signal) {
    this.#desk = desk;
    this.#settings = settings;
    const layout = settings.get("layout");
    if (layout && desk.element.querySelector('[data-action="layout"]')) desk.element.dataset.layout = layout;
    for (const box of this.#boxes) {
      box.checked = settings.get("differences");
      box.addEventListener("change", () => settings.put("differences", box.checked));
    }
    this.#whole = desk.element.querySelector(".texts[data-shared] .text-rows");
    if (this.#whole) this.#watch(signal);
  }

  // What the question that has the focus must not be influenced by.
  attend(question) {
    const named = (list) => (list ?? "").split(" ").filter(Boolean);
    this.dims = named(question?.element.dataset.dims);
    this.hides = named(question?.element.dataset.hides);
    this.#cover();
  }

  #cover() {
    for (const text of this.#desk.element.querySelectorAll("[data-field]")) {
      text.classList.toggle("dimmed", (this.dims ?? []).includes(text.dataset.field));
      text.classList.toggle("hidden-field", (this.hides ?? []).includes(text.dataset.field));
    }
  }

  get #boxes() {
    return this.#desk.element.querySelectorAll('[data-action="differences"]');
  }

  // Shown or not: what was chosen holds for the items that follow.
  differences() {
    for (const box of this.#boxes) box.click();
  }

  layout() {
    const { element } = this.#desk;
    element.dataset.layout = element.dataset.layout === "side_by_side" ? "stacked" : "side_by_side";
    this.#settings.put("layout", element.dataset.layout);
  }

  #watch(signal) {
    const { form, words } = this.#desk;
    const button = made("button", { type: "button", className: "strip-button", ariaLabel: words.whole_texts });
    button.dataset.action = "strip";
    button.setAttribute("aria-expanded", "false");
    this.#strip = made("div", { className: "strip", hidden: true });
    this.#strip.append(button);
    form.prepend(this.#strip);
    const seen = new IntersectionObserver(([{ isIntersecting, boundingClientRect }]) => {
      this.#show(!isIntersecting && boundingClientRect.bottom <= 0);
    });
    seen.observe(this.#whole.closest(".texts"));
    signal.addEventListener("abort", () => seen.disconnect());
  }

  #show(past) {
    if (past) this.#fill();
    else this.unfold(false);
    this.#strip.hidden = !past;
  }

  // A line for each text, with the words that are marked in it.
  #fill() {
    const texts = [...this.#whole.querySelectorAll(".text")];
    const marked = texts.some((text) => text.querySelector("mark"));
    const lines = texts.filter(({ dataset }) => !(marked && dataset.role === "target")).map((text) => {
      const line = made("span", { className: "strip-line" });
      line.dataset.field = text.dataset.field;
      const words = made("span", { className: "strip-text", dir: "auto" });
      words.append(...excerpt(text.querySelector(".text-body")));
      line.append(text.querySelector(".text-label").cloneNode(true), words);
      return line;
    });
    this.#strip.querySelector("button").replaceChildren(...lines);
    this.#cover();
  }

  unfold(on) {
    if (!this.#strip) return;
    const button = this.#strip.querySelector("button");
    button.setAttribute("aria-expanded", String(on));
    this.#strip.querySelector(".text-rows")?.remove();
    if (on) this.#strip.prepend(this.#whole.cloneNode(true));
    this.#cover();
  }
}

// The text with what stands far before a marked word left out; unmarked, from its beginning.
function excerpt(body) {
  const parts = [];
  const range = document.createRange();
  range.selectNodeContents(body);
  for (const mark of body.querySelectorAll("mark")) {
    range.setEndBefore(mark);
    const before = range.toString();
    const near = `${parts.length ? " " : ""}…${before.slice(-AHEAD).replace(/^\S*\s/, "")}`;
    parts.push(before.length > AHEAD ? near : before, mark.cloneNode(true));
    range.selectNodeContents(body);
    range.setStartAfter(mark);
  }
  return [...parts, range.toString()];
}

// One hand on the keyboard does everything. Single keys can be switched off, and are silent while one types.

const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";

export class Keyboard {
  #desk;
  #settings;

  constructor(desk, settings, signal) {
    this.#desk = desk;
    this.#settings = settings;
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    const box = desk.element.querySelector('input[data-action="shortcuts"]');
    if (box) {
      box.checked = this.on;
      box.addEventListener("change", () => {
        settings.put("shortcuts", box.checked ? "on" : "off");
        desk.element.dataset.shortcuts = box.checked ? "on" : "off";
        desk.notices.say(box.checked ? desk.words.shortcuts_on : desk.words.shortcuts_off);
      });
    }
    desk.element.dataset.shortcuts = this.on ? "on" : "off";
  }

  get on() {
    return (this.#settings.get("shortcuts") ?? "on") !== "off";
  }

  #pressed(event) {
    if (event.defaultPrevented || event.isComposing || !this.#mine(event.target)) return;
    if (event.altKey && !event.ctrlKey && !event.metaKey) this.#withAlt(event);
    else if (event.ctrlKey || event.metaKey) this.#withControl(event);
    else if (event.key === "Escape") this.#desk.close();
    else if (event.key === "Enter") this.#enter(event);
    else if (this.on && !event.repeat && !isTyping(event.target)) this.#single(event);
  }

  #mine(target) {
    return !document.querySelector("dialog[open]") && (target === document.body || target.closest?.("main"));
  }

  #withAlt(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    // On a Mac these move by words in a text.
    if (isTyping(event.target) && /Mac|iP/.test(navigator.platform)) return;
    // The browser would leave the page through its history.
    event.preventDefault();
    this.#desk.go(event.key === "ArrowLeft" ? "back" : "forward");
  }

  #withControl(event) {
    if (event.key === "Enter" && !event.target.closest?.(".pop")) {
      event.preventDefault();
      this.#desk.submit();
    } else if (/^[zy]$/i.test(event.key) && !isTyping(event.target)) {
      event.preventDefault();
      this.#desk.undo(event.shiftKey || event.key.toLowerCase() === "y");
    }
  }

  #enter(event) {
    if (event.target.closest?.("textarea, a, button, summary, select, .pop, .annotator-menu") || event.repeat) return;
    // Where edits are marked, Enter goes from edit to edit.
    if (this.#desk.blocks.some(({ editor }) => editor)) return;
    event.preventDefault();
    this.#desk.submit();
  }

  #single(event) {
    const desk = this.#desk;
    const actions = {
      g: () => desk.guide.toggle(desk.current),
      d: () => desk.texts.differences(),
      u: () => desk.undo(),
      f: () => desk.unfold("details.flag"),
      s: () => desk.unfold("details.ways-out"),
      "?": () => desk.showKeys(),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[0-9]$/.test(key)) {
      if (!this.#digit(key)) return;
    } else if (key === "y" || key === "n") {
      if (!this.#choose(key === "y" ? "yes" : "no")) return;
    } else if (actions[key]) actions[key]();
    else return;
    event.preventDefault();
  }

  #digit(digit) {
    const question = this.#desk.current;
    if (!question || question.locked || question.typed) return false;
    const { inputs } = question;
    if (question.kind === "slider") {
      const [input] = inputs;
      if (Number(digit) < Number(input.min) || Number(digit) > Number(input.max)) return false;
      input.value = digit;
      this.#answered(question, input);
      return true;
    }
    const byKey = inputs.some((input) => input.dataset.key);
    const input = byKey ? inputs.find((one) => one.dataset.key === digit) : inputs[Number(digit) - 1];
    if (!input) return false;
    input.checked = question.kind === "choices" ? !input.checked : true;
    this.#answered(question, input);
    return true;
  }

  #choose(value) {
    const question = this.#desk.current;
    if (question?.kind !== "yes_no") return false;
    const input = question.inputs.find((one) => one.value === value);
    if (!input) return false;
    input.checked = true;
    this.#answered(question, input);
    return true;
  }

  #answered(question, input) {
    // Whoever answers about an edit with the caret in the text goes on there.
    const stays = document.activeElement?.closest?.(".edit-texts");
    if (!stays) input.focus({ preventScroll: true });
    input.dispatchEvent(new Event(input.type === "range" ? "input" : "change", { bubbles: true }));
    if (question.kind === "choices") return;
    this.#desk.takeUp("keys");
    const next = this.#desk.nextUnanswered(question);
    if (stays) this.#desk.attend(next);
    else next?.focus();
  }
}

function isTyping(target) {
  return target.matches?.(TYPING);
}

customElements.define("rubrica-desk", RubricaDesk);
