// <rubrica-edits>: marks edits in two texts and asks about them. The desk owns saving, undo and the keys of the page; it
// reads `value` and `state`, and is told of every change. See design/007-edit-editor.md.

import { Question, settle } from "../desk/answers.js";
import { fill, made } from "../desk/notices.js";
import { Drawing, EditList, Room, sceneOf, Strip } from "./drawing.js";
import { Making, Selecting } from "./making.js";
import { Edits, joined, shortened, TextView } from "./model.js";

export class RubricaEdits extends HTMLElement {
  // What lays several people's edits over each other: settling/overlay.js, on the pages of those who settle them.
  static Overlay = null;

  // The desk starts it: { lease, words, scheme, item } as the page's data has them, `host` as below, `signal` ends it.
  // host: edited() after a change; seen() after a first look at an edit; attend(question); say(text); shortcuts (whether single keys are on); kept, a small value
  // of this item on this device.
  start(given, host, signal) {
    this.editor = new Editor(this, given, host, signal);
    return this.editor;
  }
}

class Editor {
  #host;
  #block = null;
  #state = null;
  #told = "";

  constructor(element, { lease, words, scheme, item }, host, signal) {
    this.element = element;
    this.lease = lease;
    this.words = words;
    this.fixed = scheme.fixed;
    this.#host = host;
    this.tree = new Tree(element, lease);
    this.edits = new Edits(scheme, item.texts, this.tree.known);
    this.suggested = item.proposed;
    this.edits.load(item.edits, item.proposed, item.became, item.together);
    this.open = null;
    this.lit = null;
    this.numbers = new Map();
    this.hover = made("p", { className: "edit-hover", hidden: true });
    const texts = element.querySelector(".edit-texts");
    this.views = Object.fromEntries([...texts.querySelectorAll(".edit-text")].map((one) => {
      const { side } = one.dataset;
      return [side, new TextView(one, item.texts[side], scheme.snap, item.tokens[side])];
    }));
    this.room = new Room(element.querySelector(".edit-desk"), signal);
    const above = scheme.operations.some(({ constituents }) => constituents.length) ? 1 : 0;
    this.drawing = new Drawing(texts, this.views, { room: this.room, above }, signal);
    this.strip = new Strip(this, signal);
    this.list = new EditList(element.querySelector(".edit-list"), this);
    this.status = element.querySelector(".edit-status");
    this.count = element.querySelector(".edit-count");
    this.end = element.querySelector(".edit-end");
    this.end?.addEventListener("click", () => this.making.end());
    this.all = element.querySelector(".edit-all");
    this.all?.addEventListener("click", () => this.making.acceptAll());
    this.making = new Making(this);
    this.selecting = new Selecting(this.views, this.drawing, this.making, this.fixed);
    new EditKeys(this, host, signal);
    this.#listen();
    this.overlay = item.overlay ? new RubricaEdits.Overlay(this, item.overlay, host.kept(lease)) : null;
    this.draw();
    this.making.disarm();
    if (this.fixed) this.show(this.unfinished()?.id ?? this.edits.whole()[0]?.id);
    element.querySelector(".edit-list").dataset.empty = this.fixed ? words.edit_none_fixed : words.edit_none;
    element.dataset.ready = "";
  }

  // What the desk asks of it

  get value() {
    return this.edits.value;
  }

