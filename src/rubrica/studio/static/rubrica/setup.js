// Files can be dropped; choosing sends them at once. Without script the form has its button.
for (const form of document.querySelectorAll("form.drop")) {
  const input = form.querySelector("input[type=file]");
  const state = form.querySelector(".drop-state");
  const send = () => {
    if (!input.files.length) return;
    if ([...input.files].some((file) => file.size > Number(form.dataset.limit))) {
      state.textContent = form.dataset.tooLarge;
      input.value = "";
      return;
    }
    state.textContent = form.dataset.sending;
    form.requestSubmit();
  };
  input.addEventListener("change", send);
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", (event) => {
    if (event.target === form) form.classList.remove("over");
  });
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    send();
  });
  // Coming back to the page with the browser's button must not leave it "Sending…".
  window.addEventListener("pageshow", () => {
    state.textContent = "";
  });
}
