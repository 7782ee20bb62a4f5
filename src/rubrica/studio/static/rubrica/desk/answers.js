// Answers on the page: the form as answers and back, which questions are asked, and taking changes back.

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
    // Whether the server may ask about its text before it is submitted; it keeps that `doubt`, and what was `meant`.
    this.asks = "asks" in element.dataset;
    this.when = element.dataset.when ? JSON.parse(element.dataset.when) : null;
    // The box that says that there is none, beside boxes that may be left blank.
    this.none = element.querySelector(".none-choice input");
    // The text that the box holds from the start, and whether anybody has been there since.
    this.start = element.querySelector("[data-filled]")?.dataset.from;
    this.visited = false;
    if (this.start) element.addEventListener("focusin", () => { this.visited = true; });
  }

  // Nobody has said anything to it yet: no answer, or only the text that its box came with.
  get open() {
    const { value } = this;
    return value === undefined || (this.start !== undefined && !this.visited && value === this.start);
  }

  get inputs() {
    return [...this.element.querySelectorAll("input, textarea")].filter((input) => input.name && input !== this.none);
  }

  // Whether one touch answers it for good.
  get single() {
    return !this.typed && this.kind !== "choices";
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
        const given = different(this.written);
        return given.length ? given : this.none?.checked ? [] : undefined;
      }
      default: {
        const text = clean(inputs[0]?.value ?? "");
        return text.trim() ? text : undefined;
      }
    }
  }

  // What stands in the boxes of short answers, repetitions and all.
  get written() {
    return this.inputs.map((input) => clean(input.value).trim()).filter(Boolean);
  }

  set value(given) {
    const { inputs } = this;
    const many = Array.isArray(given) ? given.map(String) : [];
    if (this.none) this.none.checked = Array.isArray(given) && !given.length;
    inputs.forEach((input, index) => {
      if (input.type === "radio") input.checked = given !== undefined && input.value === String(given);
      else if (input.type === "checkbox") input.checked = many.includes(input.value);
      else if (input.type === "range") this.#slide(input, given);
      else input.value = this.kind === "short_answers" ? many[index] ?? "" : given ?? "";
    });
    this.#mark();
  }

  // After the person did something to one of its inputs. Words and "there is none" exclude each other.
  touched(input) {
    if (this.kind === "slider") this.#slide(this.inputs[0], Number(this.inputs[0].value));
    if (this.none && input !== this.none && input.value.trim()) this.none.checked = false;
    else if (this.none?.checked) this.inputs.forEach((box) => { box.value = ""; });
    this.#mark();
  }

  // Whether it stands in the way of submitting.
  get missing() {
    return this.required && !this.locked && !this.hidden && this.open;
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
    return this.editor ? { edits: this.editor.value, became: this.editor.became, together: this.editor.together } : {};
  }

  adopt({ answers, edits, became, together }) {
    this.fill(answers);
    if (this.editor && edits && !same({ edits, became, together }, this.marked)) this.editor.adopt(edits, became, together);
  }

  // What is shown and answered; with repeated words, too, for the remarks on them.
  answers({ repeated = false } = {}) {
    const found = {};
    for (const question of this.questions) {
      if (question.locked || question.hidden) continue;
      const value = repeated && question.kind === "short_answers" ? question.written : question.value;
      if (value !== undefined) found[question.id] = value;
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

// Which questions are asked, given the answers so far. The same rules as core/conditions.py, on the same data.

// `operation` is that of the edit whose type is looked for.
export function holds(condition, answers, operation = "") {
  if (condition.all) return condition.all.every((part) => holds(part, answers, operation));
  if (condition.any) return condition.any.some((part) => holds(part, answers, operation));
  if (condition.not) return !holds(condition.not, answers, operation);
  if (condition.operation) return condition.operation.includes(operation);
  const value = answers[condition.question];
  if (condition.answered) return value !== undefined;
  if (condition.includes) return Array.isArray(value) && condition.includes.some((option) => value.includes(option));
  return value !== undefined && condition.is.some((wanted) => JSON.stringify(wanted) === JSON.stringify(value));
}

// Shows and hides the questions of a block. Which are asked is found out first, answer by answer; only then do those that
// are not lose their answers, so that a chain of questions filled in at once (undo, another tab) keeps its end.
export function settle(block) {
  const visible = asked(block.questions, (ids) => block.seen(ids));
  for (const question of block.questions) {
    const hide = !visible.has(question.id);
    if (hide === question.hidden && !(hide && question.value !== undefined)) continue;
    question.element.hidden = hide;
    if (hide || question.start) question.value = hide ? undefined : question.value ?? question.start;
  }
}

// The ids of the questions that are asked; `seen(ids)` gives the answers that conditions look at if those are.
export function asked(questions, seen) {
  let found = new Set();
  for (let round = 0; round <= questions.length; round += 1) {
    const answers = seen(found);
    const now = questions.filter(({ when }) => !when || holds(when, answers)).map(({ id }) => id);
    if (now.length === found.size && now.every((id) => found.has(id))) break;
    found = new Set(now);
  }
  return found;
}

// Does something to the page while what the person is at stays where it is on the screen.
export function steadily(anchor, change) {
  const before = anchor?.isConnected ? anchor.getBoundingClientRect().top : null;
  const result = change();
  if (before !== null && anchor.isConnected && anchor.getClientRects().length) {
    const moved = anchor.getBoundingClientRect().top - before;
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
  }
  return result;
}

// Taking back the last changes of answers and edits, several levels, and doing them again. One stretch of typing in a
// field is one change.

const LEVELS = 200;
const STRETCH = 1500;

export class Undo {
  #back = [];
  #forth = [];
  #now = new Map();
  #typing = { question: null, at: 0 };

  constructor(blocks) {
    blocks.forEach((block) => this.#now.set(block, snapshot(block)));
  }

  // What can be done now.
  get possible() {
    return { undo: this.#back.length > 0, redo: this.#forth.length > 0 };
  }

  // After a change of this question, or of edits.
  changed(block, question) {
    const at = performance.now();
    const goesOn = question?.typed && this.#typing.question === question && at - this.#typing.at < STRETCH;
    this.#typing = { question, at };
    if (!goesOn) {
      this.#back.push({ block, question, before: this.#now.get(block) });
      if (this.#back.length > LEVELS) this.#back.shift();
    }
    this.#forth = [];
    this.#now.set(block, snapshot(block));
  }

  // After answers came from elsewhere: they cannot be taken back here.
  adopted(block) {
    this.#back = this.#back.filter((step) => step.block !== block);
    this.#forth = this.#forth.filter((step) => step.block !== block);
    this.#now.set(block, snapshot(block));
  }

  // Fills in what was said before (or, with `again`, after); the change, or nothing.
  take(again = false) {
    const [from, to] = again ? [this.#forth, this.#back] : [this.#back, this.#forth];
    const step = from.pop();
    if (!step) return null;
    const { block, before } = step;
    to.push({ ...step, before: this.#now.get(block) });
    block.fill(before.answers);
    if (block.editor && before.edits !== block.editor.state) block.editor.restore(before.edits);
    this.#typing = { question: null, at: 0 };
    this.#now.set(block, before);
    return step;
  }
}

function snapshot(block) {
  return { answers: block.answers(), edits: block.editor?.state };
}
