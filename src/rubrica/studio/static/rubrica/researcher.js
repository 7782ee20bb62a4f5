// What researchers' pages do beyond links and forms. Every text comes from the page, in data attributes.

// <rubrica-copy data-from="#id" data-done="Copied"><button type="button" hidden>Copy</button></rubrica-copy>
// Copies the text (or the value) of an element, or data-text. Without script the button stays hidden.
class RubricaCopy extends HTMLElement {
  connectedCallback() {
    this.button = this.querySelector("button");
    if (!this.button || this.ready) return;
    this.ready = true;
    this.said = document.createElement("span");
    this.said.className = "copied";
    this.said.setAttribute("role", "status");
    this.append(this.said);
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.copy());
  }

  get source() {
    return this.dataset.from ? document.querySelector(this.dataset.from) : null;
  }

  get text() {
    const from = this.source;
    return from ? (from.value ?? from.textContent).trim() : this.dataset.text ?? "";
  }

  async copy() {
    const done = await this.write(this.text);
    this.said.textContent = done ? this.dataset.done : this.dataset.failed ?? "";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.said.textContent = ""; }, 2500);
  }

  // The clipboard needs https or this machine; elsewhere the browser's older way still works.
  async write(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.createElement("textarea");
      field.className = "visually-hidden";
      field.value = text;
      this.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      this.button.focus();
      return done;
    }
  }
}

// <rubrica-table data-filter="Filter" data-count="{shown} of {all}"><table>…</table></rubrica-table>
// Headers become buttons that sort; with data-filter, a box above the table filters. A cell sorts by data-sort,
// else by its text; <th data-fixed> does not sort. Without script it is a plain table.
class RubricaTable extends HTMLElement {
  connectedCallback() {
    if (this.ready) return;
    this.table = this.querySelector("table");
    this.body = this.table?.tBodies[0];
    if (!this.body) return;
    this.ready = true;
    this.heads = [...(this.table.tHead?.rows[this.table.tHead.rows.length - 1]?.cells ?? [])];
    this.heads.forEach((head, column) => this.makeSortable(head, column));
    if (this.dataset.filter && this.body.rows.length > 5) this.addFilter();
  }

  makeSortable(head, column) {
    if ("fixed" in head.dataset || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => this.sort(column));
  }

  sort(column) {
    const head = this.heads[column];
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of this.heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = new Intl.Collator(document.documentElement.lang, { numeric: true, sensitivity: "base" });
    const keyed = [...this.body.rows].map((row) => [this.key(row, column), row]);
    const numbers = keyed.every(([key]) => key === "" || Number.isFinite(Number(key)));
    // What is missing stays last, in both directions.
    keyed.sort(([one], [other]) => {
      if (one === "" || other === "") return (one === "") - (other === "");
      const result = numbers ? Number(one) - Number(other) : order.compare(one, other);
      return down ? -result : result;
    });
    this.body.append(...keyed.map(([, row]) => row));
  }

  key(row, column) {
    const cell = row.cells[column];
    return cell ? (cell.dataset.sort ?? cell.textContent).trim() : "";
  }

  addFilter() {
    const box = document.createElement("div");
    box.className = "table-filter";
    const label = document.createElement("label");
    label.textContent = this.dataset.filter;
    const field = document.createElement("input");
    field.type = "search";
    label.append(field);
    this.said = document.createElement("span");
    this.said.className = "soft small";
    this.said.setAttribute("role", "status");
    box.append(label, this.said);
    this.prepend(box);
    field.addEventListener("input", () => this.filter(field.value));
  }

  filter(text) {
    const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of this.body.rows) {
      const content = row.textContent.toLocaleLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    const template = this.dataset.count ?? "";
    this.said.textContent = words.length
      ? template.replace("{shown}", shown).replace("{all}", this.body.rows.length) : "";
  }
}

// <form data-confirm="Question?" data-yes="Remove" data-no="Cancel">, or the same on its button: asks first.
// Without script the form is sent at once; what it does can be undone on the next page.
function askFirst(event) {
  const form = event.target;
  const asks = [event.submitter, form].find((element) => element?.dataset.confirm);
  if (!asks || form.dataset.confirmed) {
    delete form.dataset.confirmed;
    return;
  }
  event.preventDefault();
  const { confirm: question, yes, no } = asks.dataset;
  const dialog = document.createElement("dialog");
  dialog.className = "confirm";
  const title = document.createElement("p");
  title.id = `confirm-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  title.textContent = question;
  dialog.setAttribute("aria-labelledby", title.id);
  const actions = document.createElement("div");
  actions.className = "actions";
  const go = document.createElement("button");
  go.type = "button";
  go.className = "danger";
  go.textContent = yes;
  const stay = document.createElement("button");
  stay.type = "button";
  stay.autofocus = true;
  stay.textContent = no;
  actions.append(go, stay);
  dialog.append(title, actions);
  document.body.append(dialog);
  go.addEventListener("click", () => {
    dialog.close();
    form.dataset.confirmed = "yes";
    form.requestSubmit(event.submitter ?? undefined);
  });
  stay.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => { dialog.remove(); event.submitter?.focus(); });
  dialog.showModal();
}

// A form that writes is sent once, however often its button is pressed; a while later it is free again. Another button
// of it is another wish: a download leaves the page where it is, and what follows it must not be lost.
function sendOnce(event) {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post")) return;
  const button = `${event.submitter?.name ?? ""}=${event.submitter?.value ?? ""}`;
  if (form.dataset.sent === button) event.preventDefault();
  form.dataset.sent = button;
  setTimeout(() => { delete form.dataset.sent; }, 5000);
}

// A part of a page for which the studio was too busy is asked for again, unless it looks for news anyway.
function again({ detail: { xhr, elt, requestConfig: { verb, path } } }) {
  if (xhr.status !== 503 || /every|rubrica:look/.test(elt.getAttribute("hx-trigger"))) return;
  const seconds = Number(xhr.getResponseHeader("Retry-After")) || 3;
  setTimeout(() => { if (elt.isConnected) htmx.ajax(verb, path, { source: elt }); }, seconds * 1000);
}

document.addEventListener("htmx:responseError", again);
document.addEventListener("submit", askFirst);
document.addEventListener("submit", sendOnce);
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
customElements.define("rubrica-copy", RubricaCopy);
customElements.define("rubrica-table", RubricaTable);
