// The types of the package. Documents in answers are described in reports.d.ts; requests, and matches as they are seen,
// in requests.d.ts.

import type * as Reports from "./reports.js";
import type {
  Action, CompareRequest, ConvertRequest, ExportRequest, ListRequest, Match as SeenMatch, NewMatch, Player, RandomTurnRequest,
  ReviewRequest, ToSolve as SolveRequest, ToTabulate as TableRequest, TreeRequest, VerifyRequest,
} from "./requests.js";

export type * from "./reports.js";
export type {
  Action, CompareRequest, ConvertRequest, ExportRequest, ListRequest, NewMatch, RandomTurnRequest, ReviewRequest, SeenMatch,
  Player, SolveRequest, TableRequest, TreeRequest, VerifyRequest,
};

/** What a question may take, and who hears of it. */
export interface Options {
  /** Seconds. */
  time?: number;
  /** Bytes; 512 MiB if left out. The module takes 1 GiB at most. */
  memory?: number;
  positions?: number;
  /** Cancels the question. */
  signal?: AbortSignal;
  onProgress?: (progress: { stage: string; done: number; total?: number }) => void;
}

/** What would help a refused request. */
export interface Remedy {
  /** less, money, later-position, smaller-game, leave-out, add, change, table or path. */
  remedy: string;
  /** The key or the function that it is about. */
  key: string | null;
}

export class RichmanError extends Error {
  constructor(refusal: { code: string; message: string; remedies?: Remedy[] });
  /**
   * bad-request, unfit, out-of-time, out-of-memory, cancelled or internal; of a match also illegal, not-now, over,
   * conflict or too-large.
   */
  code: string;
  remedies: Remedy[];
}

/** The games, or one of them. */
export function list(request?: ListRequest, options?: Options): Promise<Reports.GameList>;
/** What a position is worth. */
export function solve(request: SolveRequest, options?: Options): Promise<Reports.Report>;
/** The board with the best moves for real money; null without a board. */
export function solveSvg(request: SolveRequest, options?: Options): Promise<string | null>;
/** The thresholds for a range of chips. */
export function table(request: TableRequest, options?: Options): Promise<Reports.Table>;
export function tableSvg(request: TableRequest, options?: Options): Promise<string>;
/** The tree of best moves. */
export function tree(request: TreeRequest, options?: Options): Promise<Reports.TreeReport>;
export function treeSvg(request: TreeRequest, options?: Options): Promise<string>;
/** The order of two games. */
export function compare(request: CompareRequest, options?: Options): Promise<Reports.CompareReport>;
/** The chances where a coin decides who moves. */
export function randomTurn(request: RandomTurnRequest, options?: Options): Promise<Reports.RandomTurnReport>;
/** Proves a saved solution. */
export function verify(request: VerifyRequest, options?: Options): Promise<Reports.VerifyReport>;
/** The review of a match. */
export function review(request: ReviewRequest, options?: Options): Promise<Reports.Review>;
/** Both players' margins, drawn; null if there are none. */
export function reviewSvg(request: ReviewRequest, options?: Options): Promise<string | null>;
/** The game file of a game. */
export function exportGame(request: ExportRequest, options?: Options): Promise<object>;

/** A game file in another form, as text. */
export function convert(request: ConvertRequest, options?: Options): Promise<string>;

/** A position as it is drawn, and the moves from there. */
export interface Board {
  game: string;
  position: string;
  /** Who won, `"draw"`, or Alice's points; null while the game goes on. */
  end: string | null;
  svg: string;
  moves: { alice: BoardMove[]; bob: BoardMove[] };
}

export interface BoardMove {
  move: string;
  /** The values of `data-place` in the drawing to press for it, in order. */
  places: string[];
  /** The position after it. */
  position: string;
}

export function board(request: ExportRequest, options?: Options): Promise<Board>;

/** A match as a document: what happened in it, sealed bids and the computer's seed too. */
export type KeptMatch = { form: number; setup: object; actions: [Player, Action][] };

/**
 * A match. A person's seat is `"person"`, the computer's `{ computer: "beginner" }`, with a level as `list` has them.
 * Calls follow each other, also if nobody waits for them.
 */
export class Match {
  private constructor();
  /** A new match. The same seed and actions give the same match; it is random if left out. */
  static begin(setup: Omit<NewMatch, "one_screen"> & { seed?: number }, options?: { workbench?: Workbench }): Promise<Match>;
  /** A match that was kept. */
  static load(kept: KeptMatch, options?: { workbench?: Workbench }): Match;
  toJSON(): KeptMatch;
  /** The match as a viewer may see it, with the decision that is due from this viewer. A spectator if left out. */
  view(viewer?: "alice" | "bob" | "both" | "spectator", options?: Options): Promise<SeenMatch>;
  /** Acts for a person. */
  act(player: Player, action: Action, options?: Options): Promise<void>;
  /**
   * Lets computer players decide until a person has to, or the match is over. `time` is that of each decision; with
   * it, the same seed need not give the same match.
   */
  computers(options?: Options): Promise<void>;
  /** The best choice for the decision that is due from a player. `best` is empty before a bid. */
  hint(player: Player, options?: Options): Promise<{ text: string; best: Action[] }>;
  /** The record, with the game file if it names one. */
  record(options?: Options): Promise<ReviewRequest>;
  /** What each turn was worth, and its mistakes. */
  review(options?: Options): Promise<Reports.Review>;
  /** The return match, with the sides exchanged. */
  rematch(options?: Options): Promise<Match>;
}

/** A worker of one's own: its questions do not wait for those of others. */
export class Workbench {
  ask(name: string, request?: object, options?: Options): Promise<unknown>;
  /** Ends the worker. */
  close(): void;
}
