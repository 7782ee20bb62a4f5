// From a selection to an edit: a letter after it or before it, on one side or both, alone or as part of a composite.

import { fill } from "../desk/notices.js";
import { joined, pieces, shortened } from "./model.js";

export class Making {
  #editor;
  // What the next selection is for: { operation } before there is an edit, { edit, side, add } for words of one.
  #armed = null;
  // The composite that was completed and is still open, for its questions.
  #ended = null;

  constructor(editor) {
    this.#editor = editor;
    const tools = editor.element.querySelector(".edit-tools");
    this.buttons = [...(tools?.querySelectorAll("button") ?? [])];
    this.buttons.forEach((button, index) => { button.tabIndex = index ? -1 : 0; });
    tools?.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.make(button.dataset.operation);
    });
    tools?.addEventListener("keydown", (event) => this.#rove(event));
    // The words that are selected keep the focus, so that Enter and the arrows go on from there.
    tools?.addEventListener("mousedown", (event) => event.preventDefault());
  }

  // What Selecting tells

  changed() {
    this.#editor.choose();
    this.#press();
    if (!this.#armed) this.#tellSelection();
  }

  wants() {
    return this.#armed !== null;
  }

  taken(side) {
    const armed = this.#armed;
    this.#editor.strip.uncover(this.#editor.selecting.boxes(side));
    if (!armed) return;
    if (armed.operation) this.make(armed.operation);
    else if (armed.side === side) this.#words(armed);
    else this.#editor.tell(this.#editor.words.edit_wrong_side, this.#about(this.#editor.edits.get(armed.edit).operation, armed.side));
  }

  pressed(id) {
    if (this.#editor.overlay?.point(id)) return;
    this.#editor.light(null);
    this.#editor.show(id);
    this.#editor.list.head(id).scrollIntoView({ block: "nearest" });
  }

  entered(caret) {
    if (this.end()) return;
    const { edits, list } = this.#editor;
    const here = edits.ordered().filter((edit) => covers(edits.spans(edit, caret.side), caret.span)).map(({ id }) => id);
    if (!here.length) return;
    const id = here[(here.indexOf(this.#editor.open) + 1) % here.length];
    this.#editor.show(id);
    (this.#editor.next(null) ?? { focus: () => list.head(id).focus() }).focus();
  }

  caret({ side, span }) {
    const { edits, views, words } = this.#editor;
    const there = edits.ordered().filter((edit) => covers(edits.spans(edit, side), span)).map((edit) => edits.operation(edit).label);
    const text = views[side].text.slice(...span);
    this.#editor.say(there.length ? words.edit_caret_in : words.edit_caret, { words: text, edits: there.join(", ") });
  }

  // Making

  make(id) {
    const { edits, selecting, words } = this.#editor;
    const operation = edits.operations.get(id);
    if (this.#armed?.operation === id && !selecting.any) {
      this.disarm();
      return;
    }
    if (edits.get(this.collecting)?.operation === id && !selecting.any) {
      this.end();
      return;
    }
    selecting.takeCaret();
    if (operation.constituents.length) {
      this.#compose(operation);
      return;
    }
    const chosen = Object.fromEntries(operation.sides.map((side) => [side, selecting.pieces(side)]));
    const first = operation.sides.find((side) => chosen[side].length);
    // An edit without sides is about the pair as a whole: it needs no words.
    if (!first && operation.sides.length) {
      const told = selecting.any ? words.edit_wrong_side : words.edit_armed;
      this.#arm({ operation: id }, told, this.#about(id, operation.sides[0]));
      return;
    }
    this.#create(operation, chosen);
  }

  #create(operation, chosen) {
    const editor = this.#editor;
    const { edits, selecting, words } = editor;
    const parent = this.#parentFor(operation);
    // An operation that takes one stretch becomes several edits.
    const alone = operation.sides.length === 1 && !operation.several;
    const sets = alone ? chosen[operation.sides[0]].map((span) => ({ [operation.sides[0]]: [span] })) : [chosen];
    const last = sets.map((spans) => edits.add({ operation: operation.id, ...spans, parent })).at(-1);
    selecting.clear();
    this.disarm();
    const open = operation.sides.find((side) => !last[side].length);
    editor.edited(parent || last.id);
    editor.say(words.edit_made, { edit: editor.name(last) });
    if (open) this.#arm({ edit: last.id, side: open }, words.edit_armed, this.#about(operation.id, open));
    editor.list.head(last.id)?.scrollIntoView({ block: "nearest" });
  }

  // The composite whose parts the edits become that are made now: the one that is open, until it is completed.
  get collecting() {
    const { edits, open, fixed } = this.#editor;
    const at = edits.get(open);
    const composite = at && (edits.composite(at) ? at : edits.get(at.parent));
    return !fixed && composite && !composite.proposed && composite.id !== this.#ended ? composite.id : "";
  }

  #parentFor(operation) {
    const { edits } = this.#editor;
    const id = this.collecting;
    return id && edits.operation(edits.get(id)).constituents.includes(operation.id) ? id : "";
  }

  // The composite is complete: its questions are asked, if it has any, or it closes. Whether there was one.
  end() {
    const editor = this.#editor;
    const { edits, words } = editor;
    const edit = edits.get(this.collecting);
    if (!edit) return false;
    this.disarm();
    if (!edits.parts(edit.id).length) {
      editor.tell(words.edit_no_parts);
      return true;
    }
    this.#ended = edit.id;
    const missing = edits.missing(edit).find(({ question }) => question);
    if (missing) editor.point(edit.id, missing.question);
    else editor.show(null);
    editor.tell(words.edit_ended, { edit: editor.name(edit) });
    return true;
  }

  // What the editor tells: which edit is open.
  opened(id) {
    if (id !== this.#ended) this.#ended = null;
  }

  // What is said as long as edits become parts.
  get hint() {
    const { edits, words } = this.#editor;
    const edit = edits.get(this.collecting);
    return edit ? fill(words.edit_armed_parts, { operation: edits.operation(edit).label }) : "";
  }

  // A composite begins with the words that are selected, as the simple edit that they look like.
  #compose(operation) {
    const editor = this.#editor;
    const { edits, selecting } = editor;
    const { source = [], rewrite = [] } = selecting.selected;
    const sides = [source.length && "source", rewrite.length && "rewrite"].filter(Boolean);
    const alike = (one) => operation.constituents.includes(one.id) && one.sides.join() === sides.join();
    const part = sides.length ? edits.scheme.operations.find(alike) : null;
    const composite = edits.add({ operation: operation.id });
    if (part) edits.add({ operation: part.id, source, rewrite, parent: composite.id });
    selecting.clear();
    this.disarm();
    editor.edited(composite.id);
    editor.list.head(composite.id).scrollIntoView({ block: "nearest" });
  }

  // Words of an edit that is there already.
  #words({ edit: id, side, add }) {
    const editor = this.#editor;
    const spans = editor.selecting.pieces(side);
    const edit = editor.edits.get(id);
    this.disarm();
    if (!edit || !spans.length) return;
    const { several } = editor.edits.operation(edit);
    editor.edits.accept(id);
    editor.edits.put(id, { [side]: joined(add ? [...edit[side], ...spans] : several ? spans : spans.slice(0, 1)) });
    editor.selecting.clear([side]);
    editor.edited();
    editor.say(editor.words.edit_made, { edit: editor.name(editor.edits.get(id)) });
  }

  // What is done to the open edit: change or add words of a side, leave a piece out, take out of its composite, remove.
  act(action, of) {
    const editor = this.#editor;
    const { edits, open, words } = editor;
    if (action === "accept") this.accept(open);
    else if (action === "remove") editor.remove(open);
    else if (action === "next") this.goOn();
    else if (action === "take-out") {
      edits.put(open, { parent: "" });
      editor.edited(open);
    } else if (action === "drop") {
      const [side, span] = of.split("-");
      edits.put(open, { [side]: edits.get(open)[side].filter((one) => String(one) !== span) });
      editor.edited();
    } else {
      this.#arm({ edit: open, side: of, add: action === "add" }, words.edit_armed, this.#about(edits.get(open).operation, of));
      if (editor.selecting.pieces(of).length) this.taken(of);
      else editor.views[of].body.focus();
    }
  }

  // The open edit, or the words of its sides, by keys: e takes the selection as its words, a adds it.
  adjust(add) {
    const { edits, open, selecting } = this.#editor;
    const edit = edits.get(open);
    if (!edit || !edits.operation(edit).sides.length) return;
    selecting.takeCaret();
    const side = edits.operation(edit).sides.find((one) => selecting.pieces(one).length) ?? edits.operation(edit).sides[0];
    this.act(add ? "add" : "change", side);
  }

  // Of a suggestion an edit like any other, whose questions are asked.
  accept(id) {
    const editor = this.#editor;
    const edit = editor.edits.get(id);
    editor.edits.accept(editor.edits.get(edit.parent)?.proposed ? edit.parent : id);
    editor.edited();
    editor.say(editor.words.edit_accepted, { edit: editor.name(edit) });
    if (editor.edits.missing(editor.edits.get(id)).length) editor.next(null)?.focus();
    else this.goOn();
  }

  // All suggestions at once; each is still to be looked at, beginning with the first.
  acceptAll() {
    const editor = this.#editor;
    const proposed = editor.edits.whole().filter((edit) => edit.proposed).length;
    if (!proposed || editor.fixed) return;
    editor.edits.acceptAll();
    editor.edited(null);
    this.goOn();
    editor.say(editor.words.edit_accepted_all, { n: proposed });
  }

  become(operation) {
    const editor = this.#editor;
    editor.edits.accept(editor.open);
    const edit = editor.edits.get(editor.open);
    if (!edit || edit.operation === operation || editor.fixed) return;
    const parent = editor.edits.get(edit.parent);
    if (parent && !editor.edits.operation(parent).constituents.includes(operation)) return;
    editor.edits.become(edit.id, operation);
    editor.edited();
    editor.say(editor.words.edit_changed, { edit: editor.name(editor.edits.get(edit.id)) });
  }

  takeIn(id) {
    const editor = this.#editor;
    if (!id) return;
    editor.edits.put(id, { parent: editor.open });
    editor.edited();
  }

  // To the next edit that is not finished; after the last, to the questions on the whole or the button.
  goOn() {
    const editor = this.#editor;
    this.disarm();
    const next = editor.unfinished(editor.open);
    if (next) editor.point(next.id, editor.edits.missing(next)[0]?.question);
    else if (!editor.overlay?.next()) {
      editor.show(null);
      const further = editor.element.closest(".item").querySelector(".item-questions :is(input, textarea)");
      (further ?? document.querySelector("[data-action=submit]"))?.focus();
    }
  }

  // Escape: one thing at a time.
  back() {
    const editor = this.#editor;
    if (this.#armed) this.disarm();
    else if (editor.selecting.any) editor.selecting.clear();
    else if (editor.open) {
      const { open } = editor;
      editor.show(null);
      if (!editor.element.querySelector(".edit-texts").contains(document.activeElement)) editor.list.head(open)?.focus();
    } else return false;
    return true;
  }

  disarm() {
    this.#armed = null;
    this.#press();
    this.#tellSelection();
  }

  #arm(armed, text, values) {
    this.#armed = armed;
    this.#press();
    this.#editor.tell(text, values);
  }

  #press() {
    const { edits } = this.#editor;
    const id = this.#armed?.operation ?? edits?.get(this.#armed?.edit)?.operation ?? edits?.get(this.collecting)?.operation;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.operation === id));
    this.#editor.element.classList.toggle("choosing", id !== undefined || Boolean(this.#editor.selecting?.any));
  }

  #tellSelection() {
    const { selecting, views, words } = this.#editor;
    const shown = Object.values(views).map((view) => view.words(selecting?.pieces(view.side) ?? [])).filter(Boolean);
    if (shown.length) this.#editor.tell(words.edit_selected, { words: shown.map(shortened).join(" → ") });
    else this.#editor.tell(this.#taps ? words.edit_tap : "");
  }

  // Whether one who taps has not begun yet.
  get #taps() {
    const { edits, fixed } = this.#editor;
    return !fixed && !edits.list.length && matchMedia("(pointer: coarse)").matches;
  }

  #about(operation, side) {
    return { operation: this.#editor.edits.operations.get(operation).label, text: this.#editor.views[side].label };
  }

  #rove(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const turn = document.dir === "rtl" && event.key.match(/Left|Right/) ? -step : step;
    const at = this.buttons.indexOf(document.activeElement);
    const next = this.buttons.at((at + turn) % this.buttons.length);
    this.buttons.forEach((button) => { button.tabIndex = button === next ? 0 : -1; });
    next.focus();
  }
}

