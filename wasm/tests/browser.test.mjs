// The package in a browser: the example page, served as files and asked through chromedriver.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { solve, solveSvg } from "../target/package/richman.js";
import { chromium, served, until } from "./browsers.mjs";

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

test("a board in an article is asked and played", { timeout: 60_000 }, async (context) => {
  const server = await served(new URL("../", import.meta.url));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = await chromium(context);
  await ask("/url", { url: `http://127.0.0.1:${server.address().port}/examples/board.html` });
  const inside = "document.querySelector('richman-board').shadowRoot";
  const { win } = await solve({ game: "hex:size=3", position: ".../.A./..." });
  await until(ask, `${inside}.querySelector('[role=status]').textContent.includes('more than ${win} of')`);
  const run = (script) => ask("/execute/sync", { script, args: [] });
  await run(`document.querySelector('richman-board').addEventListener('richman-move', ({ detail }) => window.moved = detail)`);
  await run(`${inside}.querySelectorAll('.tools button')[1].click()`);
  await run(`${inside}.querySelector('[data-place="a1"]').dispatchEvent(new MouseEvent("click", { bubbles: true }))`);
  assert.deepEqual(await until(ask, "window.moved"), { player: "bob", move: "a1", position: "B../.A./..." });
  const after = await solve({ game: "hex:size=3", position: "B../.A./..." });
  await until(ask, `${inside}.querySelector('[role=status]').textContent.includes('more than ${after.win} of')`);
  await run(`${inside}.querySelectorAll('.tools button')[2].click()`);
  await until(ask, `${inside}.querySelector('[role=status]').textContent.includes('more than ${win} of')`);
});
