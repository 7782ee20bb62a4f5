// The form as answers, and back: one Block for each item (lease) of the page, one Question for each fieldset.

const TYPED = new Set(["text", "rewrite", "short_answers"]);

export class Question {
  constructor(element, lease) {
    this.element = element;
    this.lease = lease;
    this.id = element.dataset.question;
    this.kind = element.dataset.kind;
    this.required = "required" in element.dataset;
    this.locked = "locked" in element.dataset;
    this.when = element.dataset.when ? JSON.parse(element.dataset.when) : null;
    this.allowsNone = element.querySelector(".none-text") !== null;
  }

  get inputs() {
    return [...this.element.querySelectorAll("input, textarea")].filter((input) => input.name);
  }

  get hidden() {
    return this.element.hidden;
  }

  get typed() {
    return TYPED.has(this.kind);
  }

  get prompt() {
    return this.element.querySelector("legend").firstChild.textContent.trim();
  }

  // undefined if there is no answer; 0 and "no" are answers.
  get value() {
    const { inputs } = this;
    switch (this.kind) {
      case "ordinal":
      case "yes_no":
      case "choice": {
        const chosen = inputs.find((input) => input.checked)?.value;
        return this.kind === "ordinal" && chosen !== undefined ? Number(chosen) : chosen;
      }
      case "choices": {
        const chosen = inputs.filter((input) => input.checked).map((input) => input.value);
        return chosen.length ? chosen : undefined;
      }
      case "slider":
        return inputs[0] && !inputs[0].hasAttribute("data-unset") ? Number(inputs[0].value) : undefined;
      case "short_answers": {
        const given = different(inputs.map((input) => clean(input.value).trim()).filter(Boolean));
        return given.length ? given : undefined;
      }
      default: {
        const text = clean(inputs[0]?.value ?? "");
        return text.trim() ? text : undefined;
      }
    }
  }

  set value(given) {
    const { inputs } = this;
    const many = Array.isArray(given) ? given.map(String) : [];
    inputs.forEach((input, index) => {
      if (input.type === "radio") input.checked = given !== undefined && input.value === String(given);
      else if (input.type === "checkbox") input.checked = many.includes(input.value);
      else if (input.type === "range") this.#slide(input, given);
      else input.value = this.kind === "short_answers" ? many[index] ?? "" : given ?? "";
    });
    this.#mark();
  }

  // After the person did something to it.
  touched() {
    if (this.kind === "slider") this.#slide(this.inputs[0], Number(this.inputs[0].value));
    this.#mark();
  }

  // Whether it stands in the way of submitting.
  get missing() {
    return this.required && !this.locked && !this.hidden && this.value === undefined
      && !(this.kind === "short_answers" && this.allowsNone);
  }

  focus() {
    const { inputs } = this;
    const first = inputs.find((input) => input.checked) ?? inputs[0];
    (first ?? this.element).focus();
  }

  #slide(input, given) {
    input.toggleAttribute("data-unset", given === undefined);
    if (given === undefined) input.value = String((Number(input.min) + Number(input.max)) / 2);
    else input.value = String(given);
    const output = this.element.querySelector("output");
    if (output) output.value = given === undefined ? output.dataset.unsetText ?? "" : input.value;
  }

  #mark() {
    this.element.classList.toggle("answered", this.value !== undefined);
  }
}

export class Block {
  constructor(section, given, outcome) {
    this.element = section;
    this.lease = section.dataset.lease;
    this.base = Number(section.dataset.base) || 0;
    this.outcome = outcome;
    this.given = given;
    this.questions = [...section.querySelectorAll(".question:not(rubrica-edits *)")].map((element) => new Question(element, this.lease));
    this.byId = new Map(this.questions.map((question) => [question.id, question]));
    // Marks edits, where the protocol has any (edits/editor.js).
    this.editor = null;
  }

  // All that was said, as undo and this device keep it; edits are sent as they are kept.
  get said() {
    return { answers: this.answers(), ...this.marked };
  }

  get marked() {
    return this.editor ? { edits: this.editor.value, became: this.editor.became } : {};
  }

  adopt({ answers, edits, became }) {
    this.fill(answers);
    if (this.editor && edits && !same({ edits, became }, this.marked)) this.editor.adopt(edits, became);
  }

  // What is shown and answered. For submitting, fields left blank mean "none" where that is an answer.
  answers({ submitting = false } = {}) {
    const found = {};
    for (const question of this.questions) {
      if (question.locked || question.hidden) continue;
      const { value } = question;
      if (value !== undefined) found[question.id] = value;
      else if (submitting && question.kind === "short_answers" && question.allowsNone) found[question.id] = [];
    }
    return found;
  }

  // What conditions look at: answers to these questions, and those that rules have given.
  seen(asked) {
    const found = {};
    for (const question of this.questions) {
      const value = question.locked ? this.given[question.id] : asked.has(question.id) ? question.value : undefined;
      if (value !== undefined) found[question.id] = value;
    }
    return found;
  }

  fill(answers) {
    for (const question of this.questions) {
      if (!question.locked) question.value = answers[question.id];
    }
  }
}

// Without what no database can hold: NUL, and halves of surrogate pairs.
function clean(text) {
  const whole = text.replaceAll("\0", "");
  return whole.toWellFormed?.() ?? whole;
}

// Without those that repeat an earlier one, in capitals or not.
function different(texts) {
  const folded = texts.map((text) => text.toLowerCase());
  return texts.filter((text, index) => folded.indexOf(folded[index]) === index);
}

// Whether two say the same; the order of keys does not matter.
export function same(one, other) {
  const sorted = (key, value) => (value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value);
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}
