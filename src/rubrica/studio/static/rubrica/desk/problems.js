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
    return this.#desk.blocks.flatMap(({ lease, questions, editor }) => [
      ...(editor?.problems() ?? []),
      ...questions.filter((question) => question.missing)
        .map((question) => ({ lease, question: question.id, what: this.#plea(question) })),
    ]);
  }

  show(problems) {
    this.clear();
    this.#known = problems.map((problem) => this.#placed(problem));
    for (const { question, what } of this.#known) if (question) this.#at(question, what);
    this.#list();
    if (this.#known.some(({ question }) => question?.kind === "rewrite" && question.value !== undefined)) {
      this.#desk.element.querySelector("details.ways-out")?.setAttribute("open", "");
    }
    const first = this.#known.find(({ question, edit, go }) => question || edit || go);
    if (first) this.#go(first);
    else this.#summary?.scrollIntoView({ block: "nearest" });
  }

  // After a change of this question, of the edits of this block, or of all.
  clear(question, block) {
    for (const one of question ? [question] : block ? [] : this.#desk.questions) {
      const place = one.element.querySelector(".problem");
      if (!place || place.hidden) continue;
      place.hidden = true;
      place.textContent = "";
      one.element.classList.remove("wrong");
      one.inputs.forEach((input) => input.removeAttribute("aria-invalid"));
    }
    if (!this.#summary) return;
    if ((question || block) && !this.#summary.hidden) queueMicrotask(() => this.#again(question));
    else this.#list([]);
  }

  // What is left after an answer: the earlier problems that still stand, and what the answer made necessary.
  #again(answered) {
    const still = this.#known.filter(({ question }) => question && question !== answered && !question.hidden);
    const further = this.found().map((one) => this.#placed(one));
    this.#known = [...still, ...further.filter((one) => one.edit || one.go || !still.some(({ question }) => question === one.question))];
    this.#list();
  }

  // A problem with the question, or the edit, to which it leads; or it knows itself where to go.
  #placed({ lease, question: id, edit: name, what, go }) {
    if (go) return { go, what };
    const block = this.#desk.blocks.find((one) => one.lease === lease);
    const edit = name && block?.editor?.edits.get(name);
    if (edit) return { edit, editor: block.editor, id, what };
    const question = block?.byId.get(id);
    return { question: question?.hidden ? null : question, what };
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
    const missing = known.every(({ question, edit, go }) => !edit && !go && question?.value === undefined);
    const one = missing ? this.#words.missing_one : this.#words.wrong_one;
    const many = missing ? this.#words.missing_many : this.#words.wrong_many;
    const head = made("p", { textContent: known.length === 1 ? one : many.replace("{n}", known.length) });
    const list = made("ul");
    for (const one of known) {
      const line = made("li");
      line.append(one.question || one.edit || one.go ? this.#link(one) : one.what);
      list.append(line);
    }
    this.#summary.replaceChildren(head, list);
  }

  #link(known) {
    const { question, edit, editor, what } = known;
    const text = question ? question.prompt : edit ? `${editor.name(edit)}: ${what}` : what;
    const link = made("a", { href: `#${question?.element.id ?? ""}`, textContent: text });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.#go(known);
    });
    return link;
  }

  #go({ question, edit, editor, id, go }) {
    if (go) {
      go();
      return;
    }
    if (edit) {
      editor.point(edit.id, id);
      return;
    }
    question.focus();
    question.element.scrollIntoView({ block: "center" });
  }

  #plea(question) {
    const words = this.#words;
    if (question.kind === "slider") return words.please_slide;
    return question.typed ? words.please_write : words.please_choose;
  }
}