  // Whatever undo must bring back; compared by identity.
  get state() {
    const { list } = this.edits;
    const rejected = this.overlay?.rejected;
    if (this.#state?.list !== list || this.#state.rejected !== rejected) this.#state = { list, rejected };
    return this.#state;
  }

  restore({ list, rejected }) {
    this.edits.list = list;
    this.overlay?.restore(rejected);
    this.making.disarm();
    if (!this.edits.get(this.open)) this.open = null;
    this.show(this.open, { anew: true });
  }

  get became() {
    return this.edits.became;
  }

  get together() {
    return this.edits.together;
  }

  adopt(edits, became = {}, together = {}) {
    this.edits.load(edits, this.suggested, became, together);
    this.restore({ list: this.edits.list, rejected: this.overlay?.rejected });
  }

  get questions() {
    return this.#block?.questions ?? [];
  }

  // An answer was changed on the page.
  answered() {
    this.tree.settle(this.#block);
    const answers = { ...this.edits.get(this.open).answers };
    for (const { id, value } of this.questions) {
      if (value === undefined) delete answers[id];
      else answers[id] = value;
    }
    this.edits.put(this.open, { answers });
    this.draw();
  }

  // The next question of the open edit that still needs an answer.
  next(question) {
    const open = (one) => !one.hidden && one.required && one.value === undefined;
    const at = this.questions.indexOf(question);
    return this.questions.slice(at + 1).find(open) ?? this.questions.find(open);
  }

  // What keeps it from being submitted.
  problems() {
    const { source, rewrite } = this.views;
    if (!this.value.length && !this.fixed && !this.sure && source?.text !== rewrite?.text) {
      this.sure = true;
      return [{ lease: this.lease, what: this.words.edit_none_sure }];
    }
    const unfinished = this.edits.whole().flatMap((edit) => [edit, ...this.edits.parts(edit.id)])
      .flatMap((edit) => this.edits.missing(edit).slice(0, 1).map((one) => ({
        lease: this.lease,
        edit: edit.id,
        question: one.question,
        what: this.plea(edit, one),
      })));
    const unseen = this.edits.whole().filter((edit) => this.edits.unseen(edit) && !unfinished.some((one) => one.edit === edit.id))
      .map((edit) => ({ lease: this.lease, edit: edit.id, what: this.words.edit_unseen }));
    return [...(this.overlay?.problems(this.lease) ?? []), ...unfinished, ...unseen];
  }

  // Opens an edit and goes to it, or to one of its questions.
  point(id, question) {
    if (!this.edits.get(id)) return;
    this.show(id);
    const at = this.questions.find((one) => one.id === question && !one.hidden);
    if (at) at.focus();
    else this.list.head(id).focus();
    this.list.head(id).scrollIntoView({ block: "center" });
  }

  // Words

  shownWords(edit) {
    return Object.values(this.views).map((view) => view.words(joined(this.edits.spans(edit, view.side)))).filter(Boolean);
  }

  // An edit as the list names it: its letter and number, its kind, its words.
  tag(edit) {
    return `${this.edits.operation(edit).key.toUpperCase()}${this.numbers.get(edit.id) ?? ""}`;
  }

  name(edit) {
    const { label } = this.edits.operation(edit);
    const words = this.shownWords(edit).map(shortened).join(" → ");
    return fill(words ? this.words.edit_name : this.words.edit_name_alone, { tag: this.tag(edit), operation: label, words });
  }

  plea(edit, { side, parts, question }) {
    const { words } = this;
    if (side) return fill(words.edit_no_words, { text: this.views[side].label });
    return parts ? words.edit_no_parts : this.edits.questions.get(question).title;
  }

  tell(text, values = {}) {
    this.#told = fill(text, values);
    this.#hint();
  }

  // That edits become parts of what is open is said as long as they do.
  #hint() {
    const { making } = this;
    const line = [making?.hint, this.#told].filter(Boolean).join(" ");
    if (this.status.textContent !== line) this.status.textContent = line;
    if (this.end) this.end.hidden = !making?.collecting;
  }

  say(text, values = {}) {
    this.#host.say(fill(text, values));
  }

  // Changes

  // After the list was replaced: drawn, saved, and can be undone.
  edited(opened = this.open) {
    this.show(opened, { anew: true });
    this.#host.edited();
  }

  show(id, { anew = false } = {}) {
    const edit = this.edits.get(id);
    const other = this.open !== (edit?.id ?? null);
    const mine = this.element.contains(document.activeElement);
    this.open = edit?.id ?? null;
    if (edit) this.#look(edit);
    if (other) this.making.opened(this.open);
    if (other || anew) this.#block = edit && !edit.parent && !edit.proposed ? this.#ask(edit) : null;
    this.draw();
    this.#hint();
    if (!other && !anew) return;
    const place = made("div", { className: "edit-questions" });
    place.append(...this.questions.map(({ element }) => element));
    if (edit) this.list.drawBody(place);
    this.#host.attend(this.next(null) ?? this.questions.find(({ hidden }) => !hidden));
    if (edit) this.#reveal(edit.id);
    // What had the focus may have been drawn anew, or be gone.
    if (mine && document.activeElement === document.body) {
      (this.list.head(id) ?? Object.values(this.views)[0].body).focus({ preventScroll: true });
    }
  }

  #look(edit) {
    if (this.edits.look(edit)) this.#host.seen();
  }

  // On a small screen the texts scroll in their own box.
  #reveal(id) {
    const box = this.element.querySelector(".edit-texts");
    const extent = this.drawing.extent(id) ?? this.drawing.extent(this.edits.parts(id)[0]?.id);
    if (!extent || box.scrollHeight <= box.clientHeight + 1) return;
    const top = extent.top - 48;
    if (top < box.scrollTop || extent.bottom + 8 > box.scrollTop + box.clientHeight) box.scrollTop = top;
  }

