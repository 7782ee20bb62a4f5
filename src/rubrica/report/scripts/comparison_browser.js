// <rubrica-sentences>: the form above the sentences, what it chooses, and cards a few at a time.
import { card } from "./comparison_cards.js";
import { matches, sorted } from "./comparison_order.js";

const AT_ONCE = 50, SOON = 150;

class RubricaSentences extends HTMLElement {
  connectedCallback() {
    if (this.data) return;
    this.data = JSON.parse(document.getElementById("sentence-data").textContent);
    this.form = this.querySelector("form");
    this.cards = this.querySelector(".cards");
    this.status = this.querySelector("[role=status]");
    this.more = this.querySelector("[data-more]");
    this.only = null;
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", (event) => this.changed(event.target));
    this.form.addEventListener("reset", () => setTimeout(() => this.renew(true)));
    this.more.addEventListener("click", () => this.showMore());
    document.addEventListener("click", (event) => this.followed(event));
    document.getElementById("without-script").remove();
    this.hidden = false;
    this.renew(true);
  }

  // Typing waits a moment, so that each letter does not draw fifty cards.
  changed(field) {
    clearTimeout(this.timer);
    if (field.matches("[type=search], [type=number]")) this.timer = setTimeout(() => this.renew(true), SOON);
    else this.renew(true);
  }

  // A link to one sentence, from the lists of best and worst.
  followed(event) {
    const link = event.target.closest("a[data-sentence]");
    if (!link) return;
    event.preventDefault();
    this.form.reset();
    clearTimeout(this.timer);
    setTimeout(() => {
      this.only = Number(link.dataset.sentence);
      this.renew(false);
      this.cards.firstElementChild?.focus({ preventScroll: true });
      this.scrollIntoView({ block: "start" });
    });
  }

  value(name) {
    return this.form.elements[name]?.value ?? "";
  }

  number(name) {
    const text = this.value(name);
    return text === "" ? null : Number(text);
  }

  get wanted() {
    return {
      only: this.only,
      text: this.value("text").trim().toLocaleLowerCase(),
      from: this.number("from"),
      to: this.number("to"),
      splits: this.number("splits"),
      copies: this.form.elements.copies?.checked ?? false,
      whose: this.number("whose"),
      differ: this.form.elements.differ?.checked ?? false,
    };
  }

  get by() {
    const chosen = this.value("figure");
    const figure = this.data.figures.findIndex((one) => one.key === chosen);
    const against = this.number("against");
    const first = this.value("direction") === "first";
    const rising = figure < 0 || this.data.figures[figure].better === "lower";
    return {
      figure: figure < 0 ? chosen : figure,
      system: this.number("system") ?? 0,
      against: against === this.number("system") ? null : against,
      falling: rising !== first,
    };
  }

  get view() {
    const ticked = (name) => [...this.querySelectorAll(`[name=${name}]:checked`)].map((box) => Number(box.value));
    const several = this.querySelector("[name=shown-system]");
    return { figures: ticked("shown-figure"), systems: several ? ticked("shown-system") : [0] };
  }

  renew(forget) {
    if (forget) this.only = null;
    this.words();
    this.dataset.marks = this.form.querySelector("[name=marks]:checked").value;
    const wanted = this.wanted;
    this.found = sorted(this.data.sentences.filter((one) => matches(one, wanted)), this.by);
    this.cards.replaceChildren();
    this.add();
  }

  // What the two directions are called depends on what is sorted by.
  words() {
    const { figure, system, against } = this.by;
    const name = this.data.systems[system];
    const better = this.data.figures[figure]?.better;
    const [one, other] = figure === "order" ? ["first to last", "last to first"]
      : figure === "words" ? ["shortest first", "longest first"]
      : against !== null && better !== "neither" ? [`${name} most ahead first`, `${name} most behind first`]
      : better === "neither" ? ["highest first", "lowest first"] : ["best first", "worst first"];
    const [up, down] = this.form.elements.direction.options;
    [up.textContent, down.textContent] = [one, other];
    for (const label of this.querySelectorAll("[data-of]")) label.hidden = better === undefined;
  }

  add() {
    const start = this.cards.childElementCount;
    const next = this.found.slice(start, start + AT_ONCE);
    this.cards.append(...next.map((one) => card(one, this.data, this.view)));
    const shown = start + next.length, left = this.found.length - shown;
    const all = this.data.sentences.length.toLocaleString("en");
    this.status.textContent = this.only !== null ? `Sentence chosen from the list, of ${all}.`
      : this.found.length ? `${this.found.length.toLocaleString("en")} of ${all} sentences${left ? `, the first ${shown} shown` : ""}.`
      : `None of ${all} sentences is like this. Loosen a filter, or show all.`;
    this.more.hidden = left <= 0;
    this.more.textContent = `Show ${Math.min(AT_ONCE, left)} more`;
    return start;
  }

  showMore() {
    const start = this.add();
    this.cards.children[start]?.focus();
  }
}

customElements.define("rubrica-sentences", RubricaSentences);
