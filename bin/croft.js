#!/usr/bin/env node
// Starts the command line on a Node.js that is new enough. Plain JavaScript, so that an old one can run it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const NEEDED = 24;
const program = new URL("../dist/bundle/croft.js", import.meta.url);

if (!existsSync(program)) {
  fail("croft is not built yet: run `npm run build` in its folder");
} else if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  await import(program.href);
} else {
  const newer = bundledNode();
  if (newer === undefined) {
    fail(
      `croft needs Node.js ${NEEDED} or newer, and this is ${process.versions.node}: install it, run npm ci in a clone, ` +
        `or where croft was installed run npm install node-${process.platform}-${process.arch}@${NEEDED}, which it then uses (both with --global or without)`,
    );
  } else {
    runOn(newer);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** The Node.js that a clone's own packages, or one installed beside this, bring. */
function bundledNode() {
  try {
    const name = `node-${process.platform}-${process.arch}/bin/node`;
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
}

function runOn(node) {
  // It ends when the pipe is closed: nobody could tell it that this process was killed.
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, CROFT_LAUNCHER_PIPE: "3" },
  });
  // A terminal sends Ctrl-C to both processes; the child decides what to do with it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // Node would open its debugger, to everybody on the machine.
  process.on("SIGUSR1", () => {});
  child.on("error", (error) => fail(`cannot start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
