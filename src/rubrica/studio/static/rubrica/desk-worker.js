// The service worker of annotators' pages (scope /w/): keeps pages and files for the time without network.
// Pages come from the network while it answers, so that nobody sees an old one; files have their hash in the name.

const PAGES = "rubrica-pages";
const FILES = "rubrica-files";
const WORK = /^\/w\/[^/]+\/(work|guide)/;
// Shows whichever page comes first, so that it is not to be kept: it is kept under its own address.
const FIRST = /^\/w\/[^/]+\/work\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (WORK.test(address.pathname) && !request.headers.has("Range")) event.respondWith(page(request, address));
});

self.addEventListener("message", (event) => {
  const { keep = [], files = [], forget } = event.data ?? {};
  if (forget) event.waitUntil(forgetPages(forget));
  event.waitUntil(Promise.all([...keep.map(keepPage), ...files.map((name) => file(new Request(name)))]));
});

async function file(request) {
  const kept = await caches.match(request.url, { cacheName: FILES });
  // A file without a hash in its name may change.
  const hashed = /\.[0-9a-f]{12}\.[a-z0-9]+$/.test(new URL(request.url).pathname);
  if (kept && hashed) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) await (await caches.open(FILES)).put(request.url, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

async function page(request, address) {
  try {
    const response = await fetch(request);
    if (response.status === 404 || response.status === 410) await ended(address);
    else if (response.ok && !FIRST.test(address.pathname) && !response.redirected && response.type === "basic") {
      await (await caches.open(PAGES)).put(address.pathname, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await caches.match(address.pathname, { cacheName: PAGES });
    if (kept) return kept;
    throw error;
  }
}

async function keepPage(address) {
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    if (response.ok && !response.redirected) await (await caches.open(PAGES)).put(address, response);
  } catch {
    // Later, then.
  }
}

// A page of the link that is gone means that the link may be: its start page tells.
async function ended(address) {
  const link = address.pathname.match(/^\/w\/[^/]+\//)[0];
  await (await caches.open(PAGES)).delete(address.pathname);
  const start = await fetch(`${link}work/`, { redirect: "manual" }).catch(() => null);
  if (start && (start.status === 404 || start.status === 410)) await forgetPages(link);
}

async function forgetPages(link) {
  const pages = await caches.open(PAGES);
  for (const request of await pages.keys()) {
    if (new URL(request.url).pathname.startsWith(link)) await pages.delete(request);
  }
}
