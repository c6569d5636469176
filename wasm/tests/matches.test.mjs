// Matches: what a page or a program does with one, and that computer players decide as they do natively.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { Match, RichmanError, Workbench } from "../target/package/richman.js";

const native = process.env.RICHMAN_ANSWERS ?? fileURLToPath(new URL("../../target/release/richman-answers", import.meta.url));

const refusal = async (answer) => {
  const error = await answer.then(() => assert.fail("it was answered"), (error) => error);
  assert.ok(error instanceof RichmanError, `${error}`);
  return error;
};

/** Random numbers that are the same every time. */
function numbers(seed) {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n;
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
    return Number((state >> 33n) % BigInt(below));
  };
}

/** Any allowed action for a decision. */
function anyAction({ kind, bids, moves, may_let, may_stay }, number) {
  if (kind === "bid") {
    const [first, last] = bids[number(bids.length)];
    return { bid: first + number(last - first + 1) };
  }
  if (kind === "star") return { use_star: number(2) === 1 };
  if (may_let && number(8) === 0) return "let";
  return may_stay ? "stay" : { move: moves[number(moves.length)] };
}

/** A workbench whose answers must be those of the module compiled for this machine. */
class ComparedWorkbench extends Workbench {
  #program = spawn(native);
  #lines = createInterface({ input: this.#program.stdout })[Symbol.asyncIterator]();
  compared = 0;

