// Answers in place of a server: a worker has the pages, and this script shows them. It stands on every page of a site,
// and goes on while one page follows another.
"use strict";

(() => {
  if (globalThis.richmanSite) return; // a page that this script has shown
  const SETTINGS = {}; // `richman site` writes them here

  const place = new URL(document.currentScript.src);
  const base = place.pathname.slice(0, place.pathname.lastIndexOf("/assets/"));
  const files = { ...SETTINGS.files, "site.js": place.pathname.slice(base.length) };
  const network = globalThis.fetch.bind(globalThis);

  /** Whether the worker has the page, and not the folder of the site. */
  const isOurs = (url) => {
    if (url.origin !== place.origin || !url.pathname.startsWith(`${base}/`)) return false;
    const path = url.pathname.slice(base.length);
    return !/^\/(assets|guide)(\/|$)/.test(path) && !/\.(webmanifest|html|js)$/.test(path);
  };

  // ---- the worker ----

  const FAULT = "A fault of these pages ended the computation. Your matches are kept; load the page again.";
  const ENDED = "A fault of these pages ended the computation, and this browser keeps no matches. Load the page again.";
  const UNREACHED = "The program of these pages could not be loaded. Try again when there is a network.";
  const LONG = 700; // after so many milliseconds a visitor who goes on does not wait for what was asked before

  let worker = null;
  let last = 0;
  const waiting = new Map(); // what was asked, by number
  const heard = new Set(); // those who listen to matches

  /** Lets the browser keep all files, so that the site opens without a network. */
  const keepFiles = () =>
    navigator.serviceWorker?.register(`${base}/service-worker.js`, { scope: `${base}/` }).catch(() => {});

  let code = null;

  /** The module, loaded and compiled once for all workers. */
  const compiled = () => {
    const compile = async () => {
      const answer = await network(base + SETTINGS.module);
      if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
      // A server may not know the type of a module.
      const isKnown = answer.headers.get("content-type")?.startsWith("application/wasm");
      return isKnown ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
    };
    code ??= compile();
    code.catch(() => (code = null)); // the next worker tries again
    return code;
  };

  const start = () => {
    const own = new Worker(base + SETTINGS.worker, { type: "module" });
    worker = own;
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        keeps = data.keeps;
        keepFiles(); // only now, as both load much
      }
      if (data.news) for (const listener of heard) listener.hear(data.news);
      if (data.anew) for (const listener of heard) listener.look();
      if (data.trap) {
        const error = new Error(`${keeps ? FAULT : ENDED} (${data.trap})`);
        stop(error);
        return data.number === undefined && failed(error);
      }
      waiting.get(data.number)?.resolve(data.answer);
      waiting.delete(data.number);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      stop(new Error(`${FAULT} (${event.message ?? "it did not start"})`));
    };
    const { server, glue } = SETTINGS;
    const start = { base, server, files, glue: base + glue, host: place.host };
    const unreached = (error) => own === worker && stop(new Error(`${UNREACHED} (${error.message})`));
    compiled().then((module) => own.postMessage({ start: { ...start, module } }), unreached);
  };

  let keeps = false; // whether what the worker has is in the browser's database

  /** Ends the worker. The next question starts another. */
  const end = () => {
    worker?.terminate();
    worker = null;
    waiting.clear();
  };

  /** Ends the worker and all that it was asked. */
  const stop = (reason) => {
    const asked = [...waiting.values()];
    end();
    for (const one of asked) one.reject(reason);
  };

  /** Ends the worker if nobody waits for what it does: the page that asked is left, or asks no more. */
  const free = (isLeft) => {
    const all = [...waiting.values()];
    const isIdle = (one) => one.isRead && (isLeft || one.isGivenUp);
    if (keeps && all.every(isIdle) && all.some((one) => performance.now() - one.since > LONG)) end();
  };

  const tell = (message, signal) => {
    if (!worker) start();
    return new Promise((resolve, reject) => {
      const number = (last += 1);
      const isRead = !message.request || message.request.method === "GET";
      waiting.set(number, { resolve, reject, isRead, since: performance.now() });
      signal?.addEventListener("abort", () => {
        const asked = waiting.get(number);
        if (asked) asked.isGivenUp = true;
        reject(signal.reason);
        // Who has waited too long still wants what the worker is at.
        if (signal.reason?.name === "AbortError") free(false);
      });
      worker.postMessage({ number, ...message });
    });
  };

  /** The answer to a request of the browser. */
  const ask = async (request) => {
    const url = new URL(request.url);
    const address = url.pathname + url.search;
    const kinds = ["content-type", "x-requested-with", "accept"];
    const headers = kinds.filter((kind) => request.headers.has(kind)).map((kind) => [kind, request.headers.get(kind)]);
    const body = request.method === "GET" ? new ArrayBuffer(0) : await request.arrayBuffer();
    request.signal.throwIfAborted();
    return tell({ request: { method: request.method, address, headers }, body }, request.signal);
  };

  /** A page without pictures that the network does not have; `draw` fetches them. */
  const still = (page) => page.replace(/(<img\b[^>]*?) src="([^"]*)"/g, (whole, before, source) => {
    return isOurs(new URL(source.replaceAll("&amp;", "&"), location.href)) ? `${before} data-drawn="${source}"` : whole;
  });

  globalThis.fetch = async (input, options) => {
    const request = new Request(input, options);
    if (!isOurs(new URL(request.url))) return network(input, options);
    const answer = await ask(request);
    const headers = new Headers(answer.headers);
    headers.set("x-request-id", "here");
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const body = isPage ? still(new TextDecoder().decode(answer.body)) : answer.body;
    const response = new Response(body, { status: answer.status, headers });
    return Object.defineProperty(response, "url", { value: place.origin + answer.address });
  };

  /** Changes of matches, as a server tells them. */
  globalThis.EventSource = class extends EventTarget {
    constructor(address) {
      super();
      const listened = new URL(address, location.href).searchParams.getAll("m");
      this.names = listened.map((name) => name.split(".")[0]);
      heard.add(this);
      setTimeout(() => {
        this.dispatchEvent(new Event("open"));
        this.look();
      });
    }

    async look() {
      this.hear(await tell({ versions: this.names }).catch(() => []));
    }

    hear(news) {
      for (const { event, name, version } of news) {
        if (heard.has(this) && this.names.includes(name))
          this.dispatchEvent(new MessageEvent(event, { data: `${name} ${version}` }));
      }
    }

    close() {
      heard.delete(this);
    }
  };

  // ---- pages ----

  const save = (answer, kind) => {
    const named = /filename="([^"]+)"/.exec(answer.headers.find(([name]) => name === "content-disposition")?.[1]);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([answer.body], { type: kind }));
    if (named) link.download = named[1];
    else link.target = "_blank";
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  const show = (answer, how) => {
    const kind = answer.headers.find(([name]) => name === "content-type")?.[1] ?? "";
    const isSaved = answer.headers.some(([name]) => name === "content-disposition");
    if (isSaved || !kind.startsWith("text/html")) return save(answer, kind);
    const page = still(new TextDecoder().decode(answer.body));
    const reached = new URL(answer.address, location.href);
    const place = reached.hash || (how.place ?? "");
    const address = reached.pathname + reached.search + place;
    // The scripts of the page that is left end their work.
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: false }));
    heard.clear();
    document.open();
    if (how.pushes) history.pushState(null, "", address);
    else if (address !== location.pathname + location.search + location.hash) history.replaceState(null, "", address);
    shown = location.pathname + location.search;
    document.write(page);
    document.close();
    prepare();
    if (how.pushes) scrollTo(0, 0);
    const reach = () => document.getElementById(place.slice(1))?.scrollIntoView();
    if (place && document.readyState === "loading") addEventListener("DOMContentLoaded", reach, { once: true });
    else if (place) reach();
  };

  const failed = (error) => {
    if (error.name === "AbortError") return;
    const told = document.createElement("p");
    told.className = "notice";
    told.setAttribute("role", "alert");
    told.textContent = error.message;
    (document.getElementById("main") ?? document.body ?? document.documentElement).prepend(told);
    told.scrollIntoView();
  };

  let visits = 0;
  let isSending = false; // a form that leads to another page

  const visit = async (request, how) => {
    const number = (visits += 1);
    free(true);
    const root = document.documentElement;
    const slow = setTimeout(() => root.classList.add("settling"), 300);
    try {
      const answer = await ask(request);
      if (number === visits) show(answer, how);
    } catch (error) {
      if (number === visits) failed(error);
    } finally {
      clearTimeout(slow);
      root.classList.remove("settling");
    }
  };

  const clicked = (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || link.target) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href, location.href);
    const isHere = url.pathname + url.search === location.pathname + location.search;
    if (!isOurs(url) || (isHere && url.hash)) return;
    event.preventDefault();
    visit(new Request(url), { pushes: !isHere, place: url.hash });
  };

  const submitted = (event) => {
    const form = event.target;
    if (event.defaultPrevented || !isOurs(new URL(form.action))) return;
    event.preventDefault();
    if (form.classList.contains("sent") && isSending) return; // pressed twice
    const data = new FormData(form, event.submitter);
    const url = new URL(form.action);
    if (form.method === "get") {
      url.search = new URLSearchParams(data);
      return visit(new Request(url), { pushes: true });
    }
    const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
    isSending = true;
    visit(new Request(url, { method: "POST", body }), { pushes: true }).finally(() => (isSending = false));
    navigator.storage?.persist?.(); // what is kept here is kept nowhere else
  };

  const draw = async (picture) => {
    const source = picture.dataset.drawn;
    delete picture.dataset.drawn;
    try {
      const answer = await ask(new Request(source));
      const kind = answer.headers.find(([name]) => name === "content-type")?.[1];
      picture.src = URL.createObjectURL(new Blob([answer.body], { type: kind }));
      picture.addEventListener("load", () => URL.revokeObjectURL(picture.src), { once: true });
    } catch {} // its text stands there
  };

  const drawAll = () => document.querySelectorAll("img[data-drawn]").forEach(draw);
  const observer = new MutationObserver(drawAll);

  /** A page that was shown forgets all who listen to it. */
  const prepare = () => {
    addEventListener("click", clicked);
    addEventListener("submit", submitted);
    addEventListener("popstate", returned);
    observer.observe(document, { childList: true, subtree: true });
    drawAll();
  };

  let shown = location.pathname + location.search;

  const returned = () => {
    const now = location.pathname + location.search;
    if (now === shown && location.hash) return;
    // Explore shows its own pages in place.
    if (document.body.classList.contains("exploring") && location.pathname === `${base}/explore`) return;
    if (isOurs(location)) visit(new Request(location.href), { pushes: false });
    else location.reload();
  };

  globalThis.richmanSite = { base };

  if (isOurs(location)) start(); // it is wanted soon

  /** Opens what a link holds. */
  const open = (address, held) => {
    const body = new FormData();
    for (const [name, text] of held) body.set(name, text);
    visit(new Request(base + address, { method: "POST", body }), { pushes: false });
  };

  const begin = () => {
    prepare();
    const isShell = document.documentElement.hasAttribute("data-shell");
    // What the folder has is the page without a question.
    const held = new URLSearchParams(location.hash.slice(1));
    const page = location.pathname.replace(/\/$/, "");
    if (page === `${base}/review` && held.has("record")) return open("/review", held);
    if (page === `${base}/explore` && held.has("text")) return open("/explore/file", held);
    const isAsked = isOurs(location) && (isShell || location.search);
    if (isAsked) visit(new Request(location.href), { pushes: false, place: location.hash });
    else if (isShell) document.getElementById("main").textContent = "Nothing is here.";
  };

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin, { once: true });
  else begin();

  if (!worker) addEventListener("load", keepFiles);
})();
