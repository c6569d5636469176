// The package in a browser: the example page, served as files and asked through chromedriver.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { solve, solveSvg } from "../target/package/richman.js";
import { chromium, served } from "./browsers.mjs";

test("the example page in Chromium", { timeout: 60_000 }, async (context) => {
  const server = await served(new URL("../", import.meta.url));
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
