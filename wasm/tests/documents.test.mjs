// Every function answers with the document of the command, or refuses what the command refuses. What a game file or a
// game on standard input is called differs, and how long it took.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as richman from "../target/package/richman.js";
import { document, flags, here, run, text } from "./command.mjs";

const INPUTS = "crates/cli/tests/recorded/inputs";
const EXAMPLES = "examples";

/** What all doors are asked. */
const doors = JSON.parse(text("crates/cli/tests/doors.json"));

/** Game files, by path. */
const files = [INPUTS, EXAMPLES].flatMap((folder) => {
  const names = readdirSync(new URL(`../../${folder}`, import.meta.url));
  return names.filter((name) => name.endsWith(".json")).map((name) => [here(`${folder}/${name}`), text(`${folder}/${name}`)]);
});

/** Keys as flags have them, as a request. */
function request(keys) {
  const asked = {};
  for (const [key, value] of Object.entries(keys)) {
    if (key === "chips") asked.total = Number(value);
    else if (key === "alice" || key === "bob") (asked.holdings ??= {})[key] = value;
    else if (["preset", "payment", "ties", "bidding", "right", "bids"].includes(key)) (asked.mechanism ??= {})[key] = value;
    else asked[key] = value;
  }
  return asked;
}

/** A refusal without the name of the program, and without that of the file. */
const bare = (refusal) => refusal.trim().replace(/^richman: |\.$/g, "").replace(/^.*?\.json: /, "");
/** What is wrong; after that, each says in its own words what helps. */
const wrong = (refusal) => refusal.replace(/: [^:]*$/, "");
const agree = (one, other) => one === other || [wrong(one), one].includes(wrong(other));

/** Asks both, and compares. Returns whether there was a document. */
async function compare(command, name, request, path) {
  const answer = richman[name](request).then(
    (document) => ({ document }),
    (error) => {
      assert.ok(error instanceof richman.RichmanError, `${error}`);
      return { refused: error.message, code: error.code };
    },
  );
  const [found, wanted] = await Promise.all([answer, document(command, request, path)]);
  const asked = `${command} ${request.game ?? path ?? ""} ${flags(request).join(" ")}`;
  if (wanted.document) assert.deepEqual(found.document, wanted.document, `${asked}: ${found.refused}`);
  else {
    assert.ok(found.refused && agree(bare(found.refused), bare(wanted.refused)), `${asked}: ${JSON.stringify([found, wanted]).slice(0, 900)}`);
    assert.ok(!["internal", "out-of-memory"].includes(found.code) && !/--\w/.test(found.refused), `${asked}: ${found.refused}`);
  }
  return "document" in wanted;
}

/** Asks what a position is worth; `scores` is the command for a game with scores, and has no flags for averages. */
async function worth(keys, { game, path, text }) {
  const asked = request(keys);
  const isScoring = game?.startsWith("subtraction") || /"score"|"take /.test(text);
  if (isScoring && (asked.share || asked.at_least || asked.credits || !(asked.total || asked.holdings))) return 0;
  const rules = game ? { game } : { file: JSON.parse(text) };
  return compare(isScoring ? "scores" : "solve", "solve", { ...rules, ...asked }, path);
}

test("solve: every game, mechanism and stake", async () => {
  let answered = 0;
  for (const game of doors.games) {
    for (const mechanism of doors.mechanisms) {
      for (const stake of doors.stakes) answered += await worth({ ...mechanism, ...stake }, { game });
    }
  }
  for (const [game, keys] of doors.others) answered += await worth(keys, { game });
  assert.ok(answered > doors.games.length * doors.mechanisms.length, `${answered}`);
});

test("solve: game files of every objective", async () => {
  let answered = 0;
  for (const [path, text] of files) {
    for (const keys of doors.of_files) answered += await worth(keys, { path, text });
  }
  assert.ok(answered > 2 * files.length, `${answered} of ${files.length} files`);
  for (const [path, text] of files) await worth({ chips: "4", credits: true }, { path, text });
});

test("table", async () => {
  for (const game of ["tic-tac-toe", "hex:size=3", "tug-of-war:length=5", "nim:heap=3", "expr:(A & B^2) & B"]) {
    for (const mechanism of doors.mechanisms) {
      const of = mechanism.payment && { of: "bob" };
      await compare("table", "table", { game, ...request(mechanism), chips: "0..8", ...of });
    }
  }
  assert.ok(await compare("table", "table", { game: "tic-tac-toe", chips: "0..8", of: "bob", mechanism: { payment: "poorman" } }));
  const { document: rows } = await document("table", { game: "tic-tac-toe", chips: "0..12" });
  assert.deepEqual(await richman.table({ game: "tic-tac-toe", chips: [0, 12] }), rows);
});

