// The edits of one item. A list that is never changed, only replaced, so that undo is keeping the old one. Spans on both
// sides and all answers stay with an edit whatever it becomes; what its operation does not take is not sent. A suggested
// edit stands in the list as `proposed` until it is accepted, and stays in it as `rejected`, unseen. One that was accepted
// with all others at once is `together`, and still to be looked at.

import { asked, holds } from "../desk/answers.js";

const SIDES = ["source", "rewrite"];

export class Edits {
  #offsets;
  #list = [];
  #order = null;
  // What follows from an edit as it is: an edit that changes is another object.
  #known = new WeakMap();
  // The suggestions accepted with all others that were looked at since. No undo takes a look back.
  #looked = new Set();

  // `questions`: by id, { when, required, allowsNone }.
  constructor(scheme, texts, questions) {
    this.scheme = scheme;
    this.operations = new Map(scheme.operations.map((one) => [one.id, one]));
    this.questions = questions;
    this.#offsets = Object.fromEntries(SIDES.map((side) => [side, new Offsets(texts[side])]));
  }

  get list() {
    return this.#list;
  }

  set list(list) {
    this.#list = list;
    this.#order = null;
  }

  // Edits as they are sent, offsets in code points.
  get value() {
    return this.ordered().filter(({ proposed }) => !proposed).map((edit) => {
      const { sides } = this.operation(edit);
      const spans = Object.fromEntries(sides.filter((side) => edit[side].length).map((side) => [side, this.#offsets[side].toPoints(edit[side])]));
      const answers = edit.parent ? {} : this.answers(edit);
      return {
        id: edit.id,
        operation: edit.operation,
        ...spans,
        ...(Object.keys(answers).length && { answers }),
        ...(edit.parent && { parent: edit.parent }),
      };
    });
  }

  // The edits, those that are suggested, which edit each of these became (nothing: it was rejected), and of those that were
  // accepted together whether they were looked at.
  load(given, suggested, became, together = {}) {
    this.#looked = new Set(Object.keys(together).filter((key) => together[key]));
    const of = new Map(Object.entries(became).map(([key, id]) => [id, key]));
    const edits = given.map((edit) => ({ ...this.#read(edit), suggestion: of.get(edit.id), together: of.get(edit.id) in together }));
    const there = new Set(edits.map(({ suggestion }) => suggestion));
    const id = (key) => Object.entries(became).find(([one, edit]) => one === key && edit)?.[1] ?? `s${key}`;
    const further = suggested.filter((edit) => !there.has(edit.id)).map((edit) => ({
      ...this.#read(edit),
      id: `s${edit.id}`,
      parent: edit.parent && id(edit.parent),
      suggestion: edit.id,
      proposed: true,
      rejected: edit.id in became,
    }));
    this.list = [...edits, ...further];
  }

  // Edits as they are sent, as the page has them.
  read(given) {
    return given.map((edit) => this.#read(edit));
  }

  #read(edit) {
    return {
      id: edit.id,
      operation: edit.operation,
      source: this.#offsets.source.toUnits(edit.source ?? []),
      rewrite: this.#offsets.rewrite.toUnits(edit.rewrite ?? []),
      answers: edit.answers ?? {},
      parent: edit.parent ?? "",
    };
  }

  // Of suggestions that were decided on: the edit made of each, or nothing.
  get became() {
    const decided = this.#list.filter(({ suggestion, proposed, rejected }) => suggestion && (rejected || !proposed));
    return Object.fromEntries(decided.map(({ suggestion, rejected, id }) => [suggestion, rejected ? "" : id]));
  }

  // With its parts.
  accept(id) {
    const mine = (edit) => edit.proposed && (edit.id === id || edit.parent === id);
    this.list = this.#list.map((edit) => (mine(edit) ? { ...edit, proposed: false } : edit));
  }

  acceptAll() {
    this.list = this.#list.map((edit) => (edit.proposed && !edit.rejected ? { ...edit, proposed: false, together: true } : edit));
  }

  // Of suggestions that were accepted together: whether each was looked at since.
  get together() {
    const taken = this.#list.filter(({ suggestion, together, proposed }) => suggestion && together && !proposed);
    return Object.fromEntries(taken.map((edit) => [edit.suggestion, !this.unseen(edit)]));
  }

  // Whether it was accepted with all others and not looked at; a part is looked at with its whole.
  unseen(edit) {
    const whole = this.get(edit.parent) ?? edit;
    return Boolean(whole.together) && !whole.proposed && !this.#looked.has(whole.suggestion);
  }

  // Whether this is the first look at it.
  look(edit) {
    if (!this.unseen(edit)) return false;
    this.#looked.add((this.get(edit.parent) ?? edit).suggestion);
    return true;
  }

  get(id) {
    return this.#ordering.byId.get(id);
  }

  operation({ operation }) {
    return this.operations.get(operation) ?? this.scheme.operations[0];
  }

  composite(edit) {
    return this.operation(edit).constituents.length > 0;
  }

  parts(id) {
    return this.#ordering.parts.get(id) ?? [];
  }

  // Those that are not part of another, as they are met in reading; see core/edit_marks.py.
  whole() {
    return this.#ordering.whole;
  }

  get #ordering() {
    this.#order ??= this.#arrange();
    return this.#order;
  }

  #arrange() {
    const seen = this.#list.filter(({ rejected }) => !rejected);
    const byId = new Map(seen.map((edit) => [edit.id, edit]));
    const placed = seen.map((edit) => ({ edit, place: placeOf(edit) })).sort((a, b) => compare(a.place, b.place));
    const parts = new Map();
    for (const { edit } of placed) if (byId.has(edit.parent)) parts.set(edit.parent, [...(parts.get(edit.parent) ?? []), edit]);
    const first = ({ edit, place }) => [place, ...(parts.get(edit.id) ?? []).map(placeOf)].sort(compare)[0];
    const whole = placed.filter(({ edit }) => !byId.has(edit.parent)).map((one) => ({ ...one, place: first(one) }))
      .sort((a, b) => compare(a.place, b.place)).map(({ edit }) => edit);
    return { byId, parts, whole };
  }

  ordered() {
    return this.whole().flatMap((edit) => [edit, ...this.parts(edit.id)]);
  }

  // The words of an edit on one side; a composite has those of its parts.
  spans(edit, side) {
    if (this.composite(edit)) return this.parts(edit.id).flatMap((part) => this.spans(part, side));
    return this.operation(edit).sides.includes(side) ? edit[side] : [];
  }

  // The questions that are asked about it now.
  asked(edit) {
    if (!this.#known.has(edit)) this.#known.set(edit, edit.parent ? [] : this.#ask(edit));
    return this.#known.get(edit);
  }

  #ask(edit) {
    const { questions, preset } = this.operation(edit);
    const known = questions.map((id) => ({ id, ...this.questions.get(id) }));
    const visible = asked(known, (ids) => ({ ...pick(edit.answers, ids), ...preset }));
    return known.filter(({ id }) => visible.has(id));
  }

  answers(edit) {
    return pick(edit.answers, new Set(this.asked(edit).map(({ id }) => id)));
  }

  // The types that its answers make it: its own first, then those that are counted on top.
  types(edit) {
    const { operation, preset } = { ...this.operation(edit), operation: edit.operation };
    const reached = (this.scheme.types ?? []).filter(({ when }) => holds(when, { ...preset, ...this.answers(edit) }, operation));
    const own = reached.find(({ added }) => !added);
    return own ? [own, ...reached.filter(({ added }) => added)].map(({ label }) => label) : [];
  }

  // What is unfinished: { side }, { parts } or { question }.
  missing(edit) {
    const found = [];
    if (edit.proposed) return found;
    if (this.composite(edit)) {
      if (!this.parts(edit.id).length) found.push({ parts: true });
    } else {
      for (const side of this.operation(edit).sides) if (!edit[side].length) found.push({ side });
    }
    for (const { id, required } of this.asked(edit)) {
      if (required && edit.answers[id] === undefined) found.push({ question: id });
    }
    return found;
  }

  add(edit) {
    const number = Math.max(0, ...this.list.map(({ id }) => Number(id.match(/^\d+$/)?.[0] ?? 0))) + 1;
    const made = { source: [], rewrite: [], answers: {}, parent: "", ...edit, id: String(number) };
    this.list = [...this.list, made];
    return made;
  }

  put(id, changes) {
    this.list = this.list.map((edit) => (edit.id === id ? { ...edit, ...changes } : edit));
  }

  // With its parts. What was suggested is rejected.
  remove(id) {
    const mine = (edit) => edit.id === id || edit.parent === id;
    this.list = this.#list.filter((edit) => !mine(edit) || edit.suggestion)
      .map((edit) => (mine(edit) ? { ...edit, proposed: true, rejected: true } : edit));
  }

  // A composite made of a simple edit has it as its part; a simple edit made of a composite has the words of all parts.
  become(id, operation) {
    const edit = this.get(id);
    const was = this.composite(edit);
    const will = this.operations.get(operation).constituents.length > 0;
    if (!was && will) {
      this.add({ ...edit, parent: id, answers: {} });
    } else if (was && !will) {
      const spans = Object.fromEntries(SIDES.map((side) => [side, joined(this.spans(edit, side))]));
      this.list = this.list.filter(({ parent }) => parent !== id);
      this.put(id, spans);
    }
    this.put(id, { operation });
  }

  // Whether an edit that stands alone may become part of this composite.
  mayTakeIn(composite, edit) {
    return !edit.parent && !edit.proposed && edit.id !== composite.id && this.operation(composite).constituents.includes(edit.operation);
  }
}

function pick(answers, ids) {
  return Object.fromEntries(Object.entries(answers).filter(([id]) => ids.has(id)));
}

function placeOf(edit) {
  for (const [nth, side] of SIDES.entries()) {
    if (edit[side].length) {
      const [start, end] = [...edit[side]].sort(compare)[0];
      return [nth, start, start - end];
    }
  }
  return [2, 0, 0];
}

function compare(one, other) {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : one[at] - other[at];
}

// Words with their beginning and their end, however many there are.
export function shortened(text) {
  if (text.length <= 48) return text;
  const [start, end] = [text.lastIndexOf(" ", 28), text.indexOf(" ", text.length - 22)];
  return `${text.slice(0, start > 0 ? start : 26)} … ${text.slice(end > 0 ? end + 1 : -18)}`;
}

// Stretches in order, those that touch or overlap as one.
export function joined(spans) {
  const found = [];
  for (const [start, end] of [...spans].sort(compare)) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

// Offsets are UTF-16 units inside the page and code points outside of it. They part at the first astral character.

export class Offsets {
  #points = null;
  #units = null;

  constructor(text) {
    if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return;
    this.#points = [];
    this.#units = [];
    let unit = 0;
    for (const character of text) {
      for (let half = 0; half < character.length; half += 1) this.#points.push(this.#units.length);
      this.#units.push(unit);
      unit += character.length;
    }
    this.#points.push(this.#units.length);
    this.#units.push(unit);
  }

  toPoints(spans) {
    return this.#points ? spans.map((span) => span.map((unit) => this.#points[unit])) : spans;
  }

  toUnits(spans) {
    return this.#units ? spans.map((span) => span.map((point) => this.#units[point] ?? this.#units.at(-1))) : spans;
  }
}

// What a selection snaps to: words with their punctuation, the characters that a reader sees, or given tokens.
// A split point (||) is never part of any.

const SPLIT = "||";
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

export function units(text, snap, tokens) {
  if (snap === "characters") return letters(text);
  return (snap === "tokens" && given(text, tokens)) || words(text);
}

export function letters(text) {
  const splits = words(text, true);
  const outside = ([start]) => !splits.some((split) => split[0] <= start && start < split[1]);
  return segments(text, "grapheme").map(({ index, segment }) => [index, index + segment.length]).filter(outside);
}

// The split points of a text, or everything between white space but those.
export function words(text, splits = false) {
  const found = [];
  for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
    if ((word === SPLIT) !== splits) continue;
    if (UNSPACED.test(word)) found.push(...unspaced(word, index));
    else found.push([index, index + word.length]);
  }
  return found;
}

// A stretch between two offsets without white space at its ends, in pieces where a split point stands inside.
export function pieces(text, start, end) {
  const found = [];
  let from = start;
  for (const split of [...words(text, true).filter((one) => one[1] > start && one[0] < end), [end, end]]) {
    const part = text.slice(from, Math.max(from, split[0]));
    const trimmed = part.trim();
    const first = from + part.length - part.trimStart().length;
    if (trimmed) found.push([first, first + trimmed.length]);
    from = split[1];
  }
  return found;
}

function unspaced(word, index) {
  const found = [];
  for (const one of segments(word, "word")) {
    const [start, end] = [index + one.index, index + one.index + one.segment.length];
    if (!one.isWordLike && found.length) found.at(-1)[1] = end;
    else found.push([start, end]);
  }
  return found;
}

function segments(text, granularity) {
  if (globalThis.Intl?.Segmenter) return [...new Intl.Segmenter(undefined, { granularity }).segment(text)];
  let index = 0;
  return Array.from(text, (segment) => ({ segment, index: (index += segment.length) - segment.length, isWordLike: true }));
}

// Tokens as the item gives them: a list of strings that stand in the text one after the other.
function given(text, tokens) {
  let list;
  try {
    list = JSON.parse(tokens);
  } catch {
    return null;
  }
  const found = [];
  let from = 0;
  for (const token of Array.isArray(list) ? list.map(String).filter(Boolean) : []) {
    const at = text.indexOf(token, from);
    if (at < 0) return null;
    from = at + token.length;
    if (token !== SPLIT) found.push([at, from]);
  }
  return found.length ? found : null;
}

// One text on the page: where its stretches stand on the screen, and what stands at a point. Drawn as it is, with nothing
// put between its letters, so that the order of words from right to left stays what it was.

export class TextView {
  #nodes = [];
  #rects = new Map();
  #places = new Map();
  #letters = null;
  #letter = 0;
  #space = { below: 0, above: 0 };

  constructor(element, text, snap, tokens) {
    this.element = element;
    this.side = element.dataset.side;
    this.text = text;
    this.label = element.querySelector(".text-label").textContent;
    this.body = element.querySelector(".text-body");
    this.units = units(text, snap, tokens);
    this.#fill();
    this.rtl = getComputedStyle(this.body).direction === "rtl";
  }

  letters() {
    this.#letters ??= letters(this.text);
    return this.#letters;
  }

  words(spans) {
    return spans.map(([start, end]) => this.text.slice(start, end)).join(" … ");
  }

  // How many lines of marks stand under and over the words. Room that was made once stays: words that are read or pointed at do
  // not move when a mark goes.
  space(below, above) {
    const [lower, upper] = [Math.max(this.#space.below, below), Math.max(this.#space.above, above)];
    if (this.#space.below === lower && this.#space.above === upper) return;
    this.#space = { below: lower, above: upper };
    this.body.style.setProperty("--below", lower);
    this.body.style.setProperty("--above", upper);
    this.forget();
  }

  get lanes() {
    return this.#space;
  }

  // What is free between the letters of two lines.
  get gap() {
    const { lineHeight, fontSize } = getComputedStyle(this.body);
    if (!this.#letter && this.units.length) {
      const [{ top, bottom }] = this.rects(...this.units[0], { x: 0, y: 0 });
      this.#letter = (bottom - top) / parseFloat(fontSize);
      this.forget();
    }
    return parseFloat(lineHeight) - this.#letter * parseFloat(fontSize);
  }

  // As if nothing had been marked yet.
  crowd() {
    this.#space = { below: 0, above: 0 };
  }

  forget() {
    this.#rects.clear();
    this.#places.clear();
  }

  // The boxes of a stretch, one for each line (or more where directions mix), relative to `origin`.
  rects(start, end, origin) {
    const key = `${start}-${end}`;
    if (!this.#rects.has(key)) this.#rects.set(key, this.#measure(start, end, origin));
    return this.#rects.get(key);
  }

  // The unit at a point, or the nearest on its line.
  at(x, y, origin, list = this.units) {
    let best = null;
    let least = Infinity;
    for (const place of this.#placesOf(list, origin)) {
      const far = Math.max(place.top - y, y - place.bottom, 0) * 1000 + Math.max(place.left - x, x - place.right, 0);
      if (far < least) [best, least] = [place, far];
    }
    return best?.unit ?? null;
  }

  // The unit above or below the given one; null at the first or last line.
  beside(unit, down, origin, list = this.units) {
    const [from] = this.rects(...unit, origin);
    const middle = (from.left + from.right) / 2;
    const step = from.bottom - from.top;
    const further = this.#placesOf(list, origin).filter((place) => (down ? place.top - from.top : from.top - place.top) > step / 2);
    if (!further.length) return null;
    const line = further.reduce((near, place) => ((down ? place.top < near : place.top > near) ? place.top : near), further[0].top);
    const off = (place) => Math.abs((place.left + place.right) / 2 - middle);
    return further.filter((place) => Math.abs(place.top - line) < step / 2).sort((a, b) => off(a) - off(b))[0].unit;
  }

  #placesOf(list, origin) {
    if (!this.#places.has(list)) {
      this.#places.set(list, list.flatMap((unit) => this.rects(...unit, origin).map((rect) => ({ ...rect, unit }))));
    }
    return this.#places.get(list);
  }

  #fill() {
    const parts = [];
    let from = 0;
    const add = (node, start, end) => this.#nodes.push({ node, start, end });
    for (const [start, end] of [...words(this.text, true), [this.text.length, this.text.length]]) {
      const plain = document.createTextNode(this.text.slice(from, start));
      parts.push(plain);
      add(plain, from, start);
      if (end > start) {
        const split = document.createElement("span");
        split.className = "split-point";
        split.textContent = this.text.slice(start, end);
        parts.push(split);
        add(split.firstChild, start, end);
      }
      from = end;
    }
    this.body.className = "text-body edit-body-text";
    this.body.replaceChildren(...parts);
  }

  #measure(start, end, origin) {
    const range = document.createRange();
    const put = (offset, which, into) => {
      const part = this.#nodes.find((one) => (into === "start" ? offset < one.end : offset <= one.end)) ?? this.#nodes.at(-1);
      range[which](part.node, offset - part.start);
    };
    put(start, "setStart", "start");
    put(end, "setEnd", "end");
    const merged = [];
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 0.5) continue;
      const one = { left: left - origin.x, right: right - origin.x, top: top - origin.y, bottom: bottom - origin.y };
      const same = merged.find((other) => Math.abs(other.top - one.top) < 4 && one.left <= other.right + 1 && other.left <= one.right + 1);
      if (same) [same.left, same.right] = [Math.min(same.left, one.left), Math.max(same.right, one.right)];
      else merged.push(one);
    }
    return merged;
  }
}
