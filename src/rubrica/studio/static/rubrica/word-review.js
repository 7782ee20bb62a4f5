// The review of picked words by keyboard: a card is gone to, and its buttons and drawers have keys of their own.
// Without script every button is there to be pressed, and the page is sent and shown whole.
const cards = () => [...document.querySelectorAll(".word-card")];
const current = () => document.activeElement?.closest(".word-card") ?? null;

// Before anything has the focus, keys mean the first context that waits and can be seen; one further down is gone to.
function first() {
  const waiting = cards().find((one) => one.dataset.state === "waiting");
  if (!waiting || waiting.getBoundingClientRect().top < window.innerHeight) return waiting;
  waiting.focus();
  return null;
}

function go(step) {
  const all = cards();
  const here = all.indexOf(current());
  const next = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step];
  if (!next) return;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function open(card, drawer) {
  drawer.open = !drawer.open;
  const first = drawer.open ? drawer.querySelector("textarea, input:not([type=hidden]), button") : drawer.querySelector("summary");
  (first ?? card).focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "Escape") {
    const drawer = event.target.closest(".word-card details[open]");
    if (drawer) {
      drawer.open = false;
      drawer.querySelector("summary").focus();
    }
    return;
  }
  if (typing) return;
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    go(event.key === "j" ? 1 : -1);
    return;
  }
  const card = current() ?? first();
  const wanted = card?.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches("details")) open(card, wanted);
  else wanted.click();
});

// What was pressed is gone when the card comes back: the card has the focus, or the next one that waits.
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const submitter = detail.requestConfig?.triggeringEvent?.submitter;
  const card = detail.elt.closest?.(".word-card");
  if (card) document.body.dataset.pressed = submitter?.value === "accept" ? "accept" : "other";
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const card = detail.elt.matches?.(".word-card") ? detail.elt : detail.elt.closest?.(".word-card");
  if (!card || !document.body.dataset.pressed) return;
  const onward = document.body.dataset.pressed === "accept" && card.dataset.state === "accepted";
  delete document.body.dataset.pressed;
  const all = cards();
  const next = onward ? all.slice(all.indexOf(card) + 1).find((one) => one.dataset.state === "waiting") : null;
  (next ?? card).focus();
  (next ?? card).scrollIntoView({ block: "nearest" });
});
