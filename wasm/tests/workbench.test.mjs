// Workers, limits and hostile input.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { RichmanError, Workbench, convert, exportGame, list, solve, table, tree, verify } from "../target/package/richman.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const WORTH = "133/256";
/** Takes far longer than a test. */
const LONG = { game: "connect:rows=4,cols=4", total: 2000, mechanism: { right: "moves", ties: "marker" } };

const refusal = async (answer) => {
  const error = await answer.then(() => assert.fail("it was answered"), (error) => error);
  assert.ok(error instanceof RichmanError, `${error}`);
  return error;
};
const stillWorks = async (bench) => {
  assert.equal((await bench.ask("solve", { game: "tic-tac-toe" })).win, WORTH);
};

test("a question tells of its progress", async () => {
  const heard = [];
  await table({ game: "connect:rows=4,cols=4", chips: "0..100" }, { onProgress: (progress) => heard.push(progress) });
  assert.ok(heard.length > 0);
  for (const { stage, done } of heard) assert.ok(typeof stage === "string" && done >= 0, JSON.stringify(heard));
});

test("a cancelled question ends at once, and the next is answered", async () => {
  const bench = new Workbench();
  for (const before of [true, false]) {
    const stop = new AbortController();
    const begun = performance.now();
    if (before) stop.abort();
    else setTimeout(() => stop.abort(), 200);
    await assert.rejects(bench.ask("solve", LONG, { signal: stop.signal }), { name: "AbortError" });
    assert.ok(performance.now() - begun < 2000);
    await stillWorks(bench);
  }
  bench.close();
});

test("time is kept", async () => {
  const begun = performance.now();
  const error = await refusal(solve(LONG, { time: 0.5 }));
  assert.equal(error.code, "out-of-time");
  assert.ok(performance.now() - begun < 3000);
  const bounds = await solve({ game: "connect:rows=5,cols=5" }, { time: 0.5 });
  assert.equal(bounds.exact, false);
});

test("memory and positions are limits, with a remedy in the words of the package", async () => {
  for (const [limits, key] of [[{ memory: 1 << 20 }, "memory"], [{ positions: 100 }, null]]) {
    const error = await refusal(solve({ game: "connect:rows=4,cols=4", mechanism: { right: "moves" } }, limits));
    assert.equal(error.code, "unfit");
    assert.doesNotMatch(error.message, /--/);
    if (key) assert.ok(error.remedies.some((remedy) => remedy.key === key), JSON.stringify(error.remedies));
  }
});

test("a question that is too much for the module ends its worker alone", async () => {
  const bench = new Workbench();
  // A limit above what there is.
  const asked = { game: "connect:rows=4,cols=5", mechanism: { payment: "poorman" } };
  const error = await refusal(bench.ask("solve", asked, { memory: 2 ** 36, positions: 2 ** 31 }));
  assert.equal(error.code, "out-of-memory");
  await stillWorks(bench);
  bench.close();
});

test("questions wait for each other, and a closed workbench says so", async () => {
  const bench = new Workbench();
  const answers = await Promise.all([3, 4, 5].map((total) => bench.ask("solve", { game: "tic-tac-toe", total })));
  assert.deepEqual(answers.map((answer) => answer.total), [3, 4, 5]);
  const long = refusal(bench.ask("solve", LONG));
  setTimeout(() => bench.close(), 300);
  assert.equal((await long).code, "cancelled");
  await stillWorks(bench);
  bench.close();
});

