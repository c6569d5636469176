// Runs unit tests that were compiled for the module's target. Standard input is what cargo says of them as JSON; the
// argument is the path of richman-bindgen. A test that fails ends its module, whose stack names it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const [bindgen] = process.argv.slice(2);
const said = (await text(process.stdin)).split("\n").filter((line) => line.startsWith("{"));
const modules = said.map((line) => JSON.parse(line)).filter(({ executable, profile }) => executable && profile.test);
if (modules.length === 0) throw new Error("cargo compiled no tests");

// Tests ask for the time, so something ran if somebody did.
let asked = 0;
const now = performance.now.bind(performance);
performance.now = () => {
  asked += 1;
  return now();
};

for (const { executable, target } of modules) {
  const folder = mkdtempSync(join(tmpdir(), "richman-"));
  try {
    const { status, stderr } = spawnSync(bindgen, [executable, folder], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    const { initSync } = await import(join(folder, "module.js"));
    const begun = now();
    try {
      initSync({ module: new WebAssembly.Module(readFileSync(join(folder, "module_bg.wasm"))) }); // and runs them
    } catch (error) {
      console.error(`${target.name}: a unit test fails on 32 bits\n${error.stack.replace(/ \(wasm:.*/g, "")}`);
      process.exitCode = 1;
      continue;
    }
    console.log(`${target.name}: all unit tests hold on 32 bits (${((now() - begun) / 1000).toFixed(1)} s)`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
if (asked === 0) throw new Error("no test ran");
