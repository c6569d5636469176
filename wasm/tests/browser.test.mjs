// The package in a browser: the example page, served as files and asked through chromedriver.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { solve, solveSvg } from "../target/package/richman.js";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Files of this folder over HTTP. */
async function served() {
  const server = createServer(async (request, answer) => {
    try {
      const body = await readFile(new URL(`..${request.url}`, import.meta.url));
      answer.writeHead(200, { "Content-Type": TYPES[extname(request.url)] ?? "text/plain" }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A window of Chromium, as a function that asks its driver. */
async function chromium(context) {
  const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
  let address;
  context.after(async () => {
    // The driver closes the window; killed, it would leave it.
    if (address) await fetch(address, { method: "DELETE" }).catch(() => {});
    driver.kill();
  });
  const port = await new Promise((resolve, reject) => {
    driver.on("error", reject);
    let said = "";
    driver.stdout.on("data", (text) => {
      said += text;
      const found = /successfully on port (\d+)/.exec(said);
      if (found) resolve(found[1]);
    });
  });
  const ask = async (path, body) => {
    const request = { method: "POST", body: JSON.stringify(body) };
    const { value } = await (await fetch(`${address ?? `http://127.0.0.1:${port}/session`}${path}`, request)).json();
    assert.ok(!value?.error, JSON.stringify(value));
    return value;
  };
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const capabilities = { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args } } };
  address = `http://127.0.0.1:${port}/session/${(await ask("", { capabilities })).sessionId}`;
  return ask;
}

test("the example page in Chromium", { timeout: 60_000 }, async (context) => {
  const server = await served();
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = await chromium(context);
  await ask("/url", { url: `http://127.0.0.1:${server.address().port}/examples/page.html` });
  const shown = (script) => ask("/execute/sync", { script: `return ${script}`, args: [] });
  const cells = "document.querySelectorAll('#board [data-place]').length";
  while ((await shown(cells)) === 0) await wait(100);
  const question = { game: "hex:size=3", position: ".../.A./..." };
  assert.equal(await shown(cells), (await solveSvg(question)).match(/data-place="/g).length);
  assert.equal(await shown("document.getElementById('share').value"), (await solve(question)).win);
});
