// The questions about the edit that is open: copies of the page's templates, filled with its answers.

import { Question } from "../desk/answers.js";
import { settle } from "../desk/conditions.js";

export class Tree {
  #templates;
  #lease;
  #labels = new Map();

  constructor(element, lease) {
    this.#lease = lease;
    this.#templates = new Map([...element.querySelectorAll("template[data-question]")]
      .map((template) => [template.dataset.question, template]));
  }

  // What the model must know of each question.
  get known() {
    return new Map([...this.#templates.keys()].map((id) => {
      const { when, required } = this.#question(id);
      return [id, { when, required, title: this.#templates.get(id).dataset.title }];
    }));
  }

  // The questions of an operation as fields, with these answers. `seen(ids)` are the answers that conditions look at.
  open({ questions, preset }, answers, owner) {
    const made = questions.map((id) => Object.assign(this.#question(id), { owner }));
    const block = {
      questions: made,
      seen: (ids) => {
        const given = made.filter(({ id, value }) => ids.has(id) && value !== undefined).map(({ id, value }) => [id, value]);
        return { ...Object.fromEntries(given), ...preset };
      },
    };
    for (const question of made) question.value = answers[question.id];
    settle(block);
    return block;
  }

  settle(block) {
    settle(block);
  }

  // An answer as it is read.
  words(id, value) {
    if (!this.#labels.has(id)) {
      const inputs = this.#templates.get(id).content.querySelectorAll("input[value]");
      const label = (input) => input.closest(".option")?.querySelector("bdi").textContent ?? input.value;
      this.#labels.set(id, new Map([...inputs].map((input) => [input.value, label(input)])));
    }
    const labels = this.#labels.get(id);
    return [value].flat().map((one) => labels.get(String(one)) ?? one).join(", ");
  }

  #question(id) {
    return new Question(this.#templates.get(id).content.firstElementChild.cloneNode(true), this.#lease);
  }
}
