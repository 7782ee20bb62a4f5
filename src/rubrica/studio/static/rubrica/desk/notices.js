// What the page says: once to whoever listens, or in a box above the work, with something to do about it.

import { steadily } from "./conditions.js";

export class Notices {
  #element;
  #form;
  #said = null;

  constructor(element, form) {
    this.#element = element;
    this.#form = form;
  }

  say(text) {
    if (!this.#said) {
      this.#said = made("p", { className: "visually-hidden", role: "status" });
      this.#element.append(this.#said);
    }
    this.#said.textContent = text ?? "";
  }

  // The same name replaces a box; no text removes it. `action` is { text, href } or { text, run }.
  show(name, text, action) {
    this.#element.querySelector(`.notice[data-notice="${name}"]`)?.remove();
    if (!text) return;
    const box = made("div", { className: "notice warning desk-notice", role: "alert" });
    box.dataset.notice = name;
    box.append(text);
    if (action?.href) box.append(" ", made("a", { href: action.href, textContent: action.text }));
    else if (action) {
      box.append(" ", made("button", { type: "button", textContent: action.text, onclick: action.run }));
    }
    steadily(document.activeElement, () => this.#form.prepend(box));
  }
}

export function made(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

// A text with names in braces filled in.
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
