// How much of the screen the two texts have. They stand whole between the bar and the buttons at the foot, in smaller type
// and with closer lines if they must; on a phone a strip keeps the words in question in view below them.

import { made } from "../desk/notices.js";

// The distance of the lines under the words at each size; the type of each is in edits.css.
const PITCHES = [12, 10, 9, 8, 7, 6];
const AROUND = 60;

export class Room {
  #desk;
  #texts;
  #section;
  #foot = document.querySelector(".desk-actions");
  #step = 0;
  #window = "";

  // `desk` holds the texts and what makes edits. Whoever draws sets `changed`.
  constructor(desk, signal) {
    this.#desk = desk;
    this.#texts = desk.querySelector(".edit-texts");
    this.#section = desk.closest(".item");
    this.changed = () => {};
    this.#measure();
    const seen = new ResizeObserver(() => this.#measure());
    if (this.#foot) seen.observe(this.#foot);
    seen.observe(document.querySelector(".desk-form"));
    signal.addEventListener("abort", () => seen.disconnect());
    addEventListener("resize", () => this.#measure(), { signal });
  }

  get pitch() {
    return PITCHES[this.#step];
  }

  // Whether lines are so close that the letters at their beginnings touch.
  get tight() {
    return this.#step > 1;
  }

  // Smaller by one step, if the texts do not fit: whether they were made so.
  tighter() {
    if (this.#step === PITCHES.length - 1 || this.#fits()) return false;
    this.#put(this.#step + 1);
    return true;
  }

  restart() {
    this.#put(0);
  }

  #put(step) {
    this.#step = step;
    this.#texts.dataset.fit = step;
    this.#texts.style.setProperty("--pitch", `${this.pitch}px`);
  }

  #fits() {
    const { scrollHeight, clientHeight } = this.#texts;
    return scrollHeight + this.#desk.offsetHeight - clientHeight <= this.#height + 1;
  }

  // Another width, or a height that is quite another (a phone hides its address bar as one scrolls), begins anew.
  #measure() {
    const top = Math.min(240, this.#section.getBoundingClientRect().top + scrollY);
    const foot = this.#foot && getComputedStyle(this.#foot).position === "sticky" ? this.#foot.offsetHeight : 0;
    this.#height = innerHeight - top - foot;
    const now = `${document.querySelector(".desk-form").clientWidth} ${Math.round(this.#height / AROUND)}`;
    if (this.#window === now) return;
    this.#window = now;
    this.#desk.style.setProperty("--room", `${this.#height}px`);
    this.#section.style.setProperty("--foot", `${foot}px`);
    this.restart();
    this.changed();
  }

  #height = 0;
}

// Under the texts, where they are above the rest of the page: that there is more below, and once they are out of sight a
// strip at the top with the words in question, which leads back.

export class Strip {
  #editor;
  #bar;
  #more;
  #shown = "";

  constructor(editor, signal) {
    this.#editor = editor;
    const { element, words } = editor;
    const desk = element.querySelector(".edit-desk");
    const side = element.querySelector(".edit-side");
    this.#bar = made("button", { type: "button", className: "edit-strip", hidden: true });
    this.#more = made("button", { type: "button", className: "edit-more quiet", hidden: true });
    element.prepend(this.#bar);
    element.querySelector(".edit-hand").append(this.#more);
    this.#bar.setAttribute("aria-label", words.edit_to_texts);
    this.#bar.addEventListener("click", () => desk.scrollIntoView({ block: "start" }));
    this.#more.addEventListener("click", () => this.#goOn(desk.querySelector(".edit-texts"), side));
    const look = () => this.#look(desk, side);
    addEventListener("scroll", look, { signal, passive: true });
    addEventListener("resize", look, { signal });
    desk.querySelector(".edit-texts").addEventListener("scroll", look, { signal, passive: true });
    this.look = look;
  }

  #look(desk, side) {
    const below = side.getBoundingClientRect().left < desk.getBoundingClientRect().right;
    const texts = desk.querySelector(".edit-texts");
    this.#bar.hidden = !below || desk.getBoundingClientRect().bottom > 80;
    if (!this.#bar.hidden) this.draw();
    const inside = texts.scrollTop + texts.clientHeight < texts.scrollHeight - 2;
    const hand = this.#more.parentElement.getBoundingClientRect();
    const further = below && side.getBoundingClientRect().top >= hand.bottom - 2 && hand.bottom >= innerHeight - 120;
    this.#more.hidden = !inside && !further;
    const { words } = this.#editor;
    const text = inside ? words.edit_more_text : this.#editor.below();
    if (this.#more.textContent !== text) this.#more.textContent = text;
  }

  #goOn(texts, side) {
    if (texts.scrollTop + texts.clientHeight < texts.scrollHeight - 2) texts.scrollBy({ top: texts.clientHeight * 0.7 });
    else side.scrollIntoView({ block: "start" });
  }

  // What makes edits appears at the foot of the screen: the words that were chosen are not left under it.
  uncover(boxes) {
    const hand = this.#more.parentElement;
    if (!boxes.length || getComputedStyle(hand).position !== "sticky") return;
    const under = Math.max(...boxes.map(({ bottom }) => bottom)) + 12 - hand.getBoundingClientRect().top;
    if (under > 0) scrollBy({ top: under, behavior: "instant" });
  }

  // Both texts around the words in question, or their beginnings.
  draw() {
    if (this.#bar.hidden) return;
    const rows = this.#editor.inQuestion();
    const shown = JSON.stringify(rows);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#bar.replaceChildren(...rows.map(({ before, words, after }) => {
      const row = made("bdi", { className: "edit-strip-text" });
      row.append(before, ...(words ? [made("mark", { textContent: words })] : []), after);
      return row;
    }));
  }
}
