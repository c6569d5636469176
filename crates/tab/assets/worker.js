// The pages of a site, one question after another. Matches and records are kept in the browser's database before
// anybody is told of them; tabs of one browser share them.

const LOAD = 3; // tries, if other tabs keep something meanwhile

let glue; // the functions of the module
let site;
let host;
let database = null;
let known = 0; // the revision of what is loaded
let settings;
const others = new BroadcastChannel("richman.kept");

globalThis.richmanHost = { progress() {} };

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const opened = (name) => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("documents", { keyPath: "name" }).createIndex("revision", "revision");
    request.result.createObjectStore("kept");
  };
  return done(request);
};

/** Takes in what this tab, or another, has kept. */
const load = async () => {
  if (!database) return;
  const reading = database.transaction(["documents", "kept"]);
  const revision = (await done(reading.objectStore("kept").get("revision"))) ?? 0;
  if (revision === known) return;
  const newer = IDBKeyRange.lowerBound(known, true);
  const found = await done(reading.objectStore("documents").index("revision").getAll(newer));
  for (const { name, text } of found) site.load(name, text);
  known = revision;
};

/** Keeps what has changed; false if another tab has kept something meanwhile. */
const keep = async () => {
  const changes = JSON.parse(site.changes());
  if (changes.length === 0 || !database) return true;
  const writing = database.transaction(["documents", "kept"], "readwrite", { durability: "strict" });
  const [documents, kept] = ["documents", "kept"].map((store) => writing.objectStore(store));
  const revision = (await done(kept.get("revision"))) ?? 0;
  if (revision !== known) return false;
  for (const { name, text } of changes) {
    if (text === null) documents.delete(name);
    else documents.put({ name, text, revision: revision + 1 });
  }
  kept.put(revision + 1, "revision");
  await new Promise((resolve, reject) => {
    writing.oncomplete = resolve;
    writing.onabort = () => reject(writing.error);
  });
  known = revision + 1;
  return true;
};

const tell = (isKept) => {
  const news = JSON.parse(site.news());
  if (news.length > 0) postMessage({ news });
  if (isKept && news.length > 0) others.postMessage("changed");
};

/** Does something and keeps what changes; again, if another tab was faster. */
const change = async (work) => {
  for (let tries = 1; ; tries += 1) {
    await load();
    const found = work();
    if (await keep()) {
      tell(true);
      return found;
    }
    if (tries === LOAD) throw new Error("other tabs change the same matches");
    anew(); // what was done counts nothing
  }
};

const anew = () => {
  const seen = site.seen();
  site.free();
  site = new glue.Site(settings);
  if (seen) site.look(seen);
  known = 0;
  postMessage({ anew: true }); // what others changed is no news to it
};

const answered = async ({ request, body }) => {
  const head = JSON.stringify({ ...request, host });
  return change(() => {
    const answer = site.answer(head, new Uint8Array(body));
    try {
      return { ...JSON.parse(answer.head), body: answer.body };
    } finally {
      answer.free();
    }
  });
};

let isThinking = false;

/** Lets the computer decide, after what the visitor waits for. */
const think = () => {
  if (isThinking) return;
  isThinking = true;
  setTimeout(() => next(async () => {
    isThinking = false;
    if (await change(() => site.work())) think();
  }));
};

const begin = async (start) => {
  const { base, server, files, module } = start;
  host = start.host;
  settings = JSON.stringify({ base, server, files });
  const opening = opened(`richman:${base}`).catch(() => null); // then matches end with the tab
  glue = await import(start.glue);
  glue.initSync({ module });
  site = new glue.Site(settings);
  database = await opening;
  postMessage({ ready: true, keeps: database !== null });
};

const trapped = (number) => (error) => postMessage({ number, trap: String(error?.message ?? error) });

// One after another; what is asked before the beginning waits for it.
let started;
let last = new Promise((resolve) => (started = resolve)).then(begin).catch(trapped());
const next = (work, number) => {
  last = last.then(work).catch(trapped(number));
};

onmessage = ({ data: { number, start, request, body, versions } }) => {
  if (start) started(start);
  else if (request)
    next(async () => {
      const answer = await answered({ request, body });
      postMessage({ number, answer });
      think();
    }, number);
  else if (versions)
    next(async () => {
      await load();
      postMessage({ number, answer: JSON.parse(site.versions(JSON.stringify(versions))) });
    }, number);
};

others.onmessage = () => next(async () => {
  await load();
  tell(false);
});
