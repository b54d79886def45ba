import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, inject, it, onTestFinished } from "vitest";

import { Client } from "../../src/live/client/client.ts";
import { temporaryFolder } from "../cli/croft.fixture.ts";

const folder = temporaryFolder();
const hasScript = spawnSync("script", ["--version"]).status === 0;
/** More than a terminal's buffer takes of the lines that these make. */
const JOBS = 200;

it.runIf(hasScript)(
  "a terminal that was stopped (Ctrl-S) holds up neither the farm nor its end",
  async () => {
    const serve = `echo $$ > pid; exec ${process.execPath} ${inject("cliBundle")} serve --allow-root --data data --socket s --log-level info`;
    const terminal = spawn("script", ["-qfc", serve, "/dev/null"], {
      cwd: folder,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const closed = once(terminal, "exit");
    // It ends with what it runs, and may have done so when it is written to.
    terminal.stdin.on("error", () => undefined);
    onTestFinished(() => void terminal.kill("SIGKILL"));
    const client = new Client({ socket: join(folder, "s") });
    await expect.poll(() => client.get("/ready").catch(() => null), { timeout: 60_000 }).not.toBeNull();
    terminal.stdin.write("\u0013");
    for (let job = 0; job < JOBS; job++)
      await client.send("POST", "/v1/jobs", { command: ["true"], hold: true });
    expect(await client.get("/v1/jobs?limit=1")).toMatchObject([{ number: JOBS }]);
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    process.kill(pid, "SIGTERM");
    await expect
      .poll(() => spawnSync("kill", ["-0", String(pid)]).status, { timeout: 30_000, interval: 200 })
      .not.toBe(0);
    terminal.stdin.write("\u0011");
    terminal.stdin.end();
    await closed;
  },
);
