import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { LogComparison } from "../../src/simulation/index.ts";
import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);

/** Thirty days of a job an hour; waits go up and down by a tenth. */
function log(name: string, waitOf: (queue: string) => number): void {
  const lines = Array.from({ length: 720 }, (_, hour) => {
    const queue = hour % 2 === 0 ? "short" : "long";
    const wait = Math.round(waitOf(queue) * (0.9 + (hour % 5) / 20));
    return `${hour * 3600},${hour * 3600 + wait},600,2,${queue}`;
  });
  writeFileSync(join(folder, name), ["submit,start,runtime,cores,queue", ...lines, ""].join("\n"));
}

describe("croft compare", () => {
  log("before.csv", () => 3600);
  log("after.csv", (queue) => (queue === "short" ? 600 : 7200));

  it("tells what became of the waits, and whose are longer", async () => {
    const { status, stdout } = await croft("compare", "before.csv", "after.csv");
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^before, then after\n\nThe mean wait was 1\.00 h before and is 1\.08 h after: \+8% /,
    );
    expect(stdout).toMatch(/^- Longer for long \(\+100% .*\)\.$/m);
    expect(stdout).toMatch(/^short +360 +360 +1\.00 h +10\.0 min +−83% .* shorter$/m);
  });

  it("tells it as JSON", async () => {
    const { stdout } = await croft("compare", "before.csv", "after.csv", "--json");
    const { queues, after } = JSON.parse(stdout) as LogComparison;
    expect(after.jobs).toBe(720);
    expect(queues!.map(({ name, judgement }) => [name, judgement])).toEqual([
      ["long", "longer"],
      ["short", "shorter"],
    ]);
  });

  it("refuses a log without starts", async () => {
    writeFileSync(join(folder, "silent.csv"), "submit,runtime,cores\n0,1,1\n");
    expect(await croft("compare", "before.csv", "silent.csv")).toMatchObject({
      status: 2,
      stderr: "croft: workload silent does not tell when its jobs started: there are no waits to compare\n",
    });
  });
});
