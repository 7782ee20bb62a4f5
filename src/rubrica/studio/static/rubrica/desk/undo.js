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
