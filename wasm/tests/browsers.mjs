// A folder over HTTP, and windows of browsers that are told what to do by their drivers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** The files of a folder below a path; `lost` is the file for all other addresses. */
export async function served(folder, path = "", lost = undefined) {
  const file = async (address) => {
    if (!address.startsWith(`${path}/`)) throw new Error("elsewhere");
    const name = decodeURIComponent(address.slice(path.length + 1).split(/[?#]/)[0]);
    const whole = name === "" || name.endsWith("/") ? `${name}index.html` : name;
    return [await readFile(new URL(whole, folder)), TYPES[extname(whole)] ?? "text/plain"];
  };
  const server = createServer(async (request, answer) => {
    try {
      const [body, type] = await file(request.url);
      answer.writeHead(200, { "Content-Type": type }).end(body);
    } catch (error) {
      // A folder without its slash, as servers of files do.
      if (error.code === "EISDIR") return answer.writeHead(301, { Location: request.url.replace(/(?=\?|$)/, "/") }).end();
      const body = lost ? await readFile(new URL(lost, folder)) : "";
      answer.writeHead(404, { "Content-Type": "text/html" }).end(body);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A window of Chromium, as a function that asks its driver. */
export function chromium(context, options = []) {
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...options];
  const capabilities = { browserName: "chrome", "goog:chromeOptions": { args } };
  return driven(context, "chromedriver", /successfully on port (\d+)/, capabilities);
}

/** A window of Firefox. `browser/get-tools` gets its driver. */
export function firefox(context) {
  const driver = fileURLToPath(new URL("../../browser/target/tools/bin/geckodriver", import.meta.url));
  const capabilities = { browserName: "firefox", "moz:firefoxOptions": { args: ["-headless"] } };
  return driven(context, driver, /Listening on [\d.]+:(\d+)/, capabilities);
}

async function driven(context, program, said, capabilities) {
  const driver = spawn(program, ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
  let address;
  context.after(async () => {
    // The driver closes the window; killed, it would leave it.
    if (address) await fetch(address, { method: "DELETE" }).catch(() => {});
    driver.kill();
  });
  const port = await new Promise((resolve, reject) => {
    driver.on("error", reject);
    let lines = "";
    driver.stdout.on("data", (text) => {
      lines += text;
      const found = said.exec(lines);
      if (found) resolve(found[1]);
    });
  });
  const ask = async (path, body) => {
    const request = { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const { value } = await (await fetch(`${address ?? `http://127.0.0.1:${port}/session`}${path}`, request)).json();
    assert.ok(!value?.error, JSON.stringify(value));
    return value;
  };
  const { sessionId } = await ask("", { capabilities: { alwaysMatch: capabilities } });
  address = `http://127.0.0.1:${port}/session/${sessionId}`;
  return ask;
}

/** The result of a script in the window once it is true. */
export async function until(ask, script, seconds = 20) {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const found = await ask("/execute/sync", { script: `return ${script}`, args: [] });
    if (found) return found;
    if (performance.now() > end) {
      const page = await ask("/execute/sync", { script: "return location.href + ' ' + document.body.innerText", args: [] });
      assert.fail(`${script} is not true at ${page.slice(0, 1500)}`);
    }
    await wait(20);
  }
}
