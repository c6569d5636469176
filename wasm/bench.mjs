// How long questions take in the module, and the command with one thread: the module at most twice as long, or three
// times where long numbers or a proof take the time. Usage: node wasm/bench.mjs, after wasm/build; RICHMAN_BINARY is
// the command.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Workbench } from "./target/package/richman.js";
import { document, run } from "./tests/command.mjs";

const RUNS = 5;

/** Numbers below a bound at random, the same each time. */
function numbers() {
  let state = 1;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

/** A parity game: two moves from each position, and eight priorities. */
function parity(size) {
  const random = numbers();
  const lines = Array.from({ length: size }, (_, at) => `${at} ${random(8)} ${at % 2} ${random(size)},${random(size)};`);
  return `parity ${size - 1};\n${lines.join("\n")}\n`;
}

/** A game with three moves from each position, in which play comes back. */
function cyclic(size) {
  const random = numbers();
  const ends = ["won", "lost"];
  const to = () => ends[random(size) >> 3] ?? `p${random(size)}`;
  const position = () => ({ alice: [to(), to(), to()], bob: [to(), to(), to()] });
  const others = Array.from({ length: size }, (_, at) => [`p${at}`, position()]);
  const positions = { won: { winner: "alice" }, lost: { winner: "bob" }, ...Object.fromEntries(others) };
  return { name: "cyclic", start: "p0", positions };
}

const folder = mkdtempSync(join(tmpdir(), "richman-"));
const saved = join(folder, "solution.json");
const { status, stderr } = await run(["solve", "connect:rows=4,cols=4", `--save=${saved}`]);
assert.equal(status, 0, stderr);
const solution = JSON.parse(readFileSync(saved, "utf8"));

/** The document of the command, which reads files. */
async function wanted(name, request, path) {
  if (request.solution) return JSON.parse((await run(["verify", saved, "--json"])).stdout);
  return (await document(name, request, path)).document;
}

const QUESTIONS = [
  ["table", { game: "tic-tac-toe", chips: "0..255" }, 2],
  ["solve", { game: "connect:rows=4,cols=4" }, 2],
  ["solve", { game: "connect:rows=4,cols=5" }, 2],
  ["solve", { game: "hex:size=11" }, 2],
  ["solve", { game: "chess:size=4,pieces=KRK" }, 2],
  ["solve", { file: parity(100_000), mechanism: { right: "moves" }, total: 0 }, 2],
  ["solve", { file: cyclic(1000) }, 3],
  ["verify", { solution }, 3],
];

process.env.RAYON_NUM_THREADS = "1";
const bench = new Workbench();
await bench.ask("solve", { game: "tic-tac-toe" });
let isSlow = false;
for (const [name, request, most] of QUESTIONS) {
  const times = { module: [], command: [] };
  const { game = request.solution?.game, file } = request;
  const path = join(folder, "file");
  if (file) writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
  for (let each = 0; each < RUNS; each += 1) {
    let begun = performance.now();
    const answer = await bench.ask(name, request);
    times.module.push(performance.now() - begun);
    begun = performance.now();
    const expected = await wanted(name, request, path);
    times.command.push(performance.now() - begun);
    // A file without a name of its own is called as it is.
    assert.deepEqual({ ...answer, game: "" }, { ...expected, game: "" });
  }
  const [module, command] = [times.module, times.command].map((all) => Math.min(...all));
  const ratio = module / command;
  isSlow ||= ratio > most;
  const asked = game ?? (typeof file === "string" ? "parity, 100,000 positions" : file.name);
  console.log(`${name} ${asked}: ${module.toFixed(0)} ms, the command ${command.toFixed(0)} ms, ${ratio.toFixed(2)} times`);
}
bench.close();
rmSync(folder, { recursive: true });
process.exitCode = isSlow ? 1 : 0;