test("tree, compare, random-turn, list", async () => {
  for (const asked of [{}, { total: 7 }, { all: true }, { full: true, depth: 2 }, { draw: true }, { short: true, mechanism: { ties: "bob" } }]) {
    assert.ok(await compare("tree", "tree", { game: "tic-tac-toe", position: "AB./.A./..B", ...asked }), JSON.stringify(asked));
  }
  for (const [game, other] of [["expr:A & B", "expr:B & A"], ["tug-of-war", "expr:A^2 & B"], ["tic-tac-toe", "hex:size=2"]]) {
    const { stdout } = await run(["compare", game, other, "--json"]);
    assert.deepEqual(await richman.compare({ game, other_game: other }), JSON.parse(stdout));
  }
  for (const game of ["tic-tac-toe", "tug-of-war"]) {
    assert.ok(await compare("random-turn", "randomTurn", { game, games: 500, seed: 3 }));
  }
  assert.deepEqual(await richman.list(), JSON.parse((await run(["list", "--json"])).stdout));
  assert.deepEqual(await richman.list({ game: "hex" }), JSON.parse((await run(["list", "hex", "--json"])).stdout));
});

test("saved solutions are proved, and false ones are not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "richman-"));
  const path = join(folder, "saved.json");
  try {
    const named = (name) => files.find(([path]) => path.endsWith(`/${name}`))[1];
    for (const [game, input, more] of [
      ["tic-tac-toe", undefined, []], ["tic-tac-toe", undefined, ["--chips=9"]], ["tug-of-war", undefined, ["--payment=poorman"]],
      ["-", named("cycle.json"), []], ["-", named("guard.json"), ["--chips=4"]], ["race", undefined, ["--chips=5"]],
    ]) {
      const saved = await run(["solve", game, ...more, `--save=${path}`], input);
      assert.equal(saved.status, 0, saved.stderr);
      const solution = readFileSync(path, "utf8");
      const { stdout, status } = await run(["verify", path, "--json"]);
      assert.equal(status, 0, `${game} ${more}`);
      assert.deepEqual(await richman.verify({ solution: JSON.parse(solution) }), JSON.parse(stdout), `${game} ${more}`);
    }
    await run(["solve", "tic-tac-toe", `--save=${path}`]);
    const solution = JSON.parse(readFileSync(path, "utf8").replace("133/256", "134/256"));
    assert.equal((await richman.verify({ solution })).valid, false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("records are reviewed, and games exported", async () => {
  for (const name of ["poorman.txt", "scores.txt", "hex.txt"]) {
    const record = text(`${INPUTS}/${name}`);
    const printed = await run(["review", here(`${INPUTS}/${name}`), "--json"]);
    assert.deepEqual(await richman.review({ record }), JSON.parse(printed.stdout), name);
    assert.match((await richman.reviewSvg({ record })) ?? "<svg", /^<svg/);
  }
  const record = `[Game "coin"] [File "coin.json"] [Alice "4*"] [Bob "4"] 1. 3-1 Alice won`;
  await assert.rejects(richman.review({ record }), /coin\.json/);
  const exported = await richman.exportGame({ game: "tic-tac-toe:rows=2,cols=3,line=2" });
  const printed = await run(["export", "tic-tac-toe:rows=2,cols=3,line=2"]);
  assert.deepEqual(exported, JSON.parse(printed.stdout));
  const report = await richman.solve({ file: exported, total: 6 });
  assert.deepEqual(report.win, (await richman.solve({ game: "tic-tac-toe:rows=2,cols=3,line=2", total: 6 })).win);
});

test("files in other forms are those of the command", async () => {
  let converted = 0;
  for (const [path, text] of [...files, [here("examples/towers.gm"), readFileSync(here("examples/towers.gm"), "utf8")]]) {
    for (const to of ["json", "gm", "drn", "tra", "lab", "sol"]) {
      const { stdout, stderr, status } = await run(["convert", path, "-", `--to=${to}`]);
      const found = await richman.convert({ file: text, to }).catch((error) => {
        assert.ok(status === 2 && ["bad-request", "unfit"].includes(error.code), `${path} ${to}: ${error} ${stderr}`);
      });
      // A file without a name of its own has that of the file, which is not sent.
      const wanted = path.endsWith(".gm") ? stdout.replaceAll("towers", "file") : stdout;
      assert.equal(found, status === 0 ? wanted : undefined, `${path} ${to}`);
      converted += status === 0;
    }
  }
  assert.ok(converted > 2 * files.length, `${converted}`);
});

test("figures are those of the command", async () => {
  const same = async (drawing, ...args) => {
    assert.equal((await drawing).trimEnd(), (await run([...args, "--svg=-"])).stdout.trimEnd());
  };
  await same(richman.solveSvg({ game: "hex:size=3" }), "solve", "hex:size=3");
  await same(richman.tableSvg({ game: "tic-tac-toe", chips: "0..20" }), "table", "tic-tac-toe", "--chips=0..20");
  await same(richman.treeSvg({ game: "tug-of-war" }), "tree", "tug-of-war");
  assert.equal(await richman.solveSvg({ game: "expr:A & B" }), null);
});
