// What the page tells: notices, what stands in the way of submitting, remarks of the server, the guidelines.

// What the page says: once to whoever listens, or in a box above the actions, with something to do about it.
// Nothing of the work moves for it.

export class Notices {
  #element;
  #said = null;

  constructor(element) {
    this.#element = element;
  }

  say(text) {
    if (!this.#said) {
      this.#said = made("p", { className: "visually-hidden", role: "status" });
      this.#element.append(this.#said);
    }
    this.#said.textContent = text ?? "";
  }

  // The same name replaces a box; no text removes it. `action` is { text, href } or { text, run }.
  show(name, text, action) {
    this.#element.querySelector(`.notice[data-notice="${name}"]`)?.remove();
    if (!text) return;
    const box = made("div", { className: "notice warning desk-notice", role: "alert" });
    box.dataset.notice = name;
    box.append(text);
    if (action?.href) box.append(" ", made("a", { href: action.href, textContent: action.text }));
    else if (action) {
      box.append(" ", made("button", { type: "button", textContent: action.text, onclick: action.run }));
    }
    this.#element.querySelector(".desk-actions").prepend(box);
  }
}

export function made(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

// A text with names in braces filled in.
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// "Cannot submit" always says why and goes there: each problem at its question, all of them in a list of links.

export class Problems {
  #desk;
  #summary;
  #words;
  #known = [];

  constructor(desk) {
    this.#desk = desk;
    this.#words = desk.words;
    this.#summary = desk.element.querySelector(".summary-problems");
  }

  // What the page itself can see before it asks the server.
  found() {
    return this.#desk.blocks.flatMap(({ lease, questions, editor }) => [
      ...(editor?.problems() ?? []),
      ...questions.filter((question) => question.missing)
        .map((question) => ({ lease, question: question.id, what: this.#plea(question), blank: question.none && question })),
    ]);
  }

  show(problems) {
    this.clear();
    this.#known = problems.map((problem) => this.#placed(problem));
    for (const { question, what } of this.#known) if (question) this.#at(question, what);
    this.#list();
    if (this.#known.some(({ question }) => question?.kind === "rewrite" && question.value !== undefined)) {
      // Where a text may be refused for what it was made from, there are more ways out than to skip.
      const ways = this.#desk.element.querySelector("details.ways-out:has([data-outcome] ~ [data-outcome])");
      ways?.setAttribute("open", "");
    }
    const first = this.#known.find(({ question, edit, go }) => question || edit || go);
    if (first) this.#go(first);
    else this.#summary?.scrollIntoView({ block: "nearest" });
  }

  // After a change of this question, of the edits of this block, or of all. What is mended keeps its place until the
  // next submit, so that nothing moves.
  clear(question, block) {
    for (const one of question ? [question] : block ? [] : this.#desk.questions) {
      const place = one.element.querySelector(".problem");
      if (!place || place.hidden) continue;
      place.hidden = !question;
      place.classList.add("mended");
      one.element.classList.remove("wrong");
      one.inputs.forEach((input) => input.removeAttribute("aria-invalid"));
    }
    if (!this.#summary) return;
    if ((question || block) && !this.#summary.hidden) queueMicrotask(() => this.#again(question));
    else this.#summary.hidden = true;
  }

  // What is left after an answer: the earlier problems that still stand, and what the answer made necessary.
  #again(answered) {
    const still = this.#known.filter(({ question }) => question && question !== answered && !question.hidden);
    const further = this.found().map((one) => this.#placed(one));
    this.#known = [...still, ...further.filter((one) => one.edit || one.go || !still.some(({ question }) => question === one.question))];
    this.#list();
  }

  // A problem with the question, or the edit, to which it leads; or it knows itself where to go.
  #placed({ lease, question: id, edit: name, what, go }) {
    if (go) return { go, what };
    const block = this.#desk.blocks.find((one) => one.lease === lease);
    const edit = name && block?.editor?.edits.get(name);
    if (edit) return { edit, editor: block.editor, id, what };
    const question = block?.byId.get(id);
    return { question: question?.hidden ? null : question, what };
  }

  #at(question, what) {
    const place = question.element.querySelector(".problem");
    if (place) {
      place.textContent = what;
      place.classList.remove("mended");
      place.hidden = false;
    }
    question.element.classList.add("wrong");
    question.inputs.forEach((input) => input.setAttribute("aria-invalid", "true"));
  }

  #list() {
    const known = this.#known;
    if (!this.#summary) return;
    this.#summary.classList.toggle("mended", !known.length);
    if (!known.length) return;
    const missing = known.every(({ question, edit, go }) => !edit && !go && question?.value === undefined);
    const one = missing ? this.#words.missing_one : this.#words.wrong_one;
    const many = missing ? this.#words.missing_many : this.#words.wrong_many;
    const head = made("p", { textContent: known.length === 1 ? one : many.replace("{n}", known.length) });
    const list = made("ul");
    for (const one of known) {
      const line = made("li");
      line.append(one.question || one.edit || one.go ? this.#link(one) : one.what);
      list.append(line);
    }
    this.#summary.style.minHeight = this.#summary.hidden ? "" : `${this.#summary.offsetHeight}px`;
    this.#summary.hidden = false;
    this.#summary.replaceChildren(head, list);
  }

  #link(known) {
    const { question, edit, editor, what } = known;
    const text = question ? this.#ofItem(question) + question.prompt : edit ? `${editor.name(edit)}: ${what.replace(`edit ${edit.id} `, "")}` : what;
    const link = made("a", { href: `#${question?.element.id ?? ""}`, textContent: text });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.#go(known);
    });
    return link;
  }

  // Where a page has several items, all of them are asked the same: the link begins with the item's name.
  #ofItem(question) {
    const name = this.#desk.blocks.length > 1 && question.element.closest(".item")?.querySelector(".item-name");
    if (!name) return "";
    return `${[...name.querySelectorAll(".item-number, mark")].map((one) => one.textContent).join(" ")} · `;
  }

  #go({ question, edit, editor, id, go }) {
    if (go) {
      go();
      return;
    }
    if (edit) {
      editor.point(edit.id, id);
      return;
    }
    question.focus();
    question.element.scrollIntoView({ block: "center" });
  }

  #plea(question) {
    const words = this.#words;
    if (question.kind === "slider") return words.please_slide;
    if (question.none) return fill(words.please_write_or_none, { none: question.none.dataset.label });
    if (question.start && question.value === question.start) return words.please_change;
    return question.typed ? words.please_write : words.please_choose;
  }
}

