// Draws a scene over (or rather under) texts: marks in lanes beneath the words, brackets above, the selection, and the
// connection of what is in focus, which runs between the lines and beside the text, never across words.
//
// A scene is { marks, over, focus, link, ghosts }. A mark is { key, side, spans, look, letter, style }: `key` names
// what it belongs to, `look` is a number from 1 to 8 (colour and line), `style` is "" or "proposed" or "faint". `over` are
// marks above the words (composites), `ghosts` frames around words, which take no lane. `focus` is a set of keys, `link` the look of their connection. Whoever draws decides
// what a key is: an edit, or a person's edit.

import { fill, made } from "../desk/notices.js";
import { joined } from "./model.js";

const SHAPES = { 1: "double", 3: "wavy", 4: "dotted", 6: "double", 7: "dashed", 8: "dotted" };
const round = (number) => Math.round(number * 10) / 10;

export class Drawing {
  #root;
  #svg;
  #views;
  #scene = null;
  #choice = { selected: {}, caret: null };
  #places = [];
  #size = "";
  #room;
  #above;
  #pitches = {};

  // `root` holds the texts; `views` are the TextViews by side; `room` is how much of the screen they have. `above`: lines that
  // are kept free over the words from the start, so that the first bracket does not move them.
  constructor(root, views, { room, above }, signal) {
    this.#root = root;
    this.#views = views;
    this.#room = room;
    this.#above = above;
    room.changed = () => this.again();
    this.#svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.#svg.setAttribute("class", "edit-marks");
    this.#svg.setAttribute("aria-hidden", "true");
    this.#svg.innerHTML = "<g></g><g></g>";
    root.prepend(this.#svg);
    const seen = new ResizeObserver(() => { if (this.#sizes() !== this.#size) this.again(); });
    for (const element of [root, ...this.#all.map(({ body }) => body)]) seen.observe(element);
    document.fonts?.addEventListener?.("loadingdone", () => this.again(), { signal });
    signal.addEventListener("abort", () => seen.disconnect());
  }

  #sizes() {
    return this.#all.map(({ body }) => `${body.offsetWidth} ${body.offsetHeight} ${body.offsetTop}`).join();
  }

  get #all() {
    return Object.values(this.#views);
  }

  get scene() {
    return this.#scene;
  }

  get origin() {
    return this.#svg.getBoundingClientRect();
  }

  // What stood somewhere may stand elsewhere now.
  again() {
    this.#all.forEach((view) => view.forget());
    if (this.#scene) this.draw(this.#scene);
  }

  draw(scene) {
    this.#scene = scene;
    const laid = {};
    for (const { side } of this.#all) {
      const at = ({ side: on }) => on === side;
      laid[side] = { below: lanes(scene.marks.filter(at)), above: lanes(scene.over.filter(at)) };
      for (const { marks, over } of scene.held ?? []) {
        laid[side].below.count = Math.max(laid[side].below.count, lanes(marks.filter(at)).count);
        laid[side].above.count = Math.max(laid[side].above.count, lanes(over.filter(at)).count);
      }
    }
    do {
      for (const view of this.#all) this.#space(view, laid[view.side].below.count, Math.max(this.#above, laid[view.side].above.count));
    } while (this.#room.tighter());
    const size = this.#sizes();
    // A text above that has grown moves the one below.
    if (size !== this.#size) this.#all.forEach((view) => view.forget());
    this.#size = size;
    const { origin } = this;
    this.#places = [];
    const parts = { tint: "", mark: "", line: "" };
    for (const mark of scene.marks) this.#mark(parts, mark, laid[mark.side].below.found.get(mark), scene, origin);
    for (const mark of scene.over) this.#over(parts, mark, laid[mark.side].above.found.get(mark), scene, origin);
    for (const { side, spans, look } of scene.ghosts ?? []) {
      for (const span of spans) parts.tint += this.#views[side].rects(...span, origin).map((rect) => box(rect, `ghost look-${look}`)).join("");
    }
    this.#connection(parts, scene, laid, origin);
    this.#svg.lastChild.innerHTML = parts.tint + parts.line + parts.mark;
    this.choose(this.#choice);
  }

  // Room for so many lines under and over the words of a text. What comes once it has been drawn stands closer together rather
  // than moving words, as long as lines are `CLOSEST` apart; then there is room for one more.
  #space(view, below, above) {
    const { pitch } = this.#room;
    const apart = () => Math.min(pitch, (view.gap - ENDS) / Math.max(1, below + above - 1));
    let { below: lower, above: upper } = view.lanes;
    if (!lower) view.space(lower = Math.max(1, below), upper = above);
    while (apart() < CLOSEST && (lower < below || upper < above)) {
      if (lower < below) lower += 1;
      else upper += 1;
      view.space(lower, upper);
    }
    this.#pitches[view.side] = apart();
  }

  // What is selected: { selected, caret }, spans by side and { side, span }.
  choose(choice) {
    this.#choice = choice;
    const { origin } = this;
    const boxes = (side, span, kind) => this.#views[side].rects(...span, origin).map((rect) => box(rect, kind)).join("");
    const { selected, caret } = choice;
    this.#svg.firstChild.innerHTML = Object.entries(selected).flatMap(([side, spans]) => spans.map((span) => boxes(side, span, "chosen"))).join("")
      + (caret ? boxes(caret.side, caret.span, "caret") : "");
  }

  // The key of the mark at a point of the window, or null.
  hit(x, y) {
    const { origin } = this;
    const [left, top] = [x - origin.x, y - origin.y];
    const found = this.#places.find((one) => one.left - 3 <= left && left <= one.right + 3 && one.top <= top && top < one.bottom);
    return found?.key ?? null;
  }

  // Where the first and the last mark of a key stand, from top to bottom.
  extent(key) {
    const mine = this.#places.filter((one) => one.key === key);
    return mine.length ? { ...mine[0], bottom: Math.max(...mine.map(({ bottom }) => bottom)) } : null;
  }

  #mark(parts, mark, lane, { focus }, origin) {
    const pitch = this.#pitches[mark.side];
    const view = this.#views[mark.side];
    const chosen = focus.has(mark.key);
    for (const span of mark.spans) {
      view.rects(...span, origin).forEach((rect, index) => {
        const y = rect.bottom + 3 + lane * pitch;
        if (chosen) parts.tint += box(rect, `tint look-${mark.look}`);
        parts.mark += stroke(mark, rect, y, index === 0, view.rtl, chosen);
        this.#places.push({ key: mark.key, left: rect.left, right: rect.right, top: y - 5, bottom: y + pitch - 5 });
      });
    }
  }

  #over(parts, mark, lane, { focus }, origin) {
    const pitch = this.#pitches[mark.side];
    const view = this.#views[mark.side];
    const chosen = focus.has(mark.key);
    for (const [nth, span] of mark.spans.entries()) {
      const rects = view.rects(...span, origin);
      rects.forEach((rect, index) => {
        const y = rect.top - 4 - lane * pitch;
        const ends = [index === 0, index === rects.length - 1];
        parts.mark += bracket(mark, rect, y, view.rtl ? ends.reverse() : ends, index + nth === 0, view.rtl, chosen);
        this.#places.push({ key: mark.key, left: rect.left, right: rect.right, top: y - 6, bottom: y + 5 });
      });
    }
  }

  // From each stretch in the source along the gap under its line to the margin, and from there to the rewrite.
  #connection(parts, { marks, ghosts = [], focus, link }, laid, origin) {
    const mine = (ghosts.length ? ghosts : marks).filter(({ key }) => focus.has(key));
    const sides = this.#all.map(({ side }) => mine.filter((mark) => mark.side === side));
    if (sides.length < 2 || sides.some((list) => !list.length)) return;
    const { rtl } = this.#all[0];
    const margin = rtl ? origin.width - 7 : 7;
    const stops = [];
    let path = "";
    sides.forEach((list, nth) => {
      for (const { side, spans } of list) {
        for (const span of spans) {
          const [rect] = this.#views[side].rects(...span, origin);
          if (!rect) continue;
          const x = rtl ? rect.right + 3 : rect.left - 3;
          const edge = nth === 0 ? rect.bottom - 5 : rect.top + 5;
          const y = nth === 0 ? rect.bottom + laid[side].below.count * this.#pitches[side] + 2 : rect.top - laid[side].above.count * this.#pitches[side] - 4;
          const turn = (rtl ? -1 : 1) * 4;
          path += `M${round(margin)} ${round(y)}H${round(x - turn)}Q${round(x)} ${round(y)} ${round(x)} ${round(y + (nth ? 4 : -4))}V${round(edge)}`;
          stops.push(y);
        }
      }
    });
    path += `M${round(margin)} ${round(Math.min(...stops))}V${round(Math.max(...stops))}`;
    parts.line += `<path class="link look-${link}" d="${path}"/>`;
  }
}

function box({ left, right, top, bottom }, kind) {
  return `<rect class="${kind}" x="${round(left - 1)}" y="${round(top)}" width="${round(right - left + 2)}" height="${round(bottom - top)}" rx="3"/>`;
}

function stroke(mark, { left, right }, y, first, rtl, chosen) {
  const [from, to] = lettered(first ? mark.letter : "", left, right, rtl);
  const shape = mark.style === "proposed" ? "dashed" : SHAPES[mark.look] ?? "solid";
  const kind = `mark look-${mark.look} ${shape} ${mark.style ?? ""}${chosen ? " focus" : ""}`;
  const line = to - from > 3 ? `<path class="${kind}" d="${paths(shape, from, to, y)}"/>` : "";
  return line + (first ? letter(mark, rtl ? right : left, y, rtl) : "");
}

function bracket(mark, { left, right }, y, [begins, ends], first, rtl, chosen) {
  const [from, to] = lettered(first ? mark.letter : "", left + 2, right - 2, rtl);
  const tick = (x) => `M${round(x)} ${round(y + 5)}V${round(y)}`;
  const kind = `mark over look-${mark.look} ${mark.style ?? ""}${chosen ? " focus" : ""}`;
  const line = to - from > 3 ? paths(SHAPES[mark.look] === "double" ? "double" : "solid", from, to, y) : "";
  const d = (begins ? tick(left) : "") + (ends ? tick(right) : "") + line;
  return `<path class="${kind}" d="${d}"/>` + (first ? letter(mark, rtl ? right - 3 : left + 3, y, rtl) : "");
}

// The line leaves room for the letter at its beginning.
function lettered(text, left, right, rtl) {
  if (!text) return [left, right];
  const room = 4 + 7 * text.length;
  return rtl ? [left, right - room] : [left + room, right];
}

function letter({ letter: text, look, style = "" }, x, y, rtl) {
  const at = `x="${round(x)}" y="${round(y + 3.5)}" text-anchor="${rtl ? "end" : "start"}"`;
  return `<text class="letter look-${look} ${style}" ${at}>${text}</text>`;
}

function paths(shape, from, to, y) {
  const line = (at) => `M${round(from)} ${round(at)}H${round(to)}`;
  if (shape === "double") return line(y - 2) + line(y + 2);
  if (shape !== "wavy") return line(y);
  const waves = Math.max(1, Math.round((to - from) / 8));
  const step = round((to - from) / waves / 2);
  return `M${round(from)} ${round(y)}q${round(step / 2)} -4 ${step} 0${`t${step} 0`.repeat(waves * 2 - 1)}`;
}

// Edits as a scene for Drawing: simple ones under the words, composites above those of their parts.

// `focus` is the id of the edit that is looked at, or nothing.
export function sceneOf(edits, sides, focus) {
  const [marks, over] = [[], []];
  for (const edit of edits.ordered()) {
    const { look, key } = edits.operation(edit);
    const composite = edits.composite(edit);
    const letter = `${key.toUpperCase()}${edits.unseen(edit) ? "?" : ""}`;
    const mark = { key: edit.id, look, letter, style: edit.proposed ? "proposed" : "" };
    for (const side of sides) {
      const spans = edits.spans(edit, side);
      if (spans.length) (composite ? over : marks).push({ ...mark, side, spans: composite ? joined(spans) : spans });
    }
  }
  const at = edits.get(focus);
  const keys = new Set(at ? [at, ...edits.parts(at.id)].map(({ id }) => id) : []);
  return { marks, over, focus: keys, link: at && edits.operation(at).look };
}

// The lane of each mark under one text: the first in which it shares no words with another. As core/edit_marks.py.

export function lanes(marks) {
  const taken = [];
  const found = new Map();
  const first = ({ spans }) => Math.min(...spans.map(([start]) => start));
  const last = ({ spans }) => Math.max(...spans.map(([, end]) => end));
  const order = marks.filter(({ spans }) => spans.length).sort((a, b) => first(a) - first(b) || last(b) - last(a));
  for (const mark of order) {
    let lane = taken.findIndex((there) => !share(mark.spans, there));
    if (lane < 0) lane = taken.push([]) - 1;
    taken[lane].push(...mark.spans);
    found.set(mark, lane);
  }
  return { found, count: taken.length };
}

export function share(some, others) {
  return some.some(([start, end]) => others.some(([from, to]) => start < to && from < end));
}

// The edits beside the text, in reading order: what each is, what it says, what is unfinished; the open one in full.

export class EditList {
  #element;
  #editor;
  #entries = new Map();
  #body = made("div", { className: "edit-body" });

  constructor(element, editor) {
    this.#element = element;
    this.#editor = editor;
  }

  head(id) {
    return this.#entries.get(id)?.head;
  }

  // The edits whose entry holds an element.
  idOf(target) {
    return target?.closest?.("[data-edit]")?.dataset.edit ?? null;
  }

  draw() {
    const { edits, open } = this.#editor;
    const whole = edits.whole();
    this.#editor.numbers = new Map(edits.ordered().map(({ id }, index) => [id, index + 1]));
    const items = whole.map((edit) => {
      const entry = this.#entry(edit);
      const parts = edits.parts(edit.id).map((part) => this.#entry(part).item);
      this.#parts(entry, parts);
      return entry.item;
    });
    same(this.#element, items);
    const known = new Set(edits.list.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!known.has(id)) this.#entries.delete(id);
    const at = open && this.#entries.get(open);
    if (!at) this.#body.remove();
    else if (this.#body.parentElement !== at.item) at.head.after(this.#body);
  }

  // The inside of the open entry: its questions, its words, what can be done with it.
  drawBody(questions) {
    const { edits, open, words, fixed } = this.#editor;
    const edit = edits.get(open);
    if (!edit) return;
    const had = this.#body.contains(document.activeElement) && document.activeElement.dataset.key;
    const shape = made("div", { className: "edit-shape" });
    const foot = made("div", { className: "edit-foot" });
    if (edit.proposed) foot.append(button("accept", words.edit_accept, "primary"), button("remove", words.edit_reject, ""));
    if (!fixed) shape.append(...this.#sides(edit), this.#takeIn(edit));
    if (!fixed) foot.append(this.#kinds(edit));
    if (!fixed && !edit.proposed) foot.append(button("remove", words.edit_remove, "quiet danger-text"));
    if (!fixed && edit.parent) foot.append(button("take-out", words.edit_take_out, "quiet"));
    foot.append(made("span", { className: "spring" }), button("next", words.edit_next, "quiet"));
    this.#body.replaceChildren(questions, shape, foot);
    if (had) this.#body.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus();
  }

  #entry(edit) {
    let entry = this.#entries.get(edit.id);
    if (!entry) {
      const item = made("li");
      item.dataset.edit = edit.id;
      const head = made("button", { type: "button", className: "edit-head" });
      item.append(head);
      entry = { item, head, said: "" };
      this.#entries.set(edit.id, entry);
    }
    const { open, lit, edits, words } = this.#editor;
    const operation = edits.operation(edit);
    const missing = edits.missing(edit);
    const finished = missing.length ? this.#editor.plea(edit, missing[0]) : this.#editor.said(edit);
    const unseen = !edit.parent && edits.unseen(edit);
    const state = edit.proposed && !edit.parent ? words.edit_proposed : unseen ? words.edit_unseen : finished;
    const kind = `edit look-${operation.look}${edit.proposed ? " proposed" : ""}${unseen ? " unseen" : ""}${missing.length || unseen ? " unfinished" : ""}${edit.id === lit ? " lit" : ""}${edit.id === open ? " open" : ""}`;
    if (entry.item.className !== kind) entry.item.className = kind;
    entry.head.setAttribute("aria-expanded", String(edit.id === open));
    const shown = this.#editor.shownWords(edit);
    const tagged = this.#editor.tag(edit);
    const said = JSON.stringify([tagged, operation.id, shown, state]);
    if (said === entry.said) return entry;
    entry.said = said;
    const tag = made("b", { className: "tag", textContent: tagged });
    tag.setAttribute("aria-hidden", "true");
    const name = made("span", { className: "visually-hidden", textContent: `${operation.label}: ` });
    const quoted = made("span", { className: "edit-words" });
    shown.forEach((text, index) => quoted.append(...(index ? [made("span", { className: "edit-arrow", textContent: " → " })] : []), ends(text)));
    if (!shown.length) quoted.append(operation.label);
    const line = made("span", { className: state ? "edit-state" : "edit-state bare" });
    line.append(state || made("span", { className: "visually-hidden", textContent: words.edit_done }));
    entry.head.replaceChildren(tag, name, quoted, line);
    return entry;
  }

  #parts(entry, items) {
    let list = entry.item.querySelector(":scope > ul");
    if (!items.length) list?.remove();
    else {
      if (!list) entry.item.append(list = made("ul", { className: "edit-parts" }));
      same(list, items);
    }
  }

  #kinds(edit) {
    const { edits, words } = this.#editor;
    const parent = edits.get(edit.parent);
    const may = parent && edits.operation(parent).constituents;
    const select = made("select", { className: "edit-kind" });
    select.dataset.key = "kind";
    select.setAttribute("aria-label", words.edit_operation);
    for (const { id, label } of edits.scheme.operations) {
      if (!may || may.includes(id)) select.append(new Option(label, id, false, id === edit.operation));
    }
    return select;
  }

  #sides(edit) {
    const { edits, views, words } = this.#editor;
    const { sides, several } = edits.operation(edit);
    return sides.map((side) => {
      const row = made("div", { className: "edit-row" });
      const label = made("span", { className: "text-label", textContent: views[side].label });
      const chips = edit[side].length < 2 ? [] : edit[side].map((span) => {
        const text = views[side].text.slice(...span);
        const chip = button("drop", `${text} ×`, "piece", `${side}-${span}`);
        chip.setAttribute("aria-label", fill(words.edit_drop_piece, { words: text }));
        return chip;
      });
      row.append(label, ...chips, button("change", words.edit_change_words, "quiet", side));
      if (several && edit[side].length) row.append(button("add", words.edit_add_piece, "quiet", side));
      return row;
    });
  }

  #takeIn(composite) {
    const { edits, words } = this.#editor;
    const may = edits.composite(composite) ? edits.whole().filter((edit) => edits.mayTakeIn(composite, edit)) : [];
    const select = made("select", { className: "edit-take", hidden: !may.length });
    select.dataset.key = "take";
    select.append(new Option(words.edit_take_in, "", true, true));
    for (const edit of may) select.append(new Option(this.#editor.name(edit), edit.id));
    select.setAttribute("aria-label", words.edit_take_in);
    return select;
  }
}

// Words that keep their beginning and their end where there is too little room for all.
function ends(text) {
  const words = made("bdi");
  const at = text.length > 10 ? Math.max(text.lastIndexOf(" ", text.length - 6), text.length - 14, 0) : text.length;
  words.append(made("span", { textContent: text.slice(0, at) }), text.slice(at));
  return words;
}

function button(action, text, className, value = "") {
  const made_ = made("button", { type: "button", className, textContent: text });
  Object.assign(made_.dataset, { do: action, of: value, key: `${action} ${value}` });
  return made_;
}

// The children in this order, moving as few as possible: moving takes the focus away.
function same(list, items) {
  items.forEach((item, index) => { if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null); });
  while (list.children.length > items.length) list.lastElementChild.remove();
}

// How much of the screen the two texts have. They stand whole between the bar and the buttons at the foot, in smaller type
// and with closer lines if they must; on a phone a strip keeps the words in question in view below them.

// The distance of the lines under the words at each size; the type of each is in edits.css.
const PITCHES = [12, 10, 9, 8, 7, 6];
// How close lines may come before words rather move, and how far the first and the last of a gap are from the letters, together.
const CLOSEST = 4;
const ENDS = 7;
const AROUND = 60;
const SPARE = 44;

export class Room {
  #desk;
  #texts;
  #section;
  #foot = document.querySelector(".desk-actions");
  #hand;
  #least = Infinity;
  #step = 0;
  #window = "";

  // `desk` holds the texts and what makes edits. Whoever draws sets `changed`.
  constructor(desk, signal) {
    this.#desk = desk;
    this.#texts = desk.querySelector(".edit-texts");
    this.#hand = desk.querySelector(".edit-hand");
    this.#section = desk.closest(".item");
    this.changed = () => {};
    this.#measure();
    const seen = new ResizeObserver(() => this.#measure());
    if (this.#foot) seen.observe(this.#foot);
    seen.observe(document.querySelector(".desk-form"));
    signal.addEventListener("abort", () => seen.disconnect());
    addEventListener("resize", () => this.#measure(), { signal });
  }

  get pitch() {
    return PITCHES[this.#step];
  }

  // Whether lines are so close that the letters at their beginnings touch.
  get tight() {
    return this.#step > 1;
  }

  // Smaller by one step, if the texts do not fit: whether they were made so.
  tighter() {
    if (this.#step === PITCHES.length - 1 || this.#fits()) return false;
    this.#put(this.#step + 1);
    return true;
  }

  restart() {
    this.#put(0);
  }

  #put(step) {
    this.#step = step;
    this.#texts.dataset.fit = step;
    this.#texts.style.setProperty("--pitch", `${this.pitch}px`);
  }

  // What stands below the texts says more at times: a line of it is kept free, or the texts would become smaller then. Where it
  // lies over the page (a phone) it may grow; one scrolls, and the words under a finger stay.
  #fits() {
    const { scrollHeight, clientHeight } = this.#texts;
    const hand = this.#hand.offsetHeight;
    this.#least = Math.min(this.#least, hand);
    const makes = this.#hand.querySelector(".edit-tools");
    const most = this.#least + (makes ? SPARE : 0);
    const under = makes && getComputedStyle(this.#hand).position === "sticky" ? most : Math.max(hand, most);
    return scrollHeight + this.#desk.offsetHeight - clientHeight - hand + under <= this.#height + 1;
  }

  // Another width, or a height that is quite another (a phone hides its address bar as one scrolls), begins anew.
  #measure() {
    const top = Math.min(240, this.#section.getBoundingClientRect().top + scrollY);
    const foot = this.#foot && getComputedStyle(this.#foot).position === "sticky" ? this.#foot.offsetHeight : 0;
    this.#height = innerHeight - top - foot;
    const now = `${document.querySelector(".desk-form").clientWidth} ${Math.round(this.#height / AROUND)}`;
    if (this.#window === now) return;
    this.#window = now;
    this.#least = Infinity;
    this.#desk.style.setProperty("--room", `${this.#height}px`);
    this.#section.style.setProperty("--foot", `${foot}px`);
    this.restart();
    this.changed();
  }

  #height = 0;
}

// Under the texts, where they are above the rest of the page: that there is more below, and once they are out of sight a
// strip at the top with the words in question, which leads back.

export class Strip {
  #editor;
  #bar;
  #more;
  #shown = "";

  constructor(editor, signal) {
    this.#editor = editor;
    const { element, words } = editor;
    const desk = element.querySelector(".edit-desk");
    const side = element.querySelector(".edit-side");
    this.#bar = made("button", { type: "button", className: "edit-strip", hidden: true });
    this.#more = made("button", { type: "button", className: "edit-more quiet", hidden: true });
    element.prepend(this.#bar);
    element.querySelector(".edit-hand").append(this.#more);
    this.#bar.setAttribute("aria-label", words.edit_to_texts);
    this.#bar.addEventListener("click", () => desk.scrollIntoView({ block: "start" }));
    this.#more.addEventListener("click", () => this.#goOn(desk.querySelector(".edit-texts"), side));
    const look = () => this.#look(desk, side);
    addEventListener("scroll", look, { signal, passive: true });
    addEventListener("resize", look, { signal });
    desk.querySelector(".edit-texts").addEventListener("scroll", look, { signal, passive: true });
    const seen = new ResizeObserver(look);
    for (const name of [".edit-hand", ".edit-texts"]) seen.observe(element.querySelector(name));
    signal.addEventListener("abort", () => seen.disconnect());
    this.look = look;
  }

  #look(desk, side) {
    const below = side.getBoundingClientRect().left < desk.getBoundingClientRect().right;
    const texts = desk.querySelector(".edit-texts");
    this.#bar.hidden = !below || desk.getBoundingClientRect().bottom > 80;
    if (!this.#bar.hidden) this.draw();
    const inside = this.#inside(texts) || (below && this.#under(texts) > 0);
    const foot = Math.min(innerHeight, document.querySelector(".desk-actions")?.getBoundingClientRect().top ?? innerHeight);
    const further = below && side.querySelector(".edit-heading").getBoundingClientRect().bottom > foot;
    this.#more.hidden = !inside && !further;
    const { words } = this.#editor;
    const text = inside ? words.edit_more_text : this.#editor.below();
    if (this.#more.textContent !== text) this.#more.textContent = text;
  }

  #inside(texts) {
    return texts.scrollTop + texts.clientHeight < texts.scrollHeight - 2;
  }

  // How much of the texts lies under what makes edits, which stands over the page where it is below them.
  #under(texts) {
    return Math.round(texts.getBoundingClientRect().bottom - this.#more.parentElement.getBoundingClientRect().top);
  }

  #goOn(texts, side) {
    if (this.#inside(texts)) texts.scrollBy({ top: texts.clientHeight * 0.7 });
    else if (this.#under(texts) > 0) scrollBy({ top: Math.min(this.#under(texts) + 8, innerHeight * 0.6) });
    else side.scrollIntoView({ block: "start" });
  }

  // What makes edits appears at the foot of the screen: the words that were chosen are not left under it.
  uncover(boxes) {
    const hand = this.#more.parentElement;
    if (!boxes.length || getComputedStyle(hand).position !== "sticky") return;
    const under = Math.max(...boxes.map(({ bottom }) => bottom)) + 12 - hand.getBoundingClientRect().top;
    if (under > 0) scrollBy({ top: under, behavior: "instant" });
  }

  // Both texts around the words in question, or their beginnings.
  draw() {
    if (this.#bar.hidden) return;
    const rows = this.#editor.inQuestion();
    const shown = JSON.stringify(rows);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#bar.replaceChildren(...rows.map(({ before, words, after }) => {
      const row = made("bdi", { className: "edit-strip-text" });
      row.append(before, ...(words ? [made("mark", { textContent: words })] : []), after);
      return row;
    }));
  }
}
