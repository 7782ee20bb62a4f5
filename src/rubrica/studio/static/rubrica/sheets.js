// Filled sheets are sent one after the other, so that many can be dropped and each is told about when it was read.
// Without script the form sends them together and the page comes back with what was found.
const form = document.querySelector("form.drop");
const outcomes = document.querySelector("#outcomes");

async function readAll(files, fields, fresh) {
  const state = form.querySelector(".drop-state");
  const words = form.dataset;
  if (fresh) outcomes.replaceChildren();
  document.querySelector(".sheets-ready")?.remove();
  for (const [index, file] of files.entries()) {
    state.textContent = words.reading.replace("{number}", index + 1).replace("{all}", files.length);
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    body.append("files", file);
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    outcomes.append(...found.body.children);
  }
  state.textContent = words.done;
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const table = page.querySelector("#handed");
  if (table) document.querySelector("#handed").replaceWith(table);
}

// Choosing files sends them at once, so the button is for those without script; files that come meanwhile wait.
let waiting = Promise.resolve();
let batches = 0;

form?.querySelector("button.primary").setAttribute("hidden", "");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = form.querySelector("input[type=file]");
  const files = [...input.files];
  const fields = [...new FormData(form)].filter(([name]) => name !== "files");
  const fresh = !batches;
  input.value = "";
  batches += 1;
  waiting = waiting.then(async () => {
    try {
      await readAll(files, fields, fresh);
    } catch {
      form.querySelector(".drop-state").textContent = form.dataset.failed;
    }
    batches -= 1;
  });
});
window.addEventListener("beforeunload", (event) => {
  if (batches) event.preventDefault();
});
