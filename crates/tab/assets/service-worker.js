// Keeps the files of the site, so that its pages open without a network. It answers nothing itself: where there is no
// file, it returns the page whose script asks the worker.
"use strict";

const VERSION = ""; // `richman site` writes them here
const FILES = [];

const base = new URL(registration.scope).pathname; // with a slash at its end
const name = `richman:${base}:${VERSION}`;

// As the server has it now, under the address by which it is asked for.
const keep = async (cache, file) => {
  const answer = await fetch(new Request(base + file, { cache: "reload" }));
  if (!answer.ok && file !== "404.html") throw new Error(`${answer.url}: ${answer.status}`);
  await cache.put(base + file, new Response(await answer.blob(), { headers: answer.headers }));
};

addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => Promise.all(FILES.map((file) => keep(cache, file)))));
});

addEventListener("activate", (event) => {
  const isOld = (other) => other.startsWith(`richman:${base}:`) && other !== name;
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter(isOld).map((other) => caches.delete(other)))),
  );
});

const page = async (request, url) => {
  const cache = await caches.open(name);
  const found = await cache.match(url.pathname);
  if (found) return found;
  // A page in a folder has links from there.
  if (await cache.match(`${url.pathname}/`)) return Response.redirect(`${url.pathname}/${url.search}`);
  return (await cache.match(`${base}404.html`)) ?? fetch(request);
};

const file = async (request) => (await (await caches.open(name)).match(request)) ?? fetch(request);

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base)) return;
  if (request.mode === "navigate") event.respondWith(page(request, url));
  else event.respondWith(file(request));
});
