// "Cannot submit" always says why and goes there: each problem at its question, all of them in a list of links.

import { made } from "./notices.js";

export class Problems {
  #desk;
  #summary;
  #words;
  #known = [];

  constructor(desk) {
    this.#desk = desk;
    this.#words = desk.words;
    this.#summary = desk.element.querySelector(".summary-problems");
  }

  // What the page itself can see before it asks the server.
  found() {
    return this.#desk.questions.filter((question) => question.missing)
      .map((question) => ({ lease: question.lease, question: question.id, what: this.#plea(question) }));
  }

  show(problems) {
    this.clear();
    const known = [];
    for (const problem of problems) {
      const question = this.#desk.question(problem.lease, problem.question);
      if (question && !question.hidden) this.#at(question, problem.what);
      known.push({ question: question?.hidden ? null : question, what: problem.what });
    }
    this.#known = known;
    this.#list();
    if (known.some(({ question }) => question?.kind === "rewrite" && question.value !== undefined)) {
      this.#desk.element.querySelector("details.ways-out")?.setAttribute("open", "");
    }
    const first = known.find(({ question }) => question)?.question;
    if (first) this.#go(first);
    else this.#summary?.scrollIntoView({ block: "nearest" });
  }

  clear(question) {
    for (const one of question ? [question] : this.#desk.questions) {
      const place = one.element.querySelector(".problem");
      if (!place || place.hidden) continue;
      place.hidden = true;
      place.textContent = "";
      one.element.classList.remove("wrong");
      one.inputs.forEach((input) => input.removeAttribute("aria-invalid"));
    }
    if (!this.#summary) return;
    if (question && !this.#summary.hidden) queueMicrotask(() => this.#again(question));
    else this.#list([]);
  }

  // What is left after an answer: the earlier problems that still stand, and what the answer made necessary.
  #again(answered) {
    const still = this.#known.filter(({ question }) => question && question !== answered && !question.hidden);
    const further = this.found().map((one) => ({ ...one, question: this.#desk.question(one.lease, one.question) }));
    this.#known = [...still, ...further.filter((one) => !still.some(({ question }) => question === one.question))];
    this.#list();
  }

  #at(question, what) {
    const place = question.element.querySelector(".problem");
    if (place) {
      place.textContent = what;
      place.hidden = false;
    }
    question.element.classList.add("wrong");
    question.inputs.forEach((input) => input.setAttribute("aria-invalid", "true"));
  }

  #list(known = this.#known) {
    if (!this.#summary) return;
    this.#summary.hidden = !known.length;
    if (!known.length) {
      this.#summary.replaceChildren();
      return;
    }
    const missing = known.every(({ question }) => question?.value === undefined);
    const one = missing ? this.#words.missing_one : this.#words.wrong_one;
    const many = missing ? this.#words.missing_many : this.#words.wrong_many;
    const head = made("p", { textContent: known.length === 1 ? one : many.replace("{n}", known.length) });
    const list = made("ul");
    for (const { question, what } of known) {
      const line = made("li");
      line.append(question ? this.#link(question) : what);
      list.append(line);
    }
    this.#summary.replaceChildren(head, list);
  }

  #link(question) {
    const link = made("a", { href: `#${question.element.id}`, textContent: question.prompt });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.#go(question);
    });
    return link;
  }

  #go(question) {
    question.focus();
    question.element.scrollIntoView({ block: "center" });
  }

  #plea(question) {
    const words = this.#words;
    if (question.kind === "slider") return words.please_slide;
    return question.typed ? words.please_write : words.please_choose;
  }
}
