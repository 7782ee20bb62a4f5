// The groups beside the texts: what all agree on as one line, what differs side by side. Made once, then kept up to date.

import { fill, made } from "../desk/notices.js";

export class OverlayView {
  #editor;
  #overlay;
  #root;
  #count;
  #entries = new Map();

  constructor(editor, overlay) {
    this.#editor = editor;
    this.#overlay = overlay;
    this.#root = editor.element.querySelector(".laid");
    this.#count = this.#root.querySelector(".laid-count");
    const list = this.#root.querySelector(".laid-groups");
    for (const group of overlay.groups) list.append(group.agreed ? this.#agreed(group) : this.#difference(group));
    if (!overlay.groups.length) list.replaceWith(made("p", { className: "hint", textContent: editor.words.laid_none }));
    this.#listen(list);
  }

  #listen(list) {
    list.addEventListener("click", ({ target }) => {
      const control = target.closest("[data-do]");
      if (control) this.#overlay.act(control.dataset.do, control.dataset.of);
    });
    const at = (target) => target.closest?.("[data-version]")?.dataset.version ?? null;
    list.addEventListener("pointerover", ({ target, pointerType }) => { if (pointerType === "mouse") this.#editor.light(at(target)); });
    list.addEventListener("pointerleave", () => this.#editor.light(null));
    list.addEventListener("focusin", ({ target }) => this.#editor.light(at(target)));
    list.addEventListener("focusout", () => this.#editor.light(null));
  }

  #agreed(group) {
    const { words } = this.#editor;
    const [version] = group.versions;
    const item = made("li", { className: "laid-agreed" });
    item.dataset.version = version.name;
    const drop = button("drop", group.index, words.laid_drop, fill(words.laid_agreed, { n: this.#overlay.people, edit: this.#overlay.describe(version) }));
    item.append(...this.#line(version), share(version.people.length, this.#overlay.people, words), drop.element);
    this.#entries.set(group, { item, drop });
    return item;
  }

  #difference(group) {
    const { words } = this.#editor;
    const title = fill(words.laid_difference, { n: group.number });
    const item = made("li", { className: "laid-difference" });
    const head = made("div", { className: "laid-head" });
    const name = made("h3", { textContent: title, id: `laid-${this.#editor.lease}-${group.index}` });
    const state = made("span", { className: "laid-state" });
    head.append(name, state, made("span", { className: "spring" }));
    const reject = button("reject", group.index, words.laid_reject, title);
    const merge = group.versions.length > 1 ? button("merge", group.index, words.laid_merge, title) : null;
    if (merge) head.append(merge.element);
    head.append(reject.element);
    item.append(head);
    if (sameWords(group)) item.append(made("p", { className: "hint laid-note", textContent: words.laid_answers_only }));
    const versions = [];
    const columns = made("div", { className: "laid-columns" });
    columns.append(...this.#columns(group).map((column) => this.#column(column, versions)));
    item.append(columns);
    this.#entries.set(group, { item, state, reject, versions });
    return item;
  }

  // People who marked the same here stand in one column.
  #columns({ versions }) {
    const found = new Map();
    for (let person = 0; person < this.#overlay.people; person += 1) {
      const theirs = versions.filter(({ people }) => people.includes(person));
      const key = theirs.map(({ name }) => name).join();
      if (!found.has(key)) found.set(key, { people: [], versions: theirs });
      found.get(key).people.push(person);
    }
    // Those who marked nothing come last.
    return [...found.values()].sort((a, b) => Number(!a.versions.length) - Number(!b.versions.length));
  }

  #column({ people, versions }, all) {
    const { words } = this.#editor;
    const column = made("div", { className: "laid-column" });
    column.setAttribute("role", "group");
    const who = this.#overlay.letters(people);
    column.setAttribute("aria-label", who);
    const head = made("p", { className: "laid-who" });
    head.append(made("b", { textContent: who }), share(people.length, this.#overlay.people, words));
    column.append(head);
    if (!versions.length) column.append(made("p", { className: "hint", textContent: words.laid_nothing }));
    for (const version of versions) column.append(this.#version(version, people, all));
    return column;
  }

  #version(version, people, all) {
    const { words, edits } = this.#editor;
    const card = made("div", { className: `laid-version look-${edits.operation(version.edits[0]).look}` });
    card.dataset.version = version.name;
    const about = this.#overlay.describe(version);
    const line = made("p", { className: "laid-line" });
    line.append(...this.#line(version));
    // In a column one may stand beside edits that others did not mark.
    if (version.people.length > people.length) line.append(" ", share(version.people.length, this.#overlay.people, words));
    card.append(line);
    const said = this.#editor.said(version.edits[0]);
    if (said) card.append(made("p", { className: "laid-said", textContent: said }));
    if (version.edits.length > 1) card.append(this.#parts(version));
    const accept = button("accept", version.name, words.laid_accept, about);
    const row = made("div", { className: "laid-do" });
    row.append(accept.element, button("redraw", version.name, words.laid_redraw, about).element);
    if (this.#overlay.canTakeApart(version)) row.append(button("apart", version.name, words.laid_apart, about).element);
    card.append(row);
    all.push({ version, card, accept });
    return card;
  }

  #parts({ edits: [, ...parts] }) {
    const { edits, views } = this.#editor;
    const list = made("ul", { className: "laid-parts" });
    for (const part of parts) {
      const item = made("li");
      const { key, look, label } = edits.operation(part);
      const shown = Object.values(views).map((view) => view.words(edits.spans(part, view.side))).filter(Boolean);
      item.append(...tagged(key, look, label), ...quoted(shown));
      list.append(item);
    }
    return list;
  }

  #line(version) {
    const { key, look, label } = this.#editor.edits.operation(version.edits[0]);
    const line = made("span", { className: "laid-words" });
    const shown = this.#overlay.shown(version);
    line.append(...(version.edits.length > 1 ? [label] : quoted(shown)));
    return [...tagged(key, look, version.edits.length > 1 ? "" : label), line];
  }

  draw() {
    const { words } = this.#editor;
    const open = this.#overlay.open.length;
    const all = this.#overlay.differences.length;
    const line = [fill(words.laid_count, { n: all }), all ? (open ? fill(words.laid_open, { n: open }) : words.laid_settled) : ""].filter(Boolean).join(" · ");
    if (this.#count.textContent !== line) this.#count.textContent = line;
    for (const [group, entry] of this.#entries) {
      const state = this.#overlay.state(group);
      if (entry.item.dataset.state !== state) entry.item.dataset.state = state;
      if (group.agreed) entry.drop.say(state === "taken" ? words.laid_drop : words.laid_put_back);
      else this.#mark(entry, state, state === "open" && this.#overlay.mine(group).length > 0);
    }
  }

  // `rest`: something is taken, and more is open.
  #mark({ state: place, reject, versions }, state, rest) {
    const { words } = this.#editor;
    const said = { open: words.laid_state_open, taken: words.laid_state_taken, none: words.laid_state_none }[state];
    if (place.textContent !== said) place.textContent = said;
    reject.press(state === "none");
    reject.say(rest ? words.laid_reject_rest : words.laid_reject);
    for (const { version, card, accept } of versions) {
      const taken = Boolean(this.#overlay.taken(version));
      accept.press(taken);
      accept.say(taken ? words.laid_accepted : words.laid_accept);
      card.classList.toggle("taken", taken);
      card.classList.toggle("wanting", state === "open" && !this.#overlay.settled(version));
    }
  }

  focus(group, name = "") {
    const { item } = this.#entries.get(group);
    const place = item.querySelector(`${name && `[data-version="${name}"] `}[data-do]:not([data-do=merge], [data-do=reject])`) ?? item.querySelector("[data-do]");
    place.focus({ preventScroll: true });
    item.scrollIntoView({ block: "center" });
  }

  // The group that has the focus, or -1.
  here() {
    const item = document.activeElement?.closest?.(".laid-groups > li");
    return [...this.#entries].find(([, entry]) => entry.item === item)?.[0].index ?? -1;
  }
}

function sameWords({ versions }) {
  const words = ({ edits }) => JSON.stringify(edits.map(({ operation, source, rewrite }) => [operation, source, rewrite]));
  return versions.length > 1 && versions.every((one) => words(one) === words(versions[0]));
}

function share(some, all, words) {
  return made("span", { className: "laid-share", textContent: fill(words.laid_of, { n: some, all }) });
}

function tagged(key, look, label) {
  const tag = made("b", { className: `tag look-${look}`, textContent: key.toUpperCase() });
  tag.setAttribute("aria-hidden", "true");
  return label ? [tag, made("span", { className: "visually-hidden", textContent: `${label}: ` })] : [tag];
}

function quoted(shown) {
  return shown.flatMap((text, index) => [...(index ? [" → "] : []), made("bdi", { textContent: text })]);
}

// A button whose name says what it is about, after what it does.
function button(action, of, text, about) {
  const element = made("button", { type: "button", className: "quiet" });
  Object.assign(element.dataset, { do: action, of });
  const label = made("span", { textContent: text });
  element.append(label, made("span", { className: "visually-hidden", textContent: `: ${about}` }));
  return {
    element,
    say: (now) => { if (label.textContent !== now) label.textContent = now; },
    press: (pressed) => element.setAttribute("aria-pressed", String(pressed)),
  };
}
