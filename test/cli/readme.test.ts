import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { tracePath, tracesAreMissing, whereTraces } from "../published/traces.fixture.ts";
import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const log = tracePath("swf/KTH-SP2-1996-2.1-cln.swf.gz");

describe.skipIf(tracesAreMissing)(`KTH's log ${whereTraces}`, () => {
  it("gives what the README shows, remarks first", async () => {
    const [, command, shown] = /^npx croft (simulate KTH-SP2.*)\n```\n\n```\n([^]*?)\n```$/m.exec(readme)!;
    const { stdout, stderr } = await croftIn(dirname(log))(command.split(" "));
    expect((stderr + stdout).trimEnd()).toBe(shown);
  });

  it("has jobs that outlive their estimates, and the example of backfilling starts all jobs as easy does", async () => {
    const folder = temporaryFolder();
    const example = JSON.stringify(join(root, "examples", "backfilling.ts"));
    writeFileSync(
      join(folder, "in-order.ts"),
      `import { backfilling } from ${example};
      export default { policies: [backfilling("in-order", "", (jobs) => (a, b) => jobs.arrival[a] - jobs.arrival[b])] };`,
    );
    const { status } = await croftIn(folder)(
      ["simulate", log, "--machines", "1x100c", "--policy", "easy,in-order", "--plugin", "in-order.ts"],
      ["--schedule", "both.csv", "--quiet"],
    );
    expect(status).toBe(0);
    const [header, ...rows] = readFileSync(join(folder, "both.csv"), "utf8").trimEnd().split("\n");
    expect(header).toMatch(/^policy,job,submit,start,/);
    const starts = (policy: string): string[] =>
      rows.flatMap((row) => {
        const [by, job, , start] = row.split(",");
        return by === policy ? [`${job} ${start}`] : [];
      });
    expect(starts("easy").length).toBe(28_475);
    expect(starts("in-order")).toEqual(starts("easy"));
  });
});
