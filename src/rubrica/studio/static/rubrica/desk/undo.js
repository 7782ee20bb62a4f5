// Taking back the last changes of answers, several levels. One stretch of typing in a field is one change.

const LEVELS = 100;
const STRETCH = 1500;

export class Undo {
  #steps = [];
  #now = new Map();
  #typing = { question: null, at: 0 };

  constructor(blocks) {
    blocks.forEach((block) => this.#now.set(block, block.answers()));
  }

  get possible() {
    return this.#steps.length > 0;
  }

  // After a change of this question.
  changed(block, question) {
    const at = performance.now();
    const goesOn = question.typed && this.#typing.question === question && at - this.#typing.at < STRETCH;
    this.#typing = { question, at };
    if (!goesOn) {
      this.#steps.push({ block, question, answers: this.#now.get(block) });
      if (this.#steps.length > LEVELS) this.#steps.shift();
    }
    this.#now.set(block, block.answers());
  }

  // After answers came from elsewhere: they cannot be taken back here.
  adopted(block) {
    this.#steps = this.#steps.filter((step) => step.block !== block);
    this.#now.set(block, block.answers());
  }

  // Fills in the answers of before; what was taken back, or nothing.
  take() {
    const step = this.#steps.pop();
    if (!step) return null;
    step.block.fill(step.answers);
    this.#typing = { question: null, at: 0 };
    this.#now.set(step.block, step.answers);
    return step;
  }
}
