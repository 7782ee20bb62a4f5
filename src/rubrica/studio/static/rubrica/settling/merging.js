// What becomes of versions of one change: one edit with the words of all, or an edit in several pieces. A version is a list
// of edits, the constituents after their composite. Nothing here changes anything.

import { share as overlap } from "../edits/lanes.js";
import { joined } from "../edits/model.js";

const SIDES = ["source", "rewrite"];

// One edit with the words of all versions; answers on which they agree stay, the others are asked anew.
export function merged(versions, edits) {
  const firsts = versions.map(([first]) => first);
  const composite = firsts.find((edit) => edits.composite(edit));
  if (composite) return mergedParts(composite, versions, edits);
  const widest = [...firsts].sort((a, b) => edits.operation(b).sides.length - edits.operation(a).sides.length)[0];
  const { id: operation, sides, several } = edits.operation(widest);
  const spans = Object.fromEntries(SIDES.map((side) => {
    const all = sides.includes(side) ? joined(firsts.flatMap((edit) => edits.spans(edit, side))) : [];
    return [side, several || all.length < 2 ? all : [[all[0][0], all.at(-1)[1]]]];
  }));
  return [{ operation, ...spans, answers: common(firsts) }];
}

// The parts of all composites, and simple edits that may be parts, each once.
function mergedParts(composite, versions, edits) {
  const { id: operation, constituents } = edits.operation(composite);
  const all = versions.flatMap(([first, ...parts]) => (edits.composite(first) ? parts : [first]));
  const parts = new Map(all.filter((part) => constituents.includes(part.operation)).map((part) => [shape(part), part]));
  const composites = versions.map(([first]) => first).filter((edit) => edit.operation === operation);
  return [{ operation, source: [], rewrite: [], answers: common(composites) }, ...[...parts.values()].map((part) => ({ ...part, answers: {} }))];
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

export function share(some, others) {
  return SIDES.some((side) => some.some((one) => others.some((other) => overlap(one[side], other[side]))));
}
