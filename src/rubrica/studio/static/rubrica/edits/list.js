// The edits beside the text, in reading order: what each is, what it says, what is unfinished; the open one in full.

import { fill, made } from "../desk/notices.js";

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
    const state = edit.proposed && !edit.parent ? words.edit_proposed : finished;
    const kind = `edit look-${operation.look}${edit.proposed ? " proposed" : ""}${missing.length ? " unfinished" : ""}${edit.id === lit ? " lit" : ""}${edit.id === open ? " open" : ""}`;
    if (entry.item.className !== kind) entry.item.className = kind;
    entry.head.setAttribute("aria-expanded", String(edit.id === open));
    const shown = this.#editor.shownWords(edit);
    const said = JSON.stringify([operation.id, shown, state]);
    if (said === entry.said) return entry;
    entry.said = said;
    const tag = made("b", { className: "tag", textContent: operation.key.toUpperCase() });
    tag.setAttribute("aria-hidden", "true");
    const name = made("span", { className: "visually-hidden", textContent: `${operation.label}: ` });
    const quoted = made("span", { className: "edit-words" });
    shown.forEach((text, index) => quoted.append(...(index ? [" → "] : []), made("bdi", { textContent: text })));
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
