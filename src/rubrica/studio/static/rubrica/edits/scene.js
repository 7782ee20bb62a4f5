// Edits as a scene for Drawing: simple ones under the words, composites above those of their parts.

import { joined } from "./model.js";

// `focus` is the id of the edit that is looked at, or nothing.
export function sceneOf(edits, sides, focus) {
  const [marks, over] = [[], []];
  for (const edit of edits.ordered()) {
    const { look, key } = edits.operation(edit);
    const composite = edits.composite(edit);
    const mark = { key: edit.id, look, letter: key.toUpperCase(), style: edit.proposed ? "proposed" : "" };
    for (const side of sides) {
      const spans = edits.spans(edit, side);
      if (spans.length) (composite ? over : marks).push({ ...mark, side, spans: composite ? joined(spans) : spans });
    }
  }
  const at = edits.get(focus);
  const keys = new Set(at ? [at, ...edits.parts(at.id)].map(({ id }) => id) : []);
  return { marks, over, focus: keys, link: at && edits.operation(at).look };
}
