// The functions of the package. Each question runs in a worker, so that nobody waits for it; a worker whose question is
// cancelled, or too much for it, is replaced.

const MOST_BYTES = 2 ** 30;

/** Why a question has no answer: `message` for people, `code` and `remedies` for programs. */
export class RichmanError extends Error {
  constructor({ code, message, remedies = [] }) {
    super(message);
    this.name = "RichmanError";
    this.code = code;
    this.remedies = remedies;
  }
}

// Deno has the workers of Node too, which let a program end.
const isNode = typeof process === "object" && Boolean(process.versions?.node);

let compiled;

/** The module, compiled once for all workers. */
function compile() {
  compiled ??= (async () => {
    const address = new URL("./module_bg.wasm", import.meta.url);
    if (isNode) {
      const { readFile } = await import("node:fs/promises");
      return WebAssembly.compile(await readFile(address));
    }
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return WebAssembly.compile(await answer.arrayBuffer());
  })();
  compiled.catch(() => (compiled = undefined)); // the next question tries again
  return compiled;
}

/** A worker of whichever kind there is. */
async function startWorker(hear) {
  let worker, end;
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    worker = new Worker(new URL("./worker.js", import.meta.url));
    worker.on("message", hear);
    worker.on("error", (error) => hear({ trap: String(error.message ?? error) }));
    worker.unref();
    end = () => worker.terminate();
  } else {
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = (event) => hear(event.data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      hear({ trap: event.message ?? "the worker did not start" });
    };
    end = () => worker.terminate();
  }
  const holdOpen = (isAtWork) => (isAtWork ? worker.ref?.() : worker.unref?.());
  return { post: (message) => worker.postMessage(message), end, holdOpen };
}

/** Answers questions one after another, in a worker of its own. */
export class Workbench {
  #worker;
  #hear = () => {};
  #last = Promise.resolve();

  /** Asks one function. The functions of the package are shorter. */
  ask(name, request = {}, options = {}) {
    const answer = this.#last.then(() => this.#ask(name, request, options));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the worker; a question that it works at is not answered. The next question starts another. */
  close() {
    this.#worker?.then((worker) => worker.end()).catch(() => {});
    this.#worker = undefined;
    this.#hear({ refused: { code: "cancelled", message: "the workbench was closed" } });
  }

  async #start() {
    const module = await compile();
    const worker = await startWorker((message) => this.#hear(message));
    worker.post({ module });
    return worker;
  }

  async #ask(name, request, { signal, onProgress, ...limits }) {
    const cancelled = () => signal.reason ?? new DOMException("the question was cancelled", "AbortError");
    if (signal?.aborted) throw cancelled();
    this.#worker ??= this.#start();
    const starting = this.#worker;
    const drop = () => {
      starting.then((worker) => worker.end()).catch(() => {});
      if (this.#worker === starting) this.#worker = undefined;
    };
    let stop;
    try {
      const worker = await starting;
      if (signal?.aborted) throw cancelled();
      worker.holdOpen(true);
      return await new Promise((resolve, reject) => {
        stop = () => {
          drop();
          reject(cancelled());
        };
        signal?.addEventListener("abort", stop);
        this.#hear = (message) => {
          if (message.progress) onProgress?.(message.progress);
          else if (message.refused) reject(new RichmanError(message.refused));
          else if (message.trap) {
            drop();
            reject(new RichmanError(explained(message)));
          } else resolve(JSON.parse(message.answer));
        };
        worker.post({ name, request: JSON.stringify(request), limits: JSON.stringify(limits) });
      }).finally(() => worker.holdOpen(false));
    } catch (error) {
      if (this.#worker === starting) starting.catch(() => (this.#worker = undefined));
      throw error;
    } finally {
      this.#hear = () => {};
      if (stop) signal?.removeEventListener("abort", stop);
    }
  }
}

/** The end of a worker as a refusal. */
function explained({ trap, bytes = 0 }) {
  if (bytes > 0.9 * MOST_BYTES) {
    const message = "this takes more memory than there is: lower memory, or ask for less";
    return { code: "out-of-memory", message, remedies: [{ remedy: "change", key: "memory" }] };
  }
  const message = `a fault of Richman; please report it with the question that you asked (${trap})`;
  return { code: "internal", message };
}

/**
 * A match. Everything that happened in it is in the document that `toJSON` returns and `load` takes back, sealed bids
 * and the computer's seed too: whoever has it acts for every person.
 */
export class Match {
  #saved;
  #workbench;
  #last = Promise.resolve();

  constructor(saved, workbench) {
    this.#saved = saved;
    this.#workbench = workbench;
  }

  /** A new match. */
  static async begin({ seed, ...setup }, { workbench = shared } = {}) {
    return new Match(await workbench.ask("matchBegin", { setup, seed }), workbench);
  }

  /** A match that was kept. */
  static load(saved, { workbench = shared } = {}) {
    return new Match(structuredClone(saved), workbench);
  }

  toJSON() {
    return structuredClone(this.#saved);
  }

  /** One after another, so that each works on the match that the one before left. */
  #inTurn(work) {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #ask(name, request, options) {
    return this.#workbench.ask(name, { match: this.#saved, ...request }, options);
  }

  #change(name, request, options) {
    return this.#inTurn(async () => {
      this.#saved = await this.#ask(name, request, options);
    });
  }

  /** The match as a viewer may see it: alice, bob, both at one screen, or a spectator. */
  view(viewer = "spectator", options) {
    return this.#inTurn(() => this.#ask("matchView", { viewer }, options));
  }

  /** Acts for a person. */
  act(player, action, options) {
    return this.#change("matchAct", { player, action }, options);
  }

  /** Lets computer players decide until a person has to, or the match is over. */
  computers(options) {
    return this.#inTurn(async () => {
      // What was decided is kept, also if the next decision is refused or cancelled.
      for (let waits = true; waits; ) ({ match: this.#saved, waits } = await this.#ask("matchComputers", {}, options));
    });
  }

  /** The best choice for a player's pending decision. */
  hint(player, options) {
    return this.#inTurn(async () => {
      const { match, hint } = await this.#ask("matchHint", { player }, options);
      this.#saved = match;
      return hint;
    });
  }

  /** The record, with the game file if it names one: what `review` takes. */
  record(options) {
    return this.#inTurn(() => this.#ask("matchRecord", {}, options));
  }

  /** What each turn was worth, and its mistakes. */
  async review(options) {
    return this.#workbench.ask("review", await this.record(options), options);
  }

  /** The return match, with the sides exchanged. */
  async rematch(options) {
    return new Match(await this.#inTurn(() => this.#ask("matchRematch", {}, options)), this.#workbench);
  }
}

const shared = new Workbench();
const asks = (name) => (request, options) => shared.ask(name, request, options);

export const list = asks("list");
export const solve = asks("solve");
export const solveSvg = asks("solveSvg");
export const table = asks("table");
export const tableSvg = asks("tableSvg");
export const tree = asks("tree");
export const treeSvg = asks("treeSvg");
export const compare = asks("compare");
export const randomTurn = asks("randomTurn");
export const verify = asks("verify");
export const review = asks("review");
export const reviewSvg = asks("reviewSvg");
export const exportGame = asks("export");
export const convert = asks("convert");
export const board = asks("board");