  async ask(name, request, options = {}) {
    this.#program.stdin.write(`${JSON.stringify([name, JSON.stringify(request), "{}"])}\n`);
    const asked = super.ask(name, request, options).catch((error) => error);
    const [found, { value: line }] = await Promise.all([asked, this.#lines.next()]);
    this.compared += 1;
    if (line.startsWith("!")) {
      assert.equal(found.message, JSON.parse(line.slice(1)).message);
      throw found;
    }
    assert.deepEqual(found, JSON.parse(line), `${name} ${JSON.stringify(request)}`);
    return found;
  }

  async close() {
    super.close();
    this.#program.stdin.end();
    const [status] = await once(this.#program, "exit");
    assert.equal(status, 0);
  }
}

const person = "person";
const computer = (level) => ({ computer: level });

test("a match against the computer, from its setup to its review", async () => {
  const match = await Match.begin({ game: "tic-tac-toe", seats: { alice: person, bob: computer("greedy") }, total: 9, seed: 3 });
  const hints = [];
  for (;;) {
    await match.computers();
    const { decision, result } = await match.view("alice");
    if (result) break;
    const { text, best } = await match.hint("alice");
    hints.push(text);
    await match.act("alice", best[0] ?? { bid: decision.bids[0][0] });
  }
  assert.ok(hints.length > 2 && hints.every((hint) => hint.startsWith("Hint: ")), hints.join("\n"));
  const seen = await match.view();
  assert.equal(seen.stage, "over");
  assert.equal(seen.you, "spectator");
  assert.ok(seen.turns.length > 2);
  const { record } = await match.record();
  assert.match(record, /\[BobComputer "greedy"\]/);
  const review = await match.review();
  assert.equal(review.turns.length, seen.turns.length);
  const back = await match.rematch();
  assert.deepEqual((await back.view()).seats, { alice: computer("greedy"), bob: person });
});

test("a sealed bid is in no view, and in the document alone", async () => {
  const match = await Match.begin({ game: "tic-tac-toe", seats: { alice: person, bob: person }, seed: 1 });
  const before = await Promise.all(["alice", "bob", "both", "spectator"].map((viewer) => match.view(viewer)));
  await match.act("alice", { bid: 5 });
  for (const viewer of ["alice", "bob", "both", "spectator"]) {
    const { named_bid, open_turn, turns, waiting_for } = await match.view(viewer);
    assert.deepEqual([named_bid, open_turn, turns, waiting_for], [null, null, [], ["bob"]]);
  }
  assert.deepEqual(before.map(({ decision }) => decision?.player), ["alice", "bob", "alice", undefined]);
  assert.match(JSON.stringify(match), /"bid":5/);
});

test("the name of a match does not tell its seed", async () => {
  const setup = { game: "tic-tac-toe", seats: { alice: person, bob: computer("greedy") } };
  const names = await Promise.all([1, 2].map(async (seed) => (await (await Match.begin({ ...setup, seed })).view()).id));
  assert.equal(names[0], names[1]);
});

test("what computers decided is kept when the next decision is cancelled", async () => {
  const bench = new Workbench();
  const seats = { alice: computer("monte-carlo:fillings=50000000"), bob: computer("random") };
  const match = await Match.begin({ game: "hex:size=5", seats, seed: 4 }, { workbench: bench });
  await assert.rejects(match.computers({ signal: AbortSignal.timeout(3000) }), { name: "TimeoutError" });
  const { turns, stage } = await match.view();
  assert.ok(turns.length > 0 && stage !== "over", `${turns.length} turns`);
  const late = await refusal(match.computers({ time: 0.05 }).then(() => Promise.reject(new RichmanError({ code: "over" }))));
  assert.ok(["out-of-time", "over"].includes(late.code), late.message);
  bench.close();
});

test("a kept match goes on, also when its worker was lost", async () => {
  const bench = new Workbench();
  const match = await Match.begin({ game: "hex:size=3", seats: { alice: person, bob: computer("best") } }, { workbench: bench });
  await match.act("alice", { bid: 2 });
  bench.close();
  await match.computers();
  const kept = JSON.parse(JSON.stringify(match));
  bench.close();
  const again = Match.load(kept);
  assert.deepEqual(await again.view("alice"), await match.view("alice"));
  bench.close();
});

test("calls that are not awaited follow each other", async () => {
  const match = await Match.begin({ game: "tic-tac-toe", seats: { alice: person, bob: person }, star: "bob" });
  const acts = [match.act("alice", { bid: 3 }), match.act("bob", { bid: 2 }), match.act("alice", { move: "b2" })];
  const seen = await match.view("both");
  await Promise.all(acts);
  assert.equal(seen.turns[0].move, "b2");
});

test("a match with a game file, as text", async () => {
  const positions = { s: { alice: ["t"], bob: ["l"] }, t: { alice: ["w"], bob: ["s"] }, w: { winner: "alice" }, l: { winner: "bob" } };
  const file = JSON.stringify({ name: "ladder", start: "s", positions });
  const match = await Match.begin({ file, seats: { alice: computer("perfect"), bob: computer("perfect") }, total: 4 });
  await match.computers();
  assert.equal((await match.view()).stage, "over");
  assert.ok((await match.record()).file);
  assert.ok((await match.review()).turns.length > 0);
});

test("what is not allowed is refused, and the match is as it was", async () => {
  const seats = { alice: person, bob: computer("beginner") };
  const match = await Match.begin({ game: "tic-tac-toe", seats, seed: 2 });
  const kept = JSON.stringify(match);
  for (const [ask, said, code] of [
    [() => match.act("alice", { bid: 99 }), /99/, "illegal"], [() => match.act("bob", { bid: 1 }), /the computer plays for Bob/, "bad-request"],
    [() => match.act("alice", { move: "b2" }), /./, "not-now"], [() => match.act("carol", { bid: 1 }), /carol/, "bad-request"],
    [() => match.act("alice", { bet: 1 }), /bet/, "bad-request"], [() => match.view("carol"), /alice, bob, both/, "bad-request"],
    [() => match.rematch(), /not over/, "conflict"], [() => match.hint("carol"), /carol/, "bad-request"],
    [() => Match.begin({ game: "tic-tac-toe" }), /seats/, "bad-request"], [() => Match.begin({ game: "nosuch", seats }), /nosuch/, "unfit"],
    [() => Match.begin({ game: "tic-tac-toe", seats: { alice: "invited", bob: person } }), /write person/, "bad-request"],
    [() => Match.begin({ game: "tic-tac-toe", seats: { alice: person, bob: computer("genius") } }), /genius/, "bad-request"],
    [() => Match.begin({ game: "tic-tac-toe", seats, total: 2 ** 31 }), /chips/, "bad-request"],
    [() => Match.begin({ game: "tic-tac-toe", seats, seed: 2 ** 53 }), /seed/, "bad-request"],
    [() => Match.load({ ...JSON.parse(kept), form: 2 }).view(), /another version/, "bad-request"],
    [() => Match.load({}).view(), /form/, "bad-request"], [() => Match.load({ ...JSON.parse(kept), actions: [["alice", { bid: 99 }]] }).view(), /another version, or changed/, "bad-request"],
  ]) {
    const error = await refusal(ask());
    assert.match(error.message, said);
    assert.equal(error.code, code, error.message);
    assert.doesNotMatch(error.message, /--\w|\/api\//);
  }
  assert.equal(JSON.stringify(match), kept);
});

test("ten thousand matches by the same seeds are the same as natively", async () => {
  const MATCHES = 10_000;
  const all = ["random", "greedy", "beginner", "intermediate", "advanced", "best", "perfect", "rounding", "best:errs=1/3"];
  const some = ["random", "greedy", "perfect", "best:errs=1/3"];
  const kinds = [
    ["tic-tac-toe", {}, all], ["tic-tac-toe", { payment: "poorman", ties: "alice" }, all], ["tic-tac-toe", { bids: "0+1+3" }, all],
    ["hex:size=3", {}, all], ["hex:size=6", {}, ["random", "greedy", "best"]], ["connect:rows=3,cols=3,line=3", { right: "moves" }, all],
    ["tug-of-war:length=4", { ties: "marker" }, all], ["expr:(A & B^2) & B", { bidding: "alice-first" }, all],
    ["chess:size=4,pieces=KRK", {}, some], ["subtraction:heap=6,set=1+2", { preset: "larsson" }, some],
  ];
  const totals = [1, 4, 7, 16];
  const bench = new ComparedWorkbench();
  const ends = {};
  try {
    for (let seed = 0; seed < MATCHES; seed += 1) {
      const number = numbers(seed);
      const [game, mechanism, levels] = kinds[Math.floor((seed * kinds.length) / MATCHES)];
      const level = () => levels[number(levels.length)];
      // Every tenth has a person who does whatever is allowed.
      const seats = { alice: seed % 10 === 0 ? person : computer(level()), bob: computer(level()) };
      const total = totals[number(totals.length)];
      const match = await Match.begin({ game, mechanism, seats, total, limit: 60, seed }, { workbench: bench });
      for (;;) {
        await match.computers();
        if (seats.alice !== person) break;
        const { decision } = await match.view("alice");
        if (!decision) break;
        await match.act("alice", anyAction(decision, number));
      }
      const { record } = await match.record();
      const [, end] = record.match(/\[Result "(.*?)"\]/) ?? [];
      ends[end] = (ends[end] ?? 0) + 1;
    }
  } finally {
    await bench.close();
  }
  assert.ok(bench.compared > 3 * MATCHES);
  assert.ok(Object.keys(ends).length >= 3, JSON.stringify(ends));
});