test("requests are read strictly", async () => {
  for (const [answer, said] of [
    [solve({}), /either game or file/], [solve({ game: "nosuch" }), /nosuch/], [solve({ gam: "hex" }), /unknown field `?gam/],
    [solve({ game: "tic-tac-toe", total: 1.5 }), /whole number/], [solve({ game: 3 }), /write text/],
    [solve(null), /object|null/], [solve([]), /object/], [solve({ game: "hex", file: {} }), /either/],
    [solve({ game: "tic-tac-toe" }, { tim: 3 }), /tim/], [solve({ game: "tic-tac-toe" }, { time: -1 }), /seconds/],
    [solve({ game: "tic-tac-toe" }, { time: "x" }), /a number, not "x"/], [table({ game: "hex:size=2", chips: [8, 3] }), /exchange/],
    [tree({ game: "tic-tac-toe", depth: -1 }), /whole number/], [solve({ file: "{" }), /./], [verify({ solution: {} }), /./],
    [exportGame({ game: "hex:size=11" }), /./], [convert({ file: {}, to: "umb" }), /json, gm/], [convert({ file: {}, to: "gm" }), /./],
    [convert({ file: "parity 0;\n0 0 0 0;\n", to: "gm", objective: "nonsense" }), /./], [list({ game: "nosuch" }), /nosuch/],
    [solve({ game: "tic-tac-toe", total: 8, holdings: { alice: 4, bob: 4 } }), /./],
  ]) {
    const error = await refusal(answer);
    assert.match(error.message, said);
    assert.doesNotMatch(error.message, /--\w|\/api\//);
  }
});

test("hostile files are refused, and end no worker", async () => {
  const bench = new Workbench();
  const corpus = (name) => {
    const folder = new URL(`../../fuzz/corpus/${name}/`, import.meta.url);
    return readdirSync(folder).map((file) => readFileSync(new URL(file, folder)));
  };
  const ask = async (name, request, bytes) => {
    await bench.ask(name, request, { time: 2, positions: 100_000 }).catch((error) => {
      assert.ok(error instanceof RichmanError, `${error}`);
      assert.ok(!["internal", "out-of-memory"].includes(error.code), `${error.message}: ${bytes.toString("latin1").slice(0, 300)}`);
    });
  };
  let count = 0;
  for (const bytes of [...corpus("game_file"), ...corpus("transitions")]) {
    await ask("solve", { file: bytes.toString("latin1") }, bytes);
    count += 1;
  }
  for (const bytes of corpus("record")) await ask("review", { record: bytes.toString("latin1") }, bytes);
  for (const bytes of corpus("spec")) await ask("solve", { game: bytes.toString("latin1") }, bytes);
  for (const bytes of corpus("saved")) {
    let solution;
    try {
      solution = JSON.parse(bytes.toString("utf8"));
    } catch {
      continue;
    }
    await ask("verify", { solution }, bytes);
  }
  assert.ok(count >= 20, `${count}`);
  await stillWorks(bench);
  bench.close();
});

test("the module is small enough to load", () => {
  const packed = gzipSync(readFileSync(here("../target/package/module_bg.wasm")), { level: 9 }).length;
  assert.ok(packed <= 2_500_000, `${packed} bytes`);
});

test("the schema has the keys of the requests", async () => {
  const { $defs } = JSON.parse(readFileSync(here("../../docs/requests.schema.json"), "utf8"));
  for (const [name, type] of Object.entries({
    list: "ListRequest", solve: "ToSolve", table: "ToTabulate", tree: "TreeRequest", compare: "CompareRequest",
    randomTurn: "RandomTurnRequest", verify: "VerifyRequest", review: "ReviewRequest", export: "ExportRequest",
    convert: "ConvertRequest",
  })) {
    const { message } = await refusal(new Workbench().ask(name, { nonsense: 1 }));
    const known = [...message.split("expected")[1].split(" at line")[0].matchAll(/`(\w+)`/g)].map(([, key]) => key).sort();
    assert.deepEqual(Object.keys($defs[type].properties).sort(), known, name);
  }
});

test("the examples of README and for Node print what they say", () => {
  const readme = readFileSync(here("../README.md"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "richman-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(here("../target/package"), join(folder, "node_modules/richman"));
    const examples = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, example]) => example);
    assert.equal(examples.length, 4);
    for (const example of examples) {
      const wanted = [...example.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line);
      writeFileSync(join(folder, "example.mjs"), example);
      const { stdout, stderr, status } = spawnSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      assert.deepEqual(stdout.trimEnd().split("\n").slice(-wanted.length), wanted);
    }
    writeFileSync(join(folder, "example.mjs"), readFileSync(here("../examples/node.mjs")));
    const { stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
    assert.match(stdout, /^2 x 2: 1\/2, best at .*\n3 x 3: .*\n4 x 4: .*\n$/, stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the cells of the notebook print what they say", async () => {
  const examples = here("../examples/");
  const notebook = JSON.parse(readFileSync(join(examples, "table.ipynb"), "utf8"));
  const cells = notebook.cells.filter((cell) => cell.cell_type === "code");
  assert.ok(cells.length >= 3);
  const program = cells.map(({ source }) => source.join("")).join("\n");
  const path = join(examples, "table.mjs");
  writeFileSync(path, program);
  try {
    const { stdout, stderr, status } = spawnSync(process.execPath, ["table.mjs"], { cwd: examples, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, cells.flatMap(({ outputs }) => outputs.flatMap(({ text }) => text)).join(""));
  } finally {
    rmSync(path);
  }
});
