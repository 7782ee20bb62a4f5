// Which sentences are shown, and in which order. Nothing here touches the page.
// A sentence: n number, id, w words, s source, r references, o rewrites by system (null: not rewritten);
// a rewrite: p pieces, s sentences, c whether it is a copy, v values by figure (null: undefined).

const KEPT = 0, NEW = 2;

// The rewrite as it is: without what is gone.
export function plain(rewrite) {
  rewrite.text ??= rewrite.p.filter(([, kind]) => kind === KEPT || kind === NEW).map(([text]) => text).join("");
  return rewrite.text;
}

function haystack(sentence) {
  sentence.all ??= [sentence.id, sentence.s, ...sentence.r, ...sentence.o.filter(Boolean).map(plain)].join("\n").toLocaleLowerCase();
  return sentence.all;
}

// wanted: text, from, to, splits, copies, whose (index of a system, or null for any), differ.
export function matches(sentence, wanted) {
  if (wanted.only !== null) return sentence.n === wanted.only;
  if (wanted.from !== null && sentence.w < wanted.from) return false;
  if (wanted.to !== null && sentence.w > wanted.to) return false;
  if (wanted.text && !haystack(sentence).includes(wanted.text)) return false;
  const rewrites = (wanted.whose === null ? sentence.o : [sentence.o[wanted.whose]]).filter(Boolean);
  if (wanted.whose !== null && !rewrites.length) return false;
  if ((wanted.splits || wanted.copies) && !rewrites.some((one) => splitAsWanted(one, wanted.splits) && (one.c || !wanted.copies))) return false;
  return !wanted.differ || new Set(sentence.o.map((one) => (one ? plain(one) : null))).size > 1;
}

function splitAsWanted(rewrite, splits) {
  return !splits || (splits < 3 ? rewrite.s === splits : rewrite.s >= 3);
}

// by: figure (index, "order" or "words"), system, against (index or null), falling.
export function sorted(sentences, by) {
  const keyed = sentences.map((sentence) => [keyOf(sentence, by), sentence]);
  const sign = by.falling ? -1 : 1;
  keyed.sort(([one, a], [other, b]) => {
    if (one === null || other === null) return (one === null) - (other === null) || a.n - b.n;
    return sign * (one - other) || a.n - b.n;
  });
  return keyed.map(([, sentence]) => sentence);
}

function keyOf(sentence, by) {
  if (by.figure === "order") return sentence.n;
  if (by.figure === "words") return sentence.w;
  const value = sentence.o[by.system]?.v[by.figure] ?? null;
  if (by.against === null || value === null) return value;
  const other = sentence.o[by.against]?.v[by.figure] ?? null;
  return other === null ? null : value - other;
}
