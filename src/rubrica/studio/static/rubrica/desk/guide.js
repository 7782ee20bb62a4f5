// The guidelines beside the work, at the section of the question that one is at.

export class Guide {
  #aside;
  #body;
  #buttons;
  #loaded = null;

  constructor(element) {
    this.#aside = element.querySelector("aside.guide");
    this.#body = this.#aside?.querySelector(".guide-body") ?? this.#aside;
    this.#buttons = element.querySelectorAll('[data-action="guide"]');
  }

  get open() {
    return this.#aside !== null && !this.#aside.hidden;
  }

  get address() {
    return this.#aside?.dataset.url ?? "";
  }

  async toggle(question) {
    if (!this.#aside) return;
    if (this.open) {
      this.close();
      return;
    }
    this.#aside.hidden = false;
    this.#buttons.forEach((button) => button.setAttribute("aria-expanded", "true"));
    await this.#load();
    this.turnTo(question);
  }

  close() {
    if (!this.open) return;
    const had = this.#aside.contains(document.activeElement);
    this.#aside.hidden = true;
    this.#buttons.forEach((button) => button.setAttribute("aria-expanded", "false"));
    if (had) this.#buttons[0]?.focus();
  }

  // Opens at the section of this question. Sections have the ids of questions, after "guide-" where the page needs it.
  turnTo(question) {
    if (!this.open || !question) return;
    const place = [question.id, `guide-${question.id}`]
      .map((id) => this.#body.querySelector(`#${CSS.escape(id)}`)).find(Boolean);
    this.#body.querySelectorAll(".here").forEach((part) => part.classList.remove("here"));
    if (!place) return;
    place.classList.add("here");
    const scroller = this.#body.scrollHeight > this.#body.clientHeight + 1 ? this.#body : this.#aside;
    scroller.scrollTop += place.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 8;
  }

  #load() {
    if (!this.address || this.#body.childElementCount) return Promise.resolve();
    this.#loaded ??= fetch(this.address)
      .then(async (response) => {
        if (!response.ok) throw new Error(response.statusText);
        // Our own server's text, cleaned there.
        this.#body.innerHTML = await response.text();
      })
      .catch(() => { this.#loaded = null; });
    return this.#loaded;
  }
}
