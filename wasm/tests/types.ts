// Compiles if the types are right: no test runs it.

import { list, Match, RichmanError, solve, table, Workbench } from "../target/package/richman.js";

export async function worth(): Promise<string | undefined> {
  const report = await solve({ game: "tic-tac-toe", mechanism: { payment: "poorman" } }, { time: 1, onProgress: ({ done }) => done });
  if ("win" in report && typeof report.win === "object" && report.win !== null && "value" in report.win) return String(report.win.value);
  const rows = await table({ game: "hex:size=3", chips: [0, 8], of: "bob" });
  const names: string[] = (await list()).games.map((game) => game.name);
  const bench = new Workbench();
  bench.close();
  return "rows" in rows ? names[0] : undefined;
}

export function refused(error: unknown): string[] {
  return error instanceof RichmanError ? error.remedies.map(({ remedy }) => remedy) : [];
}

// @ts-expect-error: there is no such key
void solve({ gam: "tic-tac-toe" });
// @ts-expect-error: a table is about chips
void table({ game: "tic-tac-toe" });

export async function bids(): Promise<[number, number][] | undefined> {
  const match = await Match.begin({ game: "hex:size=3", seats: { alice: "person", bob: { computer: "best" } }, seed: 3 });
  await match.act("alice", { bid: 2 });
  await match.act("alice", "resign");
  const again = Match.load(JSON.parse(JSON.stringify(match)));
  const { decision, turns } = await again.view("alice");
  const winner: "alice" | "bob" | null | undefined = turns[0]?.winner;
  if (winner) return undefined;
  return decision?.kind === "bid" ? decision.bids.map(([first, last]) => [first, last]) : undefined;
}

// @ts-expect-error: no number is a game file
void solve({ file: 5 });
// @ts-expect-error: a match is begun or loaded
void new Match();
// @ts-expect-error: somebody has to play
void Match.begin({ game: "tic-tac-toe" });
