import { readdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { busyLog, croftIn, finished, start, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
writeFileSync(join(folder, "busy.csv"), busyLog(2000));
writeFileSync(join(folder, "endless.csv"), busyLog(200_000));
/** A queue that grows all the time, and a plan for each of its jobs in every cycle: hours. */
const hours = ["simulate", "endless.csv", "--machines", "1x8c32g", "--policy", "conservative,max-jobs"];

/** Resolves when the schedule is begun: its temporary file appears. */
function scheduleBegun(): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (name?.includes("s.csv") !== true) return;
      watcher.close();
      resolve();
    });
  });
}

describe("Ctrl-C", () => {
  it.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends a long simulation at once and leaves nothing behind (%s)", async ([signal, status]) => {
    const before = readdirSync(folder);
    const begun = scheduleBegun();
    const child = start([...hours, "--schedule", "s.csv", "--out", "out", "--json"], folder);
    const end = finished(child);
    await begun;
    child.kill(signal);
    const { status: left, stdout } = await end;
    expect(left).toBe(status);
    expect(stdout).toBe("");
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe("a reader that leaves early", () => {
  it("is no failure", async () => {
    const child = start(["simulate", "busy.csv", "--machines", "8x8c32g", "--json"], folder);
    const end = finished(child);
    child.stdout?.destroy();
    const { status, stderr } = await end;
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });
});

describe("standard error", () => {
  it("shows no progress of a short run where it is no terminal", async () => {
    const { stderr } = await croftIn(folder)("simulate", "busy.csv", "--machines", "8x8c32g");
    expect(stderr).toBe("");
  });
});
