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