  #ask(edit) {
    return Object.assign(this.tree.open(this.edits.operation(edit), edit.answers, this), { operation: edit.operation });
  }

  unfinished(after = null) {
    const all = this.edits.whole();
    const at = all.findIndex(({ id }) => id === after);
    const open = (edit) => edit.proposed || this.edits.unseen(edit) || this.#open(edit);
    return all.slice(at + 1).find(open) ?? all.slice(0, Math.max(0, at)).find(open);
  }

  #open(edit) {
    return [edit, ...this.edits.parts(edit.id)].some((one) => this.edits.missing(one).length);
  }

  remove(id) {
    const edit = this.edits.get(id);
    if (!edit || this.fixed) return;
    const all = this.edits.ordered().map((one) => one.id);
    const had = this.list.head(id)?.parentElement.contains(document.activeElement);
    const name = this.name(edit);
    this.edits.remove(id);
    const next = all.slice(all.indexOf(id) + 1).concat(all.slice(0, all.indexOf(id)).reverse()).find((one) => this.edits.get(one));
    this.edited(this.open === id ? null : this.open);
    if (had) (this.list.head(next) ?? Object.values(this.views)[0].body).focus();
    this.say(this.words.edit_removed, { edit: name });
  }

  // Drawing

  draw() {
    const { edits, words } = this;
    this.list.draw();
    this.overlay?.draw();
    const whole = edits.whole();
    const real = whole.filter(({ proposed }) => !proposed);
    const open = real.filter((edit) => this.#open(edit)).length;
    const unseen = real.filter((edit) => edits.unseen(edit)).length;
    const proposed = whole.length - real.length;
    const count = [
      fill(words.edit_count, { n: real.length }),
      open && fill(words.edit_unfinished, { n: open }),
      unseen && fill(words.edit_unseen_count, { n: unseen }),
      real.length && !open && !unseen && words.edit_all_done,
      proposed && fill(words.edit_suggested, { n: proposed }),
    ];
    if (this.all) this.all.hidden = !proposed;
    const line = count.filter(Boolean).join(" · ");
    if (this.count.textContent !== line) this.count.textContent = line;
    this.element.classList.toggle("empty-list", !whole.length);
    this.drawing.draw(this.#scene());
    if (this.room.tight && this.overlay && !this.overlay.brief) this.#shorten();
    this.strip.look();
    this.strip.draw();
  }

  // Where everybody's versions over each other leave too little room for the texts, each difference is one line.
  #shorten() {
    this.overlay.brief = true;
    Object.values(this.views).forEach((view) => view.crowd());
    this.room.restart();
    this.drawing.draw(this.#scene());
  }

  // What stands below the texts on a small screen.
  below() {
    return [this.element.querySelector(".laid-count")?.textContent, this.count.textContent].filter(Boolean)[0];
  }

  // On each side the words of what is open or pointed at, with what stands around them.
  inQuestion() {
    const scene = this.drawing.scene;
    const marks = [...(scene.ghosts ?? []), ...scene.marks].filter(({ key }) => scene.focus.has(key));
    return Object.values(this.views).map((view) => {
      const [start, end] = joined(marks.filter(({ side }) => side === view.side).flatMap(({ spans }) => spans))[0] ?? [0, 0];
      const from = view.text.lastIndexOf(" ", Math.max(0, start - 24)) + 1;
      return {
        before: (from ? "… " : "") + view.text.slice(from, start),
        words: view.text.slice(start, end),
        after: view.text.slice(end, end + 120),
      };
    });
  }

  choose() {
    const { selected, caret } = this.selecting;
    this.drawing.choose({ selected, caret });
  }

  // The edits, and over them what is still open between several people.
  #scene() {
    const laid = this.overlay?.scene(this.lit);
    const at = this.edits.get(this.lit) ?? laid?.edit ?? this.edits.get(this.open);
    const scene = sceneOf(this.edits, Object.keys(this.views), at?.id);
    if (!laid) return scene;
    scene.held = laid.held.map(({ marks, over }) => ({ marks: [...scene.marks, ...marks], over: [...scene.over, ...over] }));
    scene.marks.push(...laid.marks);
    scene.over.push(...laid.over);
    return laid.look ? { ...scene, ghosts: laid.ghosts, focus: new Set([this.lit]), link: laid.look } : scene;
  }

  #listen() {
    const texts = this.element.querySelector(".edit-texts");
    const list = this.element.querySelector(".edit-list");
    this.hover.setAttribute("aria-hidden", "true");
    texts.append(this.hover);
    texts.addEventListener("pointermove", (event) => {
      if (!event.buttons && event.pointerType === "mouse") this.light(this.drawing.hit(event.clientX, event.clientY), event);
    });
    // When nothing is pointed at any more, the edit that the keyboard is at keeps the light.
    const rest = () => this.light(this.list.idOf(list.querySelector(".edit-head:focus-visible")));
    // The list is drawn anew under a pointer that stands still; that is no pointing.
    let stood = [];
    this.element.addEventListener("pointermove", ({ screenX, screenY }) => { stood = [screenX, screenY]; });
    list.addEventListener("pointerover", ({ target, pointerType, screenX, screenY }) => {
      if (pointerType === "mouse" && (screenX !== stood[0] || screenY !== stood[1])) this.light(this.list.idOf(target));
    });
    for (const left of [texts, list]) left.addEventListener("pointerleave", rest);
    // Whoever comes to an edit by keyboard sees its words, and has looked at it.
    list.addEventListener("focusin", ({ target }) => {
      const edit = target.matches(".edit-head:focus-visible") && this.edits.get(this.list.idOf(target));
      if (!edit) return;
      this.#look(edit);
      this.light(edit.id);
    });
    // Not at once: a row also loses the focus while the list is drawn without it.
    list.addEventListener("focusout", ({ target, relatedTarget }) => {
      if (target.matches(".edit-head") && !relatedTarget?.matches(".edit-head")) queueMicrotask(rest);
    });
    list.addEventListener("click", ({ target }) => {
      const control = target.closest("[data-do]");
      if (control) this.making.act(control.dataset.do, control.dataset.of);
      else if (target.closest(".edit-head")) this.toggle(this.list.idOf(target));
    });
    list.addEventListener("change", ({ target }) => {
      if (target.matches(".edit-kind")) this.making.become(target.value);
      else if (target.matches(".edit-take")) this.making.takeIn(target.value);
    });
  }

  // Shows what is pointed at: an edit, or a version of one; with the event of a pointer in the texts, what it says.
  light(id, event) {
    if (id === this.lit) return;
    this.lit = id;
    this.draw();
    this.hover.hidden = !id || !event;
    if (!this.hover.hidden) this.#label(this.hover, id, event);
  }

  // What a mark under the pointer says, beside it.
  #label(hover, id, event) {
    const { x, y, width } = this.drawing.origin;
    const edit = this.edits.get(id);
    hover.textContent = edit ? [this.name(edit), this.said(edit)].filter(Boolean).join(" · ") : this.overlay.label(id);
    hover.style.left = `${Math.max(0, Math.min(event.clientX - x, width - hover.offsetWidth))}px`;
    hover.style.top = `${event.clientY - y + 18}px`;
  }

  // What was found about an edit: its type and degree, else the answers in words.
  said(edit) {
    const answers = this.edits.answers(edit);
    const types = this.edits.types(edit);
    const degrees = Object.entries(answers).filter(([id]) => this.tree.kind(id) === "ordinal").map(([id, value]) => this.tree.words(id, value).toLowerCase());
    if (types.length) return [[types[0], ...degrees].join(", "), ...types.slice(1)].join(" · ");
    const bare = ([id, value]) => (this.tree.kind(id) === "yes_no" ? `${this.edits.questions.get(id).title}: ${this.tree.words(id, value).toLowerCase()}` : this.tree.words(id, value));
    return Object.entries(answers).map(bare).join(" · ");
  }

  toggle(id) {
    const opens = this.open !== id;
    this.show(opens ? id : null);
    if (!opens) return;
    this.next(null)?.focus();
    this.list.head(id).parentElement.scrollIntoView({ block: "nearest" });
  }
}

