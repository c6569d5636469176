// A site that needs no server: pages, matches and answers in a browser tab, below a path, with the network and without.

import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

import { chromium, firefox, served, until } from "./browsers.mjs";
import { here, run, text } from "./command.mjs";

const PATH = "/games/richman";
let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "richman-site-"));
  const made = await run(["site", folder, "--module", here("wasm/target/package/module_bg.wasm")]);
  assert.equal(made.status, 0, made.stderr);
});

after(() => rm(folder, { recursive: true }));

/** A window at the first page of the site, and its server. */
async function opened(context, browser = chromium, site = folder) {
  const server = await served(pathToFileURL(`${site}/`), PATH, "404.html");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  context.after(stop);
  const ask = await browser(context);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const script = (body, ...args) => ask("/execute/sync", { script: body, args });
  return {
    ask,
    script,
    stop,
    go: (address) => ask("/url", { url: `${origin}${PATH}${address}` }),
    until: (condition, seconds) => until(ask, condition, seconds),
    click: (css) => script(`document.querySelector(${JSON.stringify(css)}).click()`),
  };
}

/** Plays the match on the page to its end, with the least that each form takes. */
async function playOn({ script, until }) {
  for (let turn = 0; turn < 200; turn += 1) {
    const state = await until(
      `!document.documentElement.classList.contains("settling") && (document.querySelector(".over") ? "over"
        : document.querySelector(".deciding") && document.getElementById("match").dataset.version)`,
    );
    if (state === "over") return;
    await script(`
      const form = document.querySelector(".deciding form, form.deciding");
      const bid = document.querySelector("input[name=bid]");
      const button = document.querySelector("button[name=star], button[name=move], input[name=bid] ~ button, .deciding button");
      if (bid) { bid.value = 1; bid.form.requestSubmit(); } else button.click();`);
    await until(`document.getElementById("match").dataset.version !== "${state}"`);
  }
  assert.fail("the match does not end");
}

for (const browser of [chromium, firefox]) {
  const name = `a visitor of ${browser.name} plays, reviews, explores and reads, with a network and without`;
  test(name, { timeout: 180_000 }, async (context) => {
    const window = await opened(context, browser);
    const { ask, script, stop, go, until, click } = window;
    await go("/");
    assert.match(await script("return document.body.innerText"), /bid for the move/);
    await click("form[action$='/first'] button");
    await until("document.querySelector('#match[data-role=alice] .deciding') && true");
    await playOn(window);
    const match = await script("return location.pathname");
    assert.match(match, new RegExp(`^${PATH}/m/[a-z0-9]{26}$`));
    const state = await script("return document.getElementById('state').innerText");
    await click(".over a[href*='/review/']");
    await until("document.querySelector('.digest') && document.querySelector('img[src^=blob]')?.naturalWidth > 0");

    await until("navigator.serviceWorker.controller || navigator.serviceWorker.ready.then(() => true)");
    stop();
    await go(match.slice(PATH.length));
    await until("document.querySelector('#match[data-role=alice] .over') && true");
    assert.equal(await script("return document.getElementById('state').innerText"), state);

    await go("/guide/chips");
    assert.match(await until("document.querySelector('h1')?.innerText"), /chips/i);
    assert.equal(await script("return getComputedStyle(document.body).margin"), "0px", "the style is there");

    await go("/explore");
    await until("document.getElementById('answer')?.innerText.includes('133/256') && true");
    await script("document.querySelector('textarea[name=text]').value = arguments[0]", text("examples/gate.json"));
    await script("document.querySelector('textarea[name=text]').form.requestSubmit()");
    await until("location.search.startsWith('?file=') && document.getElementById('answer')?.innerText.includes('share')");
    const explored = await script("return location.pathname + location.search");

    // Another window, with nothing from the first one but what the browser keeps.
    const { handle } = await ask("/window/new", { type: "tab" });
    await ask("/window", { handle });
    await go(explored.slice(PATH.length));
    await until("document.getElementById('answer')?.innerText.includes('share') && document.body.innerText.includes('gate')");
    await go("/");
    await until("/You (win|have)|draw/i.test(document.getElementById('your-matches')?.innerText ?? '')");
  });
}

