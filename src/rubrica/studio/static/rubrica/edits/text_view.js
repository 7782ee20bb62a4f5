// One text on the page: where its stretches stand on the screen, and what stands at a point. Drawn as it is, with nothing
// put between its letters, so that the order of words from right to left stays what it was.

import { letters, units, words } from "./units.js";

export class TextView {
  #nodes = [];
  #rects = new Map();
  #places = new Map();
  #letters = null;
  #space = "";

  constructor(element, text, snap, tokens) {
    this.element = element;
    this.side = element.dataset.side;
    this.text = text;
    this.label = element.querySelector(".text-label").textContent;
    this.body = element.querySelector(".text-body");
    this.units = units(text, snap, tokens);
    this.#fill();
    this.rtl = getComputedStyle(this.body).direction === "rtl";
  }

  letters() {
    this.#letters ??= letters(this.text);
    return this.#letters;
  }

  words(spans) {
    return spans.map(([start, end]) => this.text.slice(start, end)).join(" … ");
  }

  // How many lines of marks stand under and over the words.
  space(below, above) {
    if (this.#space === `${below} ${above}`) return;
    this.#space = `${below} ${above}`;
    this.body.style.setProperty("--below", below);
    this.body.style.setProperty("--above", above);
    this.forget();
  }

  forget() {
    this.#rects.clear();
    this.#places.clear();
  }

  // The boxes of a stretch, one for each line (or more where directions mix), relative to `origin`.
  rects(start, end, origin) {
    const key = `${start}-${end}`;
    if (!this.#rects.has(key)) this.#rects.set(key, this.#measure(start, end, origin));
    return this.#rects.get(key);
  }

  // The unit at a point, or the nearest on its line.
  at(x, y, origin, list = this.units) {
    let best = null;
    let least = Infinity;
    for (const place of this.#placesOf(list, origin)) {
      const far = Math.max(place.top - y, y - place.bottom, 0) * 1000 + Math.max(place.left - x, x - place.right, 0);
      if (far < least) [best, least] = [place, far];
    }
    return best?.unit ?? null;
  }

  // The unit above or below the given one; null at the first or last line.
  beside(unit, down, origin, list = this.units) {
    const [from] = this.rects(...unit, origin);
    const middle = (from.left + from.right) / 2;
    const step = from.bottom - from.top;
    const further = this.#placesOf(list, origin).filter((place) => (down ? place.top - from.top : from.top - place.top) > step / 2);
    if (!further.length) return null;
    const line = further.reduce((near, place) => ((down ? place.top < near : place.top > near) ? place.top : near), further[0].top);
    const off = (place) => Math.abs((place.left + place.right) / 2 - middle);
    return further.filter((place) => Math.abs(place.top - line) < step / 2).sort((a, b) => off(a) - off(b))[0].unit;
  }

  #placesOf(list, origin) {
    if (!this.#places.has(list)) {
      this.#places.set(list, list.flatMap((unit) => this.rects(...unit, origin).map((rect) => ({ ...rect, unit }))));
    }
    return this.#places.get(list);
  }

  #fill() {
    const parts = [];
    let from = 0;
    const add = (node, start, end) => this.#nodes.push({ node, start, end });
    for (const [start, end] of [...words(this.text, true), [this.text.length, this.text.length]]) {
      const plain = document.createTextNode(this.text.slice(from, start));
      parts.push(plain);
      add(plain, from, start);
      if (end > start) {
        const split = document.createElement("span");
        split.className = "split-point";
        split.textContent = this.text.slice(start, end);
        parts.push(split);
        add(split.firstChild, start, end);
      }
      from = end;
    }
    this.body.className = "text-body edit-body-text";
    this.body.replaceChildren(...parts);
  }

  #measure(start, end, origin) {
    const range = document.createRange();
    const put = (offset, which, into) => {
      const part = this.#nodes.find((one) => (into === "start" ? offset < one.end : offset <= one.end)) ?? this.#nodes.at(-1);
      range[which](part.node, offset - part.start);
    };
    put(start, "setStart", "start");
    put(end, "setEnd", "end");
    const merged = [];
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 0.5) continue;
      const one = { left: left - origin.x, right: right - origin.x, top: top - origin.y, bottom: bottom - origin.y };
      const same = merged.find((other) => Math.abs(other.top - one.top) < 4 && one.left <= other.right + 1 && other.left <= one.right + 1);
      if (same) [same.left, same.right] = [Math.min(same.left, one.left), Math.max(same.right, one.right)];
      else merged.push(one);
    }
    return merged;
  }
}
