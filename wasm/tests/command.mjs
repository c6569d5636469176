// The command, which the package must agree with.

import { spawn } from "node:child_process";
import { text as read } from "node:stream/consumers";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const program = process.env.RICHMAN_BINARY ?? fileURLToPath(new URL("target/release/richman", root));

/** The path of a file of the project, and its text. */
export const here = (path) => fileURLToPath(new URL(path, root));
export const text = (path) => readFileSync(here(path), "utf8");

/** What the command prints for these arguments, with `input` as its standard input. */
export async function run(args, input) {
  const command = spawn(program, args);
  const ended = new Promise((resolve, reject) => command.on("error", reject).on("close", resolve));
  command.stdin.on("error", () => {}); // it may end before it reads
  command.stdin.end(input);
  const [stdout, stderr, status] = await Promise.all([read(command.stdout), read(command.stderr), ended]);
  return { stdout, stderr, status };
}

/** A request as the flags of the command. */
export function flags({ game, file, mechanism = {}, holdings = {}, chips, of, ...rest }) {
  const renamed = { total: "chips" };
  const pairs = [...Object.entries(mechanism), ...Object.entries(holdings), ...Object.entries(rest)];
  if (chips) pairs.push([of ?? "chips", chips]);
  const flag = ([key, value]) => {
    const name = `--${(renamed[key] ?? key).replaceAll("_", "-")}`;
    return value === true ? name : `${name}=${value}`;
  };
  return pairs.map(flag);
}

/** The document that the command prints for a request, whose file is at that path, or `refused` with its reason. */
export async function document(command, request, path) {
  const { stdout, stderr, status } = await run([command, request.game ?? path, ...flags(request), "--json"]);
  return status === 2 ? { refused: stderr } : { document: JSON.parse(stdout) };
}