// The questions about the edit that is open: copies of the page's templates, filled with its answers.

export class Tree {
  #templates;
  #lease;
  #labels = new Map();

  constructor(element, lease) {
    this.#lease = lease;
    this.#templates = new Map([...element.querySelectorAll("template[data-question]")]
      .map((template) => [template.dataset.question, template]));
  }

  // What the model must know of each question.
  get known() {
    return new Map([...this.#templates.keys()].map((id) => {
      const { when, required } = this.#question(id);
      return [id, { when, required, title: this.#templates.get(id).dataset.title }];
    }));
  }

  // The questions of an operation as fields, with these answers. `seen(ids)` are the answers that conditions look at.
  open({ questions, preset }, answers, owner) {
    const made = questions.map((id) => Object.assign(this.#question(id), { owner }));
    const block = {
      questions: made,
      seen: (ids) => {
        const given = made.filter(({ id, value }) => ids.has(id) && value !== undefined).map(({ id, value }) => [id, value]);
        return { ...Object.fromEntries(given), ...preset };
      },
    };
    for (const question of made) question.value = answers[question.id];
    settle(block);
    return block;
  }

  settle(block) {
    settle(block);
  }

  // An answer as it is read.
  words(id, value) {
    if (!this.#labels.has(id)) {
      const inputs = this.#templates.get(id).content.querySelectorAll("input[value]");
      const label = (input) => input.closest(".option")?.querySelector("bdi").textContent ?? input.value;
      this.#labels.set(id, new Map([...inputs].map((input) => [input.value, label(input)])));
    }
    const labels = this.#labels.get(id);
    return [value].flat().map((one) => labels.get(String(one)) ?? one).join(", ");
  }

  // The kind of answer that a question takes.
  kind(id) {
    return this.#templates.get(id).content.firstElementChild.dataset.kind;
  }

  #question(id) {
    return new Question(this.#templates.get(id).content.firstElementChild.cloneNode(true), this.#lease);
  }
}

// The editor's own keys, heard before the desk's. Letters make edits; with Shift they change the open one.

const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";

export class EditKeys {
  #editor;
  #host;
  #letters;

  constructor(editor, host, signal) {
    this.#editor = editor;
    this.#host = host;
    this.#letters = new Map(editor.edits.scheme.operations.map(({ key, id }) => [key, id]));
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal });
  }

  #pressed(event) {
    const { target } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || target.closest?.(".pop, .guide") || (target !== document.body && !target.closest?.("main"))) return;
    if (this.#run(event, target)) event.preventDefault();
  }

  #run(event, target) {
    const { making } = this.#editor;
    const inside = this.#editor.element.contains(target);
    if (event.key === "Escape") return inside && making.back();
    if (target.matches?.(TYPING)) return false;
    if (event.key === "Enter") return this.#enter(target, inside);
    if (inside && /^Arrow(Up|Down)$/.test(event.key) && target.matches(".edit-head")) return this.#walk(event.key === "ArrowDown");
    if (event.key === "Delete" || event.key === "Backspace") return inside && this.#remove(target);
    return this.#host.shortcuts && !event.repeat && !this.#editor.fixed && this.#letter(event);
  }

  #letter(event) {
    const { making } = this.#editor;
    const key = event.key.toLowerCase();
    const operation = event.key.length === 1 ? this.#letters.get(key) : null;
    if (operation && event.shiftKey) making.become(operation);
    else if (operation) making.make(operation);
    else if (key === "a" && event.shiftKey) making.acceptAll();
    else if (key === "e" || key === "a") making.adjust(key === "a");
    else if (key === "o" && this.#editor.overlay) return this.#editor.overlay.next();
    else return false;
    return true;
  }

  #enter(target, inside) {
    if (target === document.body) return this.#editor.making.end();
    const { making, open, list } = this.#editor;
    // On the row of what is open it goes on from there; on another it opens that.
    if (inside && open && target === list.head(open)) {
      if (!making.end()) making.goOn();
      return true;
    }
    if (!inside || target.closest("button, summary, a")) return false;
    making.goOn();
    return true;
  }

  #remove(target) {
    if (target.closest(".laid")) return false;
    const id = this.#editor.list.idOf(target) ?? this.#editor.open;
    if (!id || target.matches("input, textarea")) return false;
    this.#editor.remove(id);
    return true;
  }

  #walk(down) {
    const heads = [...this.#editor.element.querySelectorAll(".edit-head")];
    heads[heads.indexOf(document.activeElement) + (down ? 1 : -1)]?.focus();
    return true;
  }
}

customElements.define("rubrica-edits", RubricaEdits);
