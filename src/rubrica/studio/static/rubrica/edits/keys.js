// The editor's own keys, heard before the desk's. Letters make edits; with Shift they change the open one.

const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";

export class EditKeys {
  #editor;
  #host;
  #letters;

  constructor(editor, host, signal) {
    this.#editor = editor;
    this.#host = host;
    this.#letters = new Map(editor.edits.scheme.operations.map(({ key, id }) => [key, id]));
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal });
  }

  #pressed(event) {
    const { target } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || target.closest?.(".pop, .guide") || (target !== document.body && !target.closest?.("main"))) return;
    if (this.#run(event, target)) event.preventDefault();
  }

  #run(event, target) {
    const { making } = this.#editor;
    const inside = this.#editor.element.contains(target);
    if (event.key === "Escape") return inside && making.back();
    if (target.matches?.(TYPING)) return false;
    if (event.key === "Enter") return this.#enter(target, inside);
    if (inside && /^Arrow(Up|Down)$/.test(event.key) && target.matches(".edit-head")) return this.#walk(event.key === "ArrowDown");
    if (event.key === "Delete" || event.key === "Backspace") return inside && this.#remove(target);
    return this.#host.shortcuts && !event.repeat && !this.#editor.fixed && this.#letter(event);
  }

  #letter(event) {
    const { making } = this.#editor;
    const key = event.key.toLowerCase();
    const operation = event.key.length === 1 ? this.#letters.get(key) : null;
    if (operation && event.shiftKey) making.become(operation);
    else if (operation) making.make(operation);
    else if (key === "e" || key === "a") making.adjust(key === "a");
    else if (key === "o" && this.#editor.overlay) return this.#editor.overlay.next();
    else return false;
    return true;
  }

  #enter(target, inside) {
    if (!inside || target.closest("button, summary, a")) return false;
    this.#editor.making.goOn();
    return true;
  }

  #remove(target) {
    if (target.closest(".laid")) return false;
    const id = this.#editor.list.idOf(target) ?? this.#editor.open;
    if (!id || target.matches("input, textarea")) return false;
    this.#editor.remove(id);
    return true;
  }

  #walk(down) {
    const heads = [...this.#editor.element.querySelectorAll(".edit-head")];
    heads[heads.indexOf(document.activeElement) + (down ? 1 : -1)]?.focus();
    return true;
  }
}
