// The overview looks for news while somebody looks at it. What was open stays open, what had the focus keeps it.
const open = new Set();
let focused = "";

function look() {
  const part = document.getElementById("live");
  if (!part) return;
  if (document.visibilityState === "visible") part.dispatchEvent(new CustomEvent("rubrica:look"));
}

function timer() {
  const part = document.getElementById("live");
  if (part) setInterval(look, Number(part.dataset.every) * 1000);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "live") return;
  open.clear();
  for (const details of event.detail.target.querySelectorAll("details[open][id]")) open.add(details.id);
  const active = document.activeElement;
  focused = "";
  if (!event.detail.target.contains(active)) return;
  const details = active.closest("details[id]");
  focused = active.matches("summary") && details ? `#${CSS.escape(details.id)} > summary`
    : active.matches("a[href]") ? `#live a[href="${CSS.escape(active.getAttribute("href"))}"]` : "";
});

document.addEventListener("htmx:afterSwap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.querySelector(focused)?.focus({ preventScroll: true });
});

document.addEventListener("visibilitychange", look);
timer();
