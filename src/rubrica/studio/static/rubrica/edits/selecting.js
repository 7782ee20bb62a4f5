// Selecting words in the texts by mouse, touch and keyboard. On each side there may be pieces that are kept and one that is
// being made, from `anchor` to `head`; both sides keep theirs until they are used.

import { joined } from "./model.js";
import { pieces } from "./units.js";

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
    const next = this.#next(key, now, forward, view, list);
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
