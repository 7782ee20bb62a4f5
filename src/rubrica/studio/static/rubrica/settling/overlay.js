// The edits of several people over each other, for the person who settles them. Deciding is nothing but changing the
// editor's list of edits, so that saving and undo need to know nothing of it; that none of the versions is wanted is the one
// thing that the list cannot say, and is kept beside it.
//
// `data` is { people, settled, groups: [{ agreed, versions: [{ people, edits }] }] } as studio/annotate/desk_overlay.py has it.

import { fill } from "../desk/notices.js";
import { share as overlap } from "../edits/drawing.js";
import { RubricaEdits } from "../edits/editor.js";
import { joined } from "../edits/model.js";
import { OverlayView } from "./overlay_view.js";

const NONE = new Set();

class Overlay {
  #editor;
  #kept;
  #index = null;
  #view;
  // Whether a difference is drawn as one line instead of everybody's.
  brief = false;

  // `kept` holds the differences that were rejected, on this device: { get(), put(keys) }.
  constructor(editor, data, kept) {
    this.#editor = editor;
    this.#kept = kept;
    this.people = data.people;
    let number = 0;
    this.groups = data.groups.map(({ agreed, versions }, index) => {
      const group = { index, agreed, number: agreed ? 0 : (number += 1) };
      group.versions = versions.map((one, at) => this.#version(group, one, at));
      group.key = group.versions.map(({ key }) => key).join(" / ");
      return group;
    });
    this.differences = this.groups.filter(({ agreed }) => !agreed);
    this.byName = new Map(this.groups.flatMap(({ versions }) => versions.map((one) => [one.name, one])));
    this.rejected = new Set(kept.get() ?? []);
    this.#claim();
    if (data.settled) this.rejected = new Set([...this.rejected, ...this.open.map(({ key }) => key)]);
    this.#view = new OverlayView(editor, this);
  }

  #version(group, { people, edits: given }, at) {
    const edits = this.#editor.edits.read(given);
    const [first, ...parts] = edits;
    return { name: `v/${group.index}/${at}`, group, people, edits, key: this.#key(first, parts), words: this.#words(first, parts) };
  }

  #key(first, parts) {
    return [shape(first), JSON.stringify(Object.entries(this.#editor.edits.answers(first)).sort()), ...parts.map(shape).sort()].join("; ");
  }

  #words(first, parts) {
    return parts.length ? parts : [first];
  }

  // What all agree on is in the list from the beginning; later changes of it still belong to its group.
  #claim() {
    const { edits } = this.#editor;
    const agreed = new Map(this.groups.filter((one) => one.agreed).map(({ index, versions }) => [versions[0].key, index]));
    edits.list = edits.list.map((edit) => {
      const from = edit.parent ? undefined : agreed.get(this.#key(edit, edits.parts(edit.id)));
      return from === undefined ? edit : { ...edit, from };
    });
  }

  // To which group each edit of the list belongs, and which version it is exactly.
  get #known() {
    const { edits } = this.#editor;
    if (this.#index?.list === edits.list) return this.#index;
    const [byKey, byGroup] = [new Map(), new Map()];
    for (const edit of edits.whole().filter(({ proposed }) => !proposed)) {
      const parts = edits.parts(edit.id);
      const key = this.#key(edit, parts);
      byKey.set(key, edit);
      const group = edit.from ?? this.#where(key, [edit, ...parts]);
      byGroup.set(group, [...(byGroup.get(group) ?? []), edit]);
    }
    this.#index = { list: edits.list, byKey, byGroup };
    return this.#index;
  }

  #where(key, list) {
    const same = this.groups.find(({ versions }) => versions.some((one) => one.key === key));
    return (same ?? this.differences.find(({ versions }) => versions.some((one) => rivals(one.edits, list, this.#editor.edits))))?.index;
  }

  // The edit of the list that is exactly this version.
  taken({ key }) {
    return this.#known.byKey.get(key);
  }

  mine({ index }) {
    return this.#known.byGroup.get(index) ?? [];
  }

  // Whether nothing is left to decide about a version: it is taken, something stands instead of it, or it is part of what is
  // taken. What one person marked besides it does not stand instead of it.
  settled(version) {
    const { edits } = this.#editor;
    const instead = (edit) => {
      const beside = version.group.versions.some((one) => this.taken(one) === edit && one.people.some((person) => version.people.includes(person)));
      return !beside && share(version.words, [...this.#words(edit, edits.parts(edit.id)), ...(this.byName.get(edit.of)?.words ?? [])]);
    };
    const [first, ...parts] = version.edits;
    return Boolean(this.taken(version)) || this.mine(version.group).some(instead)
      || (!parts.length && edits.list.some((edit) => edit.parent && shape(edit) === shape(first)));
  }

  // taken, none or open; of what all agree on, taken or none.
  state(group) {
    if (!group.agreed && !this.rejected.has(group.key) && !group.versions.every((one) => this.settled(one))) return "open";
    return this.mine(group).length || !(group.agreed || this.rejected.has(group.key)) ? "taken" : "none";
  }

  get open() {
    return this.differences.filter((one) => this.state(one) === "open");
  }

  canTakeApart(version) {
    return this.#pieces(version).length > 0;
  }

  #pieces({ group, edits }) {
    const others = group.versions.flatMap((one) => (one.edits === edits ? [] : one.words));
    const { source, rewrite } = this.#editor.views;
    return pieces(edits, others, this.#editor.edits, { source: source?.text ?? "", rewrite: rewrite?.text ?? "" });
  }

  // Deciding

  act(action, of) {
    const version = this.byName.get(of);
    const group = version?.group ?? this.groups[of];
    this[`_${action}`](version ?? group, group);
  }

  _accept(version) {
    const there = this.taken(version);
    const { words } = this.#editor;
    if (there) {
      this.#editor.edits.remove(there.id);
      this.#changed(null, words.laid_said_back, { edit: this.describe(version) });
      return;
    }
    const id = this.#take(version);
    this.#changed(this.#unfinished(id) ? id : null, words.laid_said_accepted, { edit: this.describe(version) });
  }

  _redraw(version) {
    const { edits, making } = this.#editor;
    const id = this.taken(version)?.id ?? this.#take(version);
    this.#changed(id, this.#editor.words.laid_said_accepted, { edit: this.describe(version) });
    const edit = edits.get(id);
    if (edits.composite(edit)) this.#editor.list.head(id).focus();
    else making.act("change", edits.operation(edit).sides[0]);
  }

  _apart(version, group) {
    const cut = this.#pieces(version);
    this.#clear(group, version.words);
    const made = cut.map((edits) => this.#add(edits, group, version));
    // Its parts are edits of another kind, which by themselves do not tell that the whole was decided on.
    if (version.edits.length > 1) this.#reject(group, true);
    this.#changed(made.find((id) => this.#unfinished(id)) ?? null, this.#editor.words.laid_said_apart, { n: made.length });
  }

  _merge(_, group) {
    const all = merged(group.versions.map(({ edits }) => edits), this.#editor.edits);
    this.#clear(group);
    const id = this.#add(all, group);
    this.#changed(id, this.#editor.words.laid_said_merged, { edit: this.#editor.name(this.#editor.edits.get(id)) });
  }

  _reject(_, group) {
    const { words } = this.#editor;
    const state = this.state(group);
    const back = state === "none";
    // Where something is taken and the rest is open, the rest is not wanted.
    if (state !== "open") this.#clear(group);
    this.#reject(group, !back);
    this.#changed(null, back ? words.laid_said_open : words.laid_said_rejected, { n: group.number });
  }

  // What all agree on: out, or in again.
  _drop(_, group) {
    const { words } = this.#editor;
    const [version] = group.versions;
    const had = this.mine(group).length > 0;
    this.#clear(group);
    if (!had) this.#add(version.edits, group);
    this.#changed(null, had ? words.laid_said_back : words.laid_said_accepted, { edit: this.describe(version) });
  }

  #take(version) {
    const { group } = version;
    const together = (edit) => group.versions.some((other) => this.taken(other) === edit && other.people.some((one) => version.people.includes(one)));
    this.#clear(group, version.words, together);
    return this.#add(version.edits, group, version);
  }

  // Takes out what was decided here: all of it, or what shares these words and cannot stand beside them.
  #clear(group, words = null, stays = () => false) {
    const { edits } = this.#editor;
    const gone = this.mine(group).filter((edit) => !words || (share(words, this.#words(edit, edits.parts(edit.id))) && !stays(edit)));
    for (const { id } of gone) edits.remove(id);
  }

  // `of` is the version that it was made of: it stays settled if the words are drawn anew.
  #add([first, ...parts], group, of) {
    const { edits } = this.#editor;
    const { id } = edits.add({ ...first, parent: "", from: group.index, of: of?.name });
    for (const part of parts) edits.add({ ...part, parent: id });
    this.#reject(group, false);
    return id;
  }

  #reject({ key }, rejected) {
    if (this.rejected.has(key) === rejected) return;
    const others = [...this.rejected].filter((one) => one !== key);
    this.rejected = new Set(rejected ? [...others, key] : others);
  }

  #unfinished(id) {
    const { edits } = this.#editor;
    return [edits.get(id), ...edits.parts(id)].some((edit) => edits.missing(edit).length);
  }

  #changed(open, text, values) {
    this.#kept.put([...this.rejected]);
    this.#editor.edited(open);
    this.#editor.say(text, values);
  }

  // What the editor asks of it

  draw() {
    this.#view?.draw();
  }

  // Versions of what is open, as marks. The one that is pointed at is in focus: the edit that it has become, its mark, or a
  // frame around its words, which takes no room, so that pointing at something never moves it.
  scene(lit) {
    const { edits } = this.#editor;
    const all = this.open.flatMap((group) => (this.brief ? this.#brief(group) : group.versions.flatMap((one) => this.#marks(one))));
    const version = this.byName.get(lit);
    const edit = version && this.taken(version);
    return {
      marks: all.filter(({ composite }) => !composite),
      over: all.filter(({ composite }) => composite),
      held: this.#held(),
      ghosts: version && !edit ? this.#marks(version) : [],
      look: version && !edit && edits.operation(version.edits[0]).look,
      edit,
    };
  }

  // What would stand there if of every difference the first version were accepted, or the second, and so on, or all that one
  // person marked, or all where there is room: it is kept free, so that accepting moves no word.
  #held() {
    const { edits, views } = this.#editor;
    const versions = this.open.flatMap((group) => group.versions);
    const most = Math.max(0, ...this.open.map((group) => group.versions.length));
    const nth = Array.from({ length: most }, (_, at) => this.open.map((group) => group.versions[at] ?? group.versions[0]));
    const people = [...new Set(versions.flatMap((one) => one.people))];
    const whose = people.map((one) => versions.filter((version) => version.people.includes(one)));
    return [...nth, ...whose, ...(this.brief ? [] : [versions])].map((chosen) => {
      const parts = chosen.flatMap(({ words }) => words).flatMap((edit) => Object.keys(views).map((side) => ({ side, spans: edits.spans(edit, side) })));
      return { marks: parts.filter(({ spans }) => spans.length), over: chosen.flatMap((one) => this.#marks(one)).filter(({ composite }) => composite) };
    });
  }

  // A difference as one line under all of its words, with its number.
  #brief({ number, versions }) {
    const marks = versions.flatMap((one) => this.#marks(one));
    return [...new Set(marks.map(({ side }) => side))].map((side) => {
      const mine = marks.filter((mark) => mark.side === side);
      return { ...mine[0], spans: joined(mine.flatMap(({ spans }) => spans)), letter: String(number) };
    });
  }

  #marks(version) {
    const { edits, views } = this.#editor;
    const { look, key } = edits.operation(version.edits[0]);
    const composite = version.edits.length > 1;
    const spans = (side) => joined(version.words.flatMap((edit) => edits.spans(edit, side)));
    return Object.keys(views).filter((side) => spans(side).length)
      .map((side) => ({ composite, key: version.name, side, spans: spans(side), look, letter: key.toUpperCase(), style: "proposed" }));
  }

  shown({ words }) {
    const { edits, views } = this.#editor;
    return Object.values(views).map((view) => view.words(joined(words.flatMap((edit) => edits.spans(edit, view.side))))).filter(Boolean);
  }

  describe(version) {
    const { edits } = this.#editor;
    return [edits.operation(version.edits[0]).label, this.shown(version).join(" → "), this.#editor.said(version.edits[0])].filter(Boolean).join(" · ");
  }

  // What a mark says: a version, or all of a difference where that is one mark.
  label(name) {
    const version = this.byName.get(name);
    const line = (one) => fill(this.#editor.words.laid_by, { people: this.letters(one.people), edit: this.describe(one) });
    return version && (this.brief ? version.group.versions : [version]).map(line).join("\n");
  }

  letters(people) {
    return people.map((one) => (one < 26 ? String.fromCharCode(65 + one) : String(one + 1))).join(", ");
  }

  problems(lease) {
    return this.open.map((group) => ({
      lease,
      what: fill(this.#editor.words.laid_decide, { n: group.number }),
      go: () => this.#view.focus(group),
    }));
  }

  // To the next difference that is open, after the one that has the focus; whether there is one.
  next() {
    const open = this.open;
    const at = this.#view.here();
    const next = open.find(({ index }) => index > at) ?? open[0];
    if (next) this.#view.focus(next);
    return Boolean(next);
  }

  point(name) {
    const version = this.byName.get(name);
    if (version) this.#view.focus(version.group, name);
    return Boolean(version);
  }

  restore(rejected = NONE) {
    this.rejected = rejected;
    this.#kept.put([...rejected]);
  }
}

RubricaEdits.Overlay = Overlay;

// What becomes of versions of one change: one edit with the words of all, or an edit in several pieces. A version is a list
// of edits, the constituents after their composite. Nothing here changes anything.

const SIDES = ["source", "rewrite"];

// One edit with the words of all versions; answers on which they agree stay, the others are asked anew.
export function merged(versions, edits) {
  const firsts = versions.map(([first]) => first);
  const composite = firsts.find((edit) => edits.composite(edit));
  if (composite) return mergedParts(composite, versions);
  const widest = [...firsts].sort((a, b) => edits.operation(b).sides.length - edits.operation(a).sides.length)[0];
  const { id: operation, sides, several } = edits.operation(widest);
  const spans = Object.fromEntries(SIDES.map((side) => {
    const all = sides.includes(side) ? joined(firsts.flatMap((edit) => edits.spans(edit, side))) : [];
    return [side, several || all.length < 2 ? all : [[all[0][0], all.at(-1)[1]]]];
  }));
  return [{ operation, ...spans, answers: common(firsts) }];
}

// The parts of all composites, each once.
function mergedParts({ operation }, versions) {
  const parts = new Map(versions.flatMap(([, ...all]) => all).map((part) => [shape(part), part]));
  const answers = common(versions.map(([first]) => first));
  return [{ operation, source: [], rewrite: [], answers }, ...[...parts.values()].map((part) => ({ ...part, answers: {} }))];
}

// A version in pieces, each a list of edits; nothing if it cannot be cut. A composite falls into its parts; an edit on one
// side is cut where others drew a boundary, else between its stretches; words on both sides that are not as many stretches
// here as there become what is gone and what is new.
export function pieces(version, others, edits, texts) {
  const [first, ...parts] = version;
  if (edits.composite(first)) return parts.length > 1 ? parts.map((part) => [{ ...part, answers: {} }]) : [];
  const { sides } = edits.operation(first);
  const cut = Object.fromEntries(sides.map((side) => [side, cuts(first[side], others.flatMap((one) => one[side]), texts[side])]));
  if (sides.length === 1) return several(cut[sides[0]].map((span) => ({ ...first, [sides[0]]: [span] })));
  const [here, there] = sides.map((side) => first[side]);
  if (here.length > 1 && here.length === there.length) {
    return several(here.map((span, index) => ({ ...first, source: [span], rewrite: [there[index]] })));
  }
  const alone = sides.map((side) => [side, edits.scheme.operations.find((one) => one.sides.join() === side && !one.constituents.length)]);
  if (!alone.every(([, operation]) => operation)) return [];
  return several(alone.flatMap(([side, { id }]) => first[side].map((span) => ({ operation: id, source: [], rewrite: [], answers: {}, [side]: [span] }))));
}

function several(list) {
  return list.length > 1 ? list.map((edit) => [edit]) : [];
}

// Stretches cut at every boundary of the others that lies inside, without the white space around.
function cuts(spans, others, text) {
  const ends = others.flat();
  return spans.flatMap(([start, end]) => {
    const inside = [...new Set([start, ...ends.filter((at) => start < at && at < end), end])].sort((a, b) => a - b);
    return inside.slice(1).map((to, index) => trimmed(text, inside[index], to)).filter(([from, to]) => to > from);
  });
}

function trimmed(text, start, end) {
  const part = text.slice(start, end);
  return [start + part.length - part.trimStart().length, start + part.trimEnd().length];
}

function common([first, ...others]) {
  const same = ([id, value]) => others.every(({ answers }) => JSON.stringify(answers[id]) === JSON.stringify(value));
  return Object.fromEntries(Object.entries(first.answers).filter(same));
}

export function shape({ operation, source, rewrite }) {
  return `${operation} ${source.map(String).sort()} ${rewrite.map(String).sort()}`;
}

// Whether two could be versions of one change; as core/edit_overlay.py.
function rivals([one, ...parts], [other, ...others], edits) {
  const composite = edits.composite(one);
  const both = (edit) => SIDES.every((side) => edit[side].length);
  if (composite !== edits.composite(other) || (one.operation !== other.operation && (composite || (both(one) && both(other))))) return false;
  return share(composite ? parts : [one], composite ? others : [other]);
}

export function share(some, others) {
  return SIDES.some((side) => some.some((one) => others.some((other) => overlap(one[side], other[side]))));
}
