// The types of the package. Documents in answers are described in reports.d.ts.

import type * as Reports from "./reports.js";

export type * from "./reports.js";

/** The rules: exactly one of the two. */
export interface GameOrFile {
  /** The game with its parameters, as `list` has them: `"tic-tac-toe"`, `"hex:size=5"`, `"expr:A & B"`. */
  game?: string;
  /** A game file: the object, or the text of a file in another form. */
  file?: object | string;
}

/** How bids are made, won and paid: a preset, and choices that replace its own. */
export interface MechanismChoice {
  /** develin-payne, larsson or gasarch. */
  preset?: string;
  /** richman, poorman, or taxman:T. */
  payment?: string;
  /** advantage, marker, alice, bob, loser or winner. */
  ties?: string;
  /** sealed, alice-first or bob-first. */
  bidding?: string;
  /** chooses or moves. */
  right?: string;
  /** all, or the amounts that may be bid, such as 0+5. */
  bids?: string;
}

/** A position, and how it is played. */
export interface Played extends GameOrFile {
  /** The position in the game's notation; the start if left out. */
  position?: string;
  mechanism?: MechanismChoice;
  /** The number of moves after which a play is a draw. */
  within?: number;
}

/** A number of chips, or with the star text such as `"4*"`. */
export type Hand = number | string;

export interface SolveRequest extends Played {
  /** Chips in the game; without them and without holdings the question is about real money. */
  total?: number;
  holdings?: { alice: Hand; bob: Hand };
  /** Alice's share of the money as a fraction, in a game for a long-run average. */
  share?: string;
  /** The long-run average with which Alice wins, as a fraction. */
  at_least?: string;
  /** Whether to report the least credits too, in a game for a long-run average with chips. */
  credits?: boolean;
}

export interface TableRequest extends Played {
  /** The first and the last number of chips: `[0, 31]` or `"0..31"`. */
  chips: [number, number] | string;
  at_least?: string;
  /** Whose chips these are; if left out, the total, or Bob's chips with payment to the bank. */
  of?: "alice" | "bob";
}

export interface TreeRequest extends Played {
  total?: number;
  at_least?: string;
  /** Whether the tree has every equally good move. */
  all?: boolean;
  /** Whether it is that of the draw threshold. */
  draw?: boolean;
  /** Whether it has the positions that are won at once. */
  full?: boolean;
  /** Whether it leaves out what equals A^n, B^n or E. */
  short?: boolean;
  /** The number of moves after which it is cut. */
  depth?: number;
}

export interface CompareRequest extends Played {
  other_game?: string;
  other_file?: object | string;
  other_position?: string;
}

export interface RandomTurnRequest extends GameOrFile {
  position?: string;
  /** The most moves to look ahead, and in a game played out. */
  within?: number;
  /** The number of games played for each end of an interval. */
  games?: number;
  seed?: number;
}

export interface VerifyRequest {
  /** A saved solution. */
  solution: object;
}

export interface ReviewRequest {
  /** The record of a match. */
  record: string;
  /** The game file with the rules, if the record names one. */
  file?: object | string;
}

export interface ExportRequest extends GameOrFile {
  position?: string;
}

export interface ListRequest {
  /** One game, also with parameters; all games if left out. */
  game?: string;
}

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
  /** bad-request, unfit, out-of-time, out-of-memory, cancelled or internal. */
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
export function exportGame(request: ExportRequest, options?: Options): Promise<object>;

/** A worker of one's own: its questions do not wait for those of others. */
export class Workbench {
  ask(name: string, request?: object, options?: Options): Promise<unknown>;
  /** Ends the worker. */
  close(): void;
}