test("a link holds a match or a game for somebody else", { timeout: 120_000 }, async (context) => {
  const { script, go, until } = await opened(context);
  await go("/review");
  await until("globalThis.richman?.match && true");
  const record = text("examples/dp10-1-1.txt");
  await script("const field = document.getElementById('record'); field.value = arguments[0]; field.form.requestSubmit()", record);
  const told = await until("document.querySelector('.digest')?.innerText");
  const link = await script("return document.getElementById('share').value");
  const other = await opened(context);
  const address = new URL(link);
  await other.go(address.pathname.slice(PATH.length) + address.hash);
  assert.equal(await other.until("document.querySelector('.digest')?.innerText"), told);

  await other.go(`/explore#text=${encodeURIComponent(text("examples/gate.json"))}`);
  await other.until("document.body.innerText.includes('gate') && document.getElementById('answer')?.innerText.includes('share')");
  const held = await other.script("return document.getElementById('share').value");
  assert.ok(held.includes("/explore#text="), held);
});

test("two windows share a match", { timeout: 120_000 }, async (context) => {
  const { ask, script, go, until, click } = await opened(context);
  await go("/");
  await click("form[action$='/first'] button");
  const address = await until("document.querySelector('#match .deciding') && location.pathname");
  const { handle: other } = await ask("/window/new", { type: "tab" });
  await ask("/window", { handle: other });
  await go(address.slice(PATH.length));
  const settled = "globalThis.richman?.match && !document.documentElement.classList.contains('settling')";
  const version = await until(`${settled} && document.querySelector('#match .deciding')?.closest('#match').dataset.version`);
  await script("const bid = document.querySelector('input[name=bid]'); bid.value = 1; bid.form.requestSubmit()");
  await until(`document.getElementById('match').dataset.version > ${version} && !document.querySelector('.waiting')`);
  const now = await script("return document.getElementById('match').dataset.version");
  assert.ok(Number(now) > Number(version));
});

test("the page's own thread is never held up", { timeout: 120_000 }, async (context) => {
  const { script, go, until } = await opened(context);
  await go("/explore");
  await until("document.getElementById('answer') && globalThis.richmanSite && true");
  await script(`globalThis.long = [];
    new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)))
      .observe({ type: "longtask" });
    const asked = ["connect:rows=5,cols=5", "chess"].map((game) =>
      fetch(richmanSite.base + "/explore?whole=yes&game=" + encodeURIComponent(game)).then((answer) => answer.text()));
    const begun = performance.now();
    Promise.all(asked).then(() => (globalThis.taken = performance.now() - begun));`);
  assert.ok((await until("globalThis.taken", 60)) > 500, "the worker has something to do");
  const long = await script("return long");
  assert.ok(long.every((duration) => duration < 50), `tasks of ${long} ms`);
});

test("a fault of the module ends no match", { timeout: 120_000 }, async (context) => {
  // The same site, but for a question at which the module traps.
  const faulty = await mkdtemp(join(tmpdir(), "richman-site-"));
  await cp(folder, faulty, { recursive: true });
  const [name] = (await readdir(join(faulty, "assets"))).filter((name) => /^worker-.*\.js$/.test(name));
  const worker = await readFile(join(faulty, "assets", name), "utf8");
  const trap = "if (request.address.endsWith('?trap')) throw new WebAssembly.RuntimeError('unreachable');";
  await writeFile(join(faulty, "assets", name), worker.replace("const answer = site.answer(", `${trap}\n    $&`));

  const { script, go, until, click } = await opened(context, chromium, faulty);
  context.after(() => rm(faulty, { recursive: true }));
  await go("/");
  await click("form[action$='/first'] button");
  await until("document.querySelector('#match .deciding') && true");
  await script(`const link = document.createElement("a");
    link.href = richmanSite.base + "/rules?trap";
    document.body.append(link);
    link.click();`);
  assert.match(await until("document.querySelector('.notice[role=alert]')?.innerText"), /fault of these pages.*matches are kept/);
  const version = await script("return document.getElementById('match').dataset.version");
  await script("const bid = document.querySelector('input[name=bid]'); bid.value = 1; bid.form.requestSubmit()");
  await until(`document.getElementById('match').dataset.version > ${version} && true`);
});