function covers(spans, [start, end]) {
  return spans.some(([from, to]) => from < end && start < to);
}

// Selecting words in the texts by mouse, touch and keyboard. On each side there may be pieces that are kept and one that is
// being made, from `anchor` to `head`; both sides keep theirs until they are used.

export class Selecting {
  #views;
  #drawing;
  #host;
  #fixed;
  #state;
  // Whether the keyboard leads, and whether the caret was moved since something was made of it.
  #keys = false;
  #fresh = false;

  // The host is told `changed()`, `taken(side)` when a piece is complete, `pressed(key)` when a mark is.
  // Where edits are `fixed` the caret only leads to them.
  constructor(views, drawing, host, fixed = false) {
    this.#views = views;
    this.#fixed = fixed;
    this.#drawing = drawing;
    this.#host = host;
    this.caretAt = null;
    this.#state = Object.fromEntries(Object.keys(views).map((side) => [side, { kept: [], anchor: null, head: null }]));
    for (const view of Object.values(views)) this.#listen(view);
  }

  // What is selected on a side: the pieces, or nothing.
  pieces(side) {
    const { kept, anchor, head } = this.#state[side];
    const live = anchor ? this.#between(side, anchor, head) : [];
    return joined([...kept, ...live]);
  }

  get selected() {
    return Object.fromEntries(Object.keys(this.#views).map((side) => [side, this.pieces(side)]));
  }

  get any() {
    return Object.values(this.selected).some((spans) => spans.length);
  }

  // The word at the caret of the text that has the focus, while one goes by keyboard.
  get caret() {
    const at = this.caretAt;
    return this.#keys && at && this.inText(at.side) ? at : null;
  }

  // Where the words that are being selected stand in the window.
  boxes(side) {
    const { y } = this.#drawing.origin;
    const { anchor, head } = this.#state[side];
    return anchor ? this.#views[side].rects(...head, this.#drawing.origin).map(({ bottom }) => ({ bottom: bottom + y })) : [];
  }

  inText(side) {
    return this.#views[side].body === document.activeElement;
  }

  clear(sides = Object.keys(this.#views)) {
    for (const side of sides) this.#state[side] = { kept: [], anchor: null, head: null };
    this.#fresh = false;
    this.#host.changed();
  }

  // The word at which the arrows have led counts as selected where nothing else is.
  takeCaret() {
    const { caret } = this;
    if (!this.#fresh || !caret || this.pieces(caret.side).length) return;
    const state = this.#state[caret.side];
    [state.anchor, state.head] = [caret.span, caret.span];
  }

  #between(side, one, other) {
    return pieces(this.#views[side].text, Math.min(one[0], other[0]), Math.max(one[1], other[1]));
  }

  #listen(view) {
    const { body, side } = view;
    body.tabIndex = 0;
    // A screen reader leaves the keys to us; the words at the caret are said.
    body.setAttribute("role", "application");
    body.setAttribute("aria-label", `${view.label}: ${view.text}`);
    body.addEventListener("keydown", (event) => this.#key(event, view));
    body.addEventListener("focus", () => {
      if (this.caretAt?.side !== side) this.caretAt = view.units[0] ? { side, span: view.units[0] } : null;
      this.#keys = body.matches(":focus-visible");
      this.#host.changed();
      if (this.caret) this.#host.caret(this.caretAt);
    });
    body.addEventListener("blur", () => this.#host.changed());
    body.addEventListener("pointerdown", (event) => this.#down(event, view));
    // A tap ends here: no click follows it to what appears under the finger.
    body.addEventListener("touchend", (event) => { if (event.cancelable && !this.#fixed) event.preventDefault(); });
  }

  #down(event, view) {
    if (event.button !== 0) return;
    const { side, body } = view;
    this.#keys = false;
    const mark = this.#drawing.hit(event.clientX, event.clientY);
    if (mark) {
      event.preventDefault();
      this.#host.pressed(mark);
    }
    if (mark || this.#fixed) return;
    const at = (one) => {
      const { x, y } = this.#drawing.origin;
      return view.at(one.clientX - x, one.clientY - y, { x, y }, one.altKey ? view.letters() : view.units);
    };
    const first = at(event);
    if (!first) return;
    const before = this.#state[side];
    const touch = event.pointerType === "touch";
    const goesOn = before.anchor && (event.shiftKey || touch) && !event.ctrlKey && !event.metaKey;
    const kept = event.ctrlKey || event.metaKey ? this.pieces(side) : goesOn ? before.kept : [];
    const again = touch && goesOn && before.head === first && before.anchor === first;
    const start = goesOn ? before.anchor : first;
    const set = (head) => {
      this.#state[side] = again ? { kept: [], anchor: null, head: null } : { kept, anchor: start, head };
      this.caretAt = { side, span: head };
      this.#host.changed();
    };
    if (!touch) set(first);
    body.setPointerCapture(event.pointerId);
    const watch = new AbortController();
    const on = (kind, run) => body.addEventListener(kind, (one) => { if (one.pointerId === event.pointerId) run(one); }, watch);
    on("pointermove", (one) => { if (!touch || Math.abs(one.clientX - event.clientX) > 6) set(at(one) ?? first); });
    on("pointercancel", () => {
      watch.abort();
      this.#state[side] = before;
      this.#host.changed();
    });
    on("pointerup", (one) => {
      watch.abort();
      set(at(one) ?? first);
      if (this.pieces(side).length) this.#host.taken(side);
    });
  }

  #key(event, view) {
    const { side } = view;
    if ((event.ctrlKey || event.metaKey) && event.key !== "Home" && event.key !== "End") return;
    if (event.key === " " && !this.#fixed) this.#keep(side);
    else if (event.key === "Enter") this.#enter(side);
    else if (/^(Arrow|Home$|End$)/.test(event.key)) this.#move(event, view);
    else return;
    event.preventDefault();
  }

  // A piece is kept while the next is selected.
  #keep(side) {
    const { kept, anchor, head } = this.#state[side];
    const piece = this.#between(side, anchor ?? this.caretAt.span, anchor ? head : this.caretAt.span);
    this.#state[side] = { kept: [...kept, ...piece], anchor: null, head: null };
    this.#host.changed();
    this.#host.taken(side);
  }

  #enter(side) {
    if (!this.#host.wants(side)) {
      this.#host.entered(this.caretAt);
      return;
    }
    this.#fresh = true;
    this.takeCaret();
    this.#host.taken(side);
  }

  #move({ key, altKey, shiftKey: shift }, view) {
    const { side } = view;
    const shiftKey = shift && !this.#fixed;
    const list = altKey ? view.letters() : view.units;
    if (!list.length) return;
    const state = this.#state[side];
    const now = this.#current(state, list);
    const forward = ["ArrowDown", "End", view.rtl ? "ArrowLeft" : "ArrowRight"].includes(key);
    // The first step with Shift selects the word at the caret itself.
    const begins = shiftKey && !state.anchor && /Left|Right/.test(key);
    const next = begins ? now : this.#next(key, now, forward, view, list);
    if (!next) {
      if (!shiftKey) this.#cross(side, forward);
      return;
    }
    this.#state[side] = shiftKey ? { ...state, anchor: state.anchor ?? now, head: next } : { kept: state.kept, anchor: null, head: null };
    this.caretAt = { side, span: next };
    this.#keys = this.#fresh = true;
    this.#host.changed();
    this.#host.caret(this.caretAt);
  }

  // Where a move begins: among characters, at the first of the caret's word, or at that end of a selection that moves.
  #current({ anchor, head }, list) {
    const now = anchor ? head : this.caretAt.span;
    const inside = list.filter(([start, end]) => start >= now[0] && end <= now[1]);
    return inside.length < 2 ? now : inside.at(anchor && head[0] >= anchor[0] ? -1 : 0);
  }

  #next(key, now, forward, view, list) {
    if (key === "Home" || key === "End") return list.at(forward ? -1 : 0);
    if (key === "ArrowUp" || key === "ArrowDown") return view.beside(now, forward, this.#drawing.origin, list);
    if (forward) return list.find(([, end]) => end > now[1]) ?? list.at(-1);
    return list.findLast(([start]) => start < now[0]) ?? list[0];
  }

  // Down from the last line of a text into the next, and up again.
  #cross(side, down) {
    const all = Object.values(this.#views);
    const other = all[all.findIndex((view) => view.side === side) + (down ? 1 : -1)];
    other?.body.focus();
  }
}
