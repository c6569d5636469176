// The other side of `Workbench`: the module, and one question after another.

import { answer, initSync } from "./module.js";

const isNode = typeof process === "object" && Boolean(process.versions?.node);
const BETWEEN_MILLISECONDS = 50;

let port = globalThis;
let memory;
let told = 0;

globalThis.richmanHost = {
  progress(stage, done, total) {
    const now = performance.now();
    if (now < told + BETWEEN_MILLISECONDS) return;
    told = now;
    port.postMessage({ progress: { stage, done, total } });
  },
};

/** What a question leads to. */
function answered({ name, request, limits }) {
  told = performance.now();
  try {
    return { answer: answer(name, request, limits) };
  } catch (error) {
    if (typeof error === "string") return { refused: JSON.parse(error) };
    return { trap: String(error?.message ?? error), bytes: memory.buffer.byteLength };
  }
}

function hear(message) {
  if (message.module) memory = initSync({ module: message.module }).memory;
  else port.postMessage(answered(message));
}

// Without waiting in a browser, where a message may come at once.
if (isNode) {
  import("node:worker_threads").then(({ parentPort }) => {
    port = parentPort;
    port.on("message", hear);
  });
} else port.onmessage = (event) => hear(event.data);
