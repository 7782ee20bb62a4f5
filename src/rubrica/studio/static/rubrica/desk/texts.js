// The texts that are judged: dimmed or covered as the question at hand demands, folded on a phone, differences, layout.

import { steadily } from "./conditions.js";

export class Texts {
  #desk;
  #settings;

  constructor(desk, settings) {
    this.#desk = desk;
    this.#settings = settings;
    const layout = settings.get("layout");
    if (layout && desk.element.querySelector('[data-action="layout"]')) desk.element.dataset.layout = layout;
    desk.element.addEventListener("click", (event) => {
      const text = event.target.closest(".texts .text");
      if (text && !getSelection()?.toString()) this.expand(true);
    });
  }

  // What the question that has the focus must not be influenced by.
  attend(question) {
    const named = (list) => (list ?? "").split(" ").filter(Boolean);
    const dims = named(question?.element.dataset.dims);
    const hides = named(question?.element.dataset.hides);
    for (const text of this.#desk.element.querySelectorAll(".text[data-field]")) {
      text.classList.toggle("dimmed", dims.includes(text.dataset.field));
      text.classList.toggle("hidden-field", hides.includes(text.dataset.field));
    }
  }

  differences() {
    for (const box of this.#desk.element.querySelectorAll('[data-action="differences"]')) box.checked = !box.checked;
  }

  layout() {
    const { element } = this.#desk;
    element.dataset.layout = element.dataset.layout === "side_by_side" ? "stacked" : "side_by_side";
    this.#settings.put("layout", element.dataset.layout);
  }

  expand(on) {
    for (const section of this.#desk.element.querySelectorAll(".texts")) {
      const button = section.querySelector('[data-action="expand"]');
      if (button) steadily(document.activeElement, () => button.setAttribute("aria-expanded", String(on)));
    }
  }
}