// Left blank where that may mean that there is none: asked once, answered by one key. Enter, which may have brought one
// here by accident, goes back to the boxes.

export class BlankAsk {
  #words;
  #language = document.documentElement.lang;

  constructor(words) {
    this.#words = words;
  }

  // Whether the person says that there is none for these questions.
  ask(questions) {
    const words = this.#words;
    const yes = made("button", { value: "yes", className: "primary", textContent: words.none_yes });
    const no = made("button", { value: "", autofocus: true, textContent: words.none_no });
    yes.append(" ", made("kbd", { textContent: words.none_yes_key }));
    no.append(" ", made("kbd", { textContent: "n" }));
    const form = made("form", { method: "dialog" });
    form.append(this.#question(questions), yes, no);
    const dialog = made("dialog", { className: "ask" });
    dialog.setAttribute("aria-labelledby", "ask-text");
    dialog.append(form);
    dialog.addEventListener("keydown", (event) => {
      const key = event.key.toLowerCase();
      const answer = key === "y" || key === words.none_yes_key ? "yes" : key === "n" ? "" : null;
      if (answer === null || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      dialog.close(answer);
    });
    document.querySelector("main").append(dialog);
    dialog.showModal();
    return new Promise((answered) => {
      dialog.addEventListener("close", () => {
        dialog.remove();
        answered(dialog.returnValue === "yes");
      });
    });
  }

  // "No simpler word for arid and vast?", the words marked.
  #question(questions) {
    const asked = questions.filter(({ none }) => none.dataset.word).map(({ none }) => none.dataset.word);
    const { label } = questions[0].none.dataset;
    const line = made("p", { className: "ask-text", id: "ask-text" });
    const [before, after] = fill(asked.length ? this.#words.none_ask : this.#words.none_ask_plain, { none: label }).split("{word}");
    const parts = new Intl.ListFormat(this.#language || "en").formatToParts(asked);
    line.append(before, ...parts.map(({ type, value }) => (type === "element" ? made("mark", { textContent: value }) : value)), after ?? "");
    return line;
  }
}

// Remarks of the server on what is being written. They never block, and if they do not come, nothing is missing. Some
// ask whether a text is meant so: once, before it is submitted.

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

  // What is still to be asked about the texts of these blocks, as far as the server says it in time.
  async asked(blocks) {
    const open = (one) => one.asks && !one.hidden && one.meant !== one.value;
    const asking = this.#address ? blocks.filter(({ questions }) => questions.some(open)) : [];
    const late = asking.length && new Promise((over) => { setTimeout(over, 3 * PAUSE); });
    await Promise.race([late, Promise.all(asking.map((block) => this.#ask(block)))]);
    return asking.flatMap(({ lease, questions }) => questions.filter((one) => open(one) && one.doubt).map((one) => {
      one.meant = one.value;
      return { lease, question: one.id, what: one.doubt };
    }));
  }

  #soon(block) {
    if (!this.#address) return;
    clearTimeout(this.#timers.get(block));
    this.#timers.set(block, setTimeout(() => this.#ask(block), PAUSE));
  }

  async #ask(block) {
    clearTimeout(this.#timers.get(block));
    this.#running.get(block)?.abort();
    const running = new AbortController();
    this.#running.set(block, running);
    try {
      const response = await fetch(this.#address, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...(this.#token && { Authorization: `Bearer ${this.#token}` }) },
        body: JSON.stringify({ lease: block.lease, answers: block.answers({ repeated: true }) }),
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
      const here = hints.filter((hint) => hint.question === question.id);
      question.doubt = here.find(({ asks }) => asks)?.text;
      const said = here.map(({ text }) => text).join("\n");
      // Said again only if it is something else.
      if (place.dataset.text === said) continue;
      place.dataset.text = said;
      place.replaceChildren(...here.map(({ text, asks }) => made("span", { className: `hint ${asks ? "asks" : ""}`, dir: "auto", textContent: text })));
    }
  }
}

// The guidelines beside the work, at the section of the question that one is at.

export class Guide {
  #aside;
  #body;
  #buttons;
  #loaded = null;
  // Where it is to be opened: the person may go on while it loads.
  #question = null;

  constructor(element) {
    this.#aside = element.querySelector("aside.guide");
    this.#body = this.#aside?.querySelector(".guide-body") ?? this.#aside;
    this.#buttons = element.querySelectorAll('[data-action="guide"]');
  }

  get open() {
    return this.#aside !== null && !this.#aside.hidden;
  }

  get address() {
    return this.#aside?.dataset.url ?? "";
  }

  async toggle(question) {
    if (!this.#aside) return;
    if (this.open) {
      this.close();
      return;
    }
    this.#aside.hidden = false;
    this.#buttons.forEach((button) => button.setAttribute("aria-expanded", "true"));
    this.#question = question;
    await this.#load();
    this.turnTo(this.#question);
  }

  close() {
    if (!this.open) return;
    const had = this.#aside.contains(document.activeElement);
    this.#aside.hidden = true;
    this.#buttons.forEach((button) => button.setAttribute("aria-expanded", "false"));
    if (had) this.#buttons[0]?.focus();
  }

  // Opens at the section of this question. Sections have the ids of questions, after "guide-" where the page needs it.
  turnTo(question) {
    this.#question = question;
    if (!this.open || !question) return;
    const place = [question.id, `guide-${question.id}`]
      .map((id) => this.#body.querySelector(`#${CSS.escape(id)}`)).find(Boolean);
    this.#body.querySelectorAll(".here").forEach((part) => part.classList.remove("here"));
    if (!place) return;
    place.classList.add("here");
    const scroller = this.#body.scrollHeight > this.#body.clientHeight + 1 ? this.#body : this.#aside;
    scroller.scrollTop += place.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 8;
  }

  #load() {
    if (!this.address || this.#body.childElementCount) return Promise.resolve();
    this.#loaded ??= fetch(this.address)
      .then(async (response) => {
        if (!response.ok) throw new Error(response.statusText);
        // Our own server's text, cleaned there.
        this.#body.innerHTML = await response.text();
      })
      .catch(() => { this.#loaded = null; });
    return this.#loaded;
  }
}
