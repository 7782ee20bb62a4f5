// What somebody types while a button of the form waits for its answer stays: it goes into the form that the answer brings.
const FORM = "rubric";
const sent = new WeakMap();

const fields = () => [...document.querySelectorAll(`#${FORM} :is(input, select, textarea)`)].filter((field) => field.id);
const said = (field) => (field.type === "checkbox" ? field.checked : field.value);

// Which question stands where the n-th stood, after the button that was pressed; 0 if it is gone.
const moved = (step, n) => {
  const [verb, place] = step.split(".");
  const at = Number(place);
  if (verb === "remove") return n === at ? 0 : n - (n > at);
  const other = { up: at - 1, down: at + 1 }[verb];
  return n === at && other ? other : n === other ? at : n;
};
const placed = (id, step) => id.replace(/^q([0-9]+)-/, (_, n) => `q${moved(step, Number(n))}-`);

document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
  if (detail.target.id === FORM) {
    sent.set(detail.xhr, { step: target.value, values: new Map(fields().map((field) => [field.id, said(field)])) });
  }
});

document.addEventListener("htmx:beforeSwap", ({ detail: { xhr, shouldSwap } }) => {
  const before = shouldSwap && sent.get(xhr);
  if (!before) return;
  const typed = fields().filter((field) => before.values.get(field.id) !== said(field));
  const active = document.activeElement;
  before.typed = typed.map((field) => [placed(field.id, before.step), said(field)]);
  before.at = typed.includes(active) && [placed(active.id, before.step), active.selectionStart, active.selectionEnd];
});

document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => {
  const before = sent.get(xhr);
  if (!before?.typed?.length) return;
  for (const [id, value] of before.typed) {
    const field = document.getElementById(id);
    if (field) field[typeof value === "boolean" ? "checked" : "value"] = value;
  }
  const [id, start, end] = before.at || [];
  const active = document.getElementById(id);
  active?.focus({ preventScroll: true });
  if (active && start !== null && start !== undefined) active.setSelectionRange(start, end);
  before.typed = [];
  document.getElementById(FORM).dispatchEvent(new Event("change", { bubbles: true }));
});
