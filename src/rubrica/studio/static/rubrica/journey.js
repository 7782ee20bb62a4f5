// Small comforts of the annotator's pages: copying one's link, and a menu that closes when one looks elsewhere.

class Copy extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("input");
    const button = this.querySelector("button");
    if (!field || !button) return;
    field.addEventListener("focus", () => field.select());
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    const name = button.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(field.value);
      button.textContent = this.dataset.done;
      setTimeout(() => { button.textContent = name; }, 2000);
    });
  }
}
customElements.define("rubrica-copy", Copy);

const menus = () => document.querySelectorAll("details.annotator-menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

for (const box of document.querySelectorAll(".about")) {
  const unsaid = box.querySelector(".unsaid input");
  box.addEventListener("input", (event) => {
    if (unsaid && event.target !== unsaid) unsaid.checked = false;
  });
}
