// Offsets are UTF-16 units inside the page and code points outside of it. They part at the first astral character.

export class Offsets {
  #points = null;
  #units = null;

  constructor(text) {
    if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return;
    this.#points = [];
    this.#units = [];
    let unit = 0;
    for (const character of text) {
      for (let half = 0; half < character.length; half += 1) this.#points.push(this.#units.length);
      this.#units.push(unit);
      unit += character.length;
    }
    this.#points.push(this.#units.length);
    this.#units.push(unit);
  }

  toPoints(spans) {
    return this.#points ? spans.map((span) => span.map((unit) => this.#points[unit])) : spans;
  }

  toUnits(spans) {
    return this.#units ? spans.map((span) => span.map((point) => this.#units[point] ?? this.#units.at(-1))) : spans;
  }
}
