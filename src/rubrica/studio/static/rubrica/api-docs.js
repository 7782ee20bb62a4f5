// The page of the API. Without script it is a plain list; with it, a box finds operations, and a link to one opens it.
class RubricaApiDocs extends HTMLElement {
  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    this.operations = [...this.querySelectorAll(".api-operation")];
    this.addBox();
    this.open();
    addEventListener("hashchange", () => this.open());
  }

  addBox() {
    const label = document.createElement("label");
    label.className = "api-find";
    label.textContent = this.dataset.label;
    this.box = document.createElement("input");
    this.box.type = "search";
    label.append(this.box);
    this.none = document.createElement("p");
    this.none.className = "soft";
    this.none.setAttribute("role", "status");
    this.prepend(label, this.none);
    this.box.addEventListener("input", () => this.find());
  }

  find() {
    const words = this.box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const operation of this.operations) {
      const text = operation.querySelector("summary").textContent.toLowerCase();
      operation.hidden = !words.every((word) => text.includes(word));
      shown += operation.hidden ? 0 : 1;
    }
    for (const group of this.querySelectorAll(".api-group")) {
      group.hidden = !group.querySelector(".api-operation:not([hidden])");
    }
    this.none.textContent = shown ? "" : this.dataset.none;
  }

  open() {
    const id = decodeURIComponent(location.hash.slice(1));
    const operation = this.operations.find((one) => one.id === id);
    if (operation) operation.open = true;
  }
}

customElements.define("rubrica-api-docs", RubricaApiDocs);
