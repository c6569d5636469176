// How soon the first page of a site is there, and the first move of the guided game possible: over 10 Mbit/s, with a
// page that is computed four times as slowly. Exits with 1 beyond the bars. Needs what the tests need.

import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";

import { chromium } from "./tests/browsers.mjs";
import { here } from "./tests/command.mjs";

const BYTES_PER_SECOND = 10e6 / 8;
const DELAY = 40; // milliseconds before each answer
const BARS = { paint: 1200, move: 3000 };
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".svg": "image/svg+xml" };

const folder = mkdtempSync(join(tmpdir(), "richman-site-"));
const program = process.env.RICHMAN_BINARY ?? here("target/release/richman");
spawnSync(program, ["site", folder, "--module", here("wasm/target/package/module_bg.wasm")], { stdio: "inherit" });

const packed = new Map();
const file = (address) => {
  const name = address.endsWith("/") ? `${address}index.html` : address;
  if (!packed.has(name)) packed.set(name, gzipSync(readFileSync(join(folder, name))));
  return packed.get(name);
};

// One line for all answers: pieces in turn.
let free = 0;
const paced = (piece) => {
  const now = performance.now();
  free = Math.max(free, now) + (piece.length / BYTES_PER_SECOND) * 1000;
  return wait(free - now);
};

const server = createServer(async (request, answer) => {
  try {
    const body = file(request.url.split("?")[0]);
    const type = TYPES[extname(request.url)] ?? (request.url.endsWith("/") ? "text/html" : "application/octet-stream");
    await wait(DELAY);
    answer.writeHead(200, { "Content-Type": type, "Content-Encoding": "gzip", "Content-Length": body.length });
    for (let at = 0; at < body.length; at += 16384) {
      const piece = body.subarray(at, at + 16384);
      await paced(piece);
      answer.write(piece);
    }
    answer.end();
  } catch {
    answer.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

let failed = false;
try {
  for (let run = 0; run < 3; run += 1) {
    let close;
    const ask = await chromium({ after: (end) => (close = end) });
    const script = (body) => ask("/execute/sync", { script: body, args: [] });
    await ask("/goog/cdp/execute", { cmd: "Emulation.setCPUThrottlingRate", params: { rate: 4 } });
    const begun = performance.now();
    await ask("/url", { url: `http://127.0.0.1:${server.address().port}/` });
    await script("document.querySelector(\"form[action$='/first'] button\").click()");
    while (!(await script("return Boolean(document.querySelector('#match .deciding'))"))) await wait(20);
    const move = performance.now() - begun;
    const paint = await script("return performance.getEntriesByName('first-contentful-paint')[0].startTime");
    console.log(`content after ${Math.round(paint)} ms, the first move after ${Math.round(move)} ms`);
    failed ||= paint > BARS.paint || move > BARS.move;
    await close();
  }
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
