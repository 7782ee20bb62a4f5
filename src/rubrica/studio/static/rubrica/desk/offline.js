// Pages for the time without network: this one, the guidelines, and those that the annotator holds ahead.

const WORKER = "/w/worker.js";
const KEPT = "rubrica-pages";

export class Offline {
  #shelf;
  #token;

  constructor(shelf, token) {
    this.#shelf = shelf;
    this.#token = token;
  }

  // Asks the service worker to keep what is needed. Only on https and on this machine do browsers allow one.
  async prepare(save, addresses) {
    if (!("serviceWorker" in navigator) || !isSecureContext) return;
    try {
      await navigator.serviceWorker.register(WORKER, { scope: "/w/" });
      const { active } = await navigator.serviceWorker.ready;
      const files = performance.getEntriesByType("resource").map(({ name }) => name)
        .filter((name) => new URL(name).pathname.startsWith("/static/"));
      active.postMessage({ keep: [location.pathname, ...addresses.filter(Boolean)], files });
      const response = await fetch(`${save}next`, { headers: { Authorization: `Bearer ${this.#token}` } });
      if (!response.ok) return;
      const pages = [...new Set((await response.json()).leases.map(({ page }) => page))];
      this.#shelf.put("ahead", pages);
      active.postMessage({ keep: pages.filter((page) => page !== location.pathname) });
    } catch {
      // A page without a worker works; it only cannot be opened offline.
    }
  }

  // The next page that is kept and not submitted yet, or nothing.
  async next(submitted) {
    if (typeof caches === "undefined") return null;
    const pages = (this.#shelf.get("ahead") ?? []).filter((page) => page !== location.pathname
      && !submitted.some((lease) => page.includes(`/${lease}/`)));
    for (const page of pages) {
      if (await (await caches.open(KEPT)).match(page).catch(() => null)) return page;
    }
    return null;
  }

  // The link has ended: nothing of it stays readable here, but what is still unsent.
  forget() {
    this.#shelf.remove("ahead");
    navigator.serviceWorker?.controller?.postMessage({ forget: `/w/${this.#token}/` });
  }
}