test("pages run no scripts but their own", { timeout: 120_000 }, async (context) => {
  const { script, go, until } = await opened(context);
  for (const address of ["/", "/explore/", "/kept"]) {
    await go(address);
    await until("globalThis.richmanSite && document.querySelector('h1') && true");
    await script(`const inline = document.createElement("script");
      inline.textContent = "globalThis.ran = true";
      document.body.append(inline);
      document.body.insertAdjacentHTML("beforeend", "<img src=nothing onerror='globalThis.ran = true'>");`);
    await until("document.querySelector('img[src=nothing]').complete");
    assert.equal(await script("return globalThis.ran ?? null"), null, address);
  }
});

test("the site installs as an app", { timeout: 120_000 }, async (context) => {
  const { ask, go, until } = await opened(context);
  await go("/");
  await until("navigator.serviceWorker.ready.then(() => true)");
  const told = (cmd) => ask("/goog/cdp/execute", { cmd, params: {} });
  const { errors, data } = await told("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { name, start_url: start, icons } = JSON.parse(data);
  assert.ok(name && start && icons.length > 0, data);
  assert.deepEqual((await told("Page.getInstallabilityErrors")).installabilityErrors, []);
});

test("pages fit a phone", { timeout: 120_000 }, async (context) => {
  const { ask, script, go, until, click } = await opened(context);
  await ask("/goog/cdp/execute", {
    cmd: "Emulation.setDeviceMetricsOverride",
    params: { width: 360, height: 640, deviceScaleFactor: 2, mobile: true },
  });
  const fits = async (what) => {
    const width = await script("return document.documentElement.scrollWidth");
    assert.ok(width <= 360, `${what} is ${width} pixels wide`);
  };
  for (const address of ["/", "/new/", "/explore/", "/review/", "/guide/", "/kept"]) {
    await go(address);
    await until("document.querySelector('h1') && true");
    await fits(address);
  }
  await go("/");
  await click("form[action$='/first'] button");
  await until("document.querySelector('#match .deciding') && true");
  await fits("a match");
});

test("what a first page loads before the module is small", async () => {
  const page = await readFile(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.(?:css|js|svg))"/g)].map(([, name]) => name);
  const fonts = (await readdir(join(folder, "assets"))).filter((name) => name.endsWith(".woff2"));
  const loaded = [...new Set(named), ...fonts.map((name) => `assets/${name}`), "index.html"];
  const sizes = await Promise.all(loaded.map(async (name) => gzipSync(await readFile(join(folder, name))).length));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(loaded.length > 10 && bytes < 150_000, `${bytes} bytes in ${loaded.length} files`);
});

test("an address leads to no other host", async () => {
  const page = await readFile(join(folder, "404.html"), "utf8");
  const [, script] = /<script>([^]*?)<\/script>/.exec(page);
  for (const [pathname, base] of [
    ["/m/x", ""], ["/", ""], ["/nowhere", ""], ["/games/richman/m/x", "/games/richman"], ["/a/b/explore", "/a/b"],
    ["/guide/guide", ""], ["//evil.example/review", ""], ["//evil.example/m/x", ""], ["/\\evil.example/review", ""],
    ["/x//evil.example/review", ""],
  ]) {
    let written = "";
    new Function("location", "document", script)({ pathname }, { write: (text) => (written += text) });
    const [, source] = /src="([^"]*)"/.exec(written);
    assert.match(source, new RegExp(`^${base}/assets/site-[0-9a-f]+\\.js$`), pathname);
  }
});

test("files that are no site's are left alone", async () => {
  const refused = await run(["site", here("examples"), "--module", here("wasm/target/package/module_bg.wasm")]);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /other files/);
  for (const [args, reason] of [
    [[folder], /wasm\/build/],
    [[folder, "--module", here("Cargo.toml")], /module\.js|no WebAssembly/],
    [[folder, "--module", here("wasm/target/package/module_bg.wasm"), "--server", "play.example"], /https:/],
  ]) {
    const { status, stderr } = await run(["site", ...args]);
    assert.equal(status, 2);
    assert.match(stderr, reason);
  }
});
