// One hand on the keyboard does everything. Single keys can be switched off, and are silent while one types.

const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";

export class Keyboard {
  #desk;
  #settings;

  constructor(desk, settings, signal) {
    this.#desk = desk;
    this.#settings = settings;
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    const box = desk.element.querySelector('input[data-action="shortcuts"]');
    if (box) {
      box.checked = this.on;
      box.addEventListener("change", () => {
        settings.put("shortcuts", box.checked ? "on" : "off");
        desk.element.dataset.shortcuts = box.checked ? "on" : "off";
        desk.notices.say(box.checked ? desk.words.shortcuts_on : desk.words.shortcuts_off);
      });
    }
    desk.element.dataset.shortcuts = this.on ? "on" : "off";
  }

  get on() {
    return (this.#settings.get("shortcuts") ?? "on") !== "off";
  }

  #pressed(event) {
    if (event.defaultPrevented || event.isComposing || !this.#mine(event.target)) return;
    if (event.altKey && !event.ctrlKey && !event.metaKey) this.#withAlt(event);
    else if (event.ctrlKey || event.metaKey) this.#withControl(event);
    else if (event.key === "Escape") this.#desk.close();
    else if (event.key === "Enter") this.#enter(event);
    else if (this.on && !event.repeat && !isTyping(event.target)) this.#single(event);
  }

  #mine(target) {
    return !document.querySelector("dialog[open]") && (target === document.body || target.closest?.("main"));
  }

  #withAlt(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    // On a Mac these move by words in a text.
    if (isTyping(event.target) && /Mac|iP/.test(navigator.platform)) return;
    // The browser would leave the page through its history.
    event.preventDefault();
    this.#desk.go(event.key === "ArrowLeft" ? "back" : "forward");
  }

  #withControl(event) {
    if (event.key === "Enter" && !event.target.closest?.(".pop")) {
      event.preventDefault();
      this.#desk.submit();
    } else if (/^[zy]$/i.test(event.key) && !isTyping(event.target)) {
      event.preventDefault();
      this.#desk.undo(event.shiftKey || event.key.toLowerCase() === "y");
    }
  }

  #enter(event) {
    if (event.target.closest?.("textarea, a, button, summary, select, .pop, .annotator-menu") || event.repeat) return;
    // Where edits are marked, Enter goes from edit to edit.
    if (this.#desk.blocks.some(({ editor }) => editor)) return;
    event.preventDefault();
    this.#desk.submit();
  }

  #single(event) {
    const desk = this.#desk;
    const actions = {
      g: () => desk.guide.toggle(desk.current),
      d: () => desk.texts.differences(),
      u: () => desk.undo(),
      f: () => desk.unfold("details.flag"),
      s: () => desk.unfold("details.ways-out"),
      "?": () => desk.showKeys(),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[0-9]$/.test(key)) {
      if (!this.#digit(key)) return;
    } else if (key === "y" || key === "n") {
      if (!this.#choose(key === "y" ? "yes" : "no")) return;
    } else if (actions[key]) actions[key]();
    else return;
    event.preventDefault();
  }

  #digit(digit) {
    const question = this.#desk.current;
    if (!question || question.locked || question.typed) return false;
    const { inputs } = question;
    if (question.kind === "slider") {
      const [input] = inputs;
      if (Number(digit) < Number(input.min) || Number(digit) > Number(input.max)) return false;
      input.value = digit;
      this.#answered(question, input);
      return true;
    }
    const byKey = inputs.some((input) => input.dataset.key);
    const input = byKey ? inputs.find((one) => one.dataset.key === digit) : inputs[Number(digit) - 1];
    if (!input) return false;
    input.checked = question.kind === "choices" ? !input.checked : true;
    this.#answered(question, input);
    return true;
  }

  #choose(value) {
    const question = this.#desk.current;
    if (question?.kind !== "yes_no") return false;
    const input = question.inputs.find((one) => one.value === value);
    if (!input) return false;
    input.checked = true;
    this.#answered(question, input);
    return true;
  }

  #answered(question, input) {
    // Whoever answers about an edit with the caret in the text goes on there.
    const stays = document.activeElement?.closest?.(".edit-texts");
    if (!stays) input.focus({ preventScroll: true });
    input.dispatchEvent(new Event(input.type === "range" ? "input" : "change", { bubbles: true }));
    if (question.kind === "choices") return;
    const next = this.#desk.nextUnanswered(question);
    if (stays) this.#desk.attend(next);
    else next?.focus();
  }
}

function isTyping(target) {
  return target.matches?.(TYPING);
}
