/*
 * The service worker: it keeps the page and the files that the page loads, so that it opens without a
 * network. The page itself comes from the server whenever that answers: a kept one never stands in for
 * a newer one. Nothing under /api is kept.
 */

const CACHE = "coatl-page";
const PAGE = "/";
const MOST_FILES = 100; // those of several versions: a page of an older one may still be open
const FILES = /^\/(assets\/|icon|manifest\.webmanifest)/; // names under /assets change with their content

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fetch(PAGE).then(keepPage));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(readPage(event));
  else if (FILES.test(pathname)) event.respondWith(readFile(request));
});

/** From the server; where that cannot be reached, or is not well, as it was the last time. */
async function readPage(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok) event.waitUntil(keepPage(answer.clone()));
    return answer.status < 500 ? answer : ((await keptPage()) ?? answer);
  } catch (error) {
    const kept = await keptPage();
    if (kept) return kept;
    throw error;
  }
}

const keptPage = async () => (await caches.open(CACHE)).match(PAGE);

/** With the files that it names. */
async function keepPage(answer) {
  if (!answer.ok) return;
  const cache = await caches.open(CACHE);
  const text = await answer.clone().text();
  const before = await cache.match(PAGE);
  if (before && (await before.text()) === text) return;
  const named = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file);
  await cache.addAll(named.filter((file) => FILES.test(file)));
  await cache.put(PAGE, answer);
  await forgetOldest(cache);
}

async function forgetOldest(cache) {
  const files = (await cache.keys()).filter(({ url }) => url.includes("/assets/"));
  for (const file of files.slice(0, Math.max(0, files.length - MOST_FILES))) await cache.delete(file);
}

/** A file of /assets never changes; others are asked for, and the kept one is for want of a network. */
async function readFile(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept && request.url.includes("/assets/")) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** The page tells what it has loaded: it may have been before this worker was there. */
self.addEventListener("message", (event) => event.waitUntil(keepFiles(event.data?.files ?? [])));

async function keepFiles(files) {
  const cache = await caches.open(CACHE);
  for (const file of files) if (!(await cache.match(file))) await cache.add(file);
}

/** To the window that shows the table, or to a new one. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(goToTable(event.notification.data?.table));
});

async function goToTable(table) {
  const address = `${self.location.origin}/#/table/${table}`;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find(({ url }) => url.endsWith(`#/table/${table}`));
  await (there ? there.focus() : self.clients.openWindow(address));
}
