import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const page = readFileSync(fileURLToPath(new URL("../../docs/workloads.md", import.meta.url)), "utf8");

/** The documentation's example of a format, as a batch system would have left it. */
function exampleOf(format: string): string {
  const [, text] = new RegExp(`^\`\`\`${format}\\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/workloads.md has no example of ${format}`);
  return text;
}

describe("a new administrator", () => {
  it.each([
    ["slurm", "slurm.txt"],
    ["slurm", "month.sacct"],
    ["pbs", "20260301"],
    ["lsf", "lsb.acct"],
    ["grid-engine", "accounting"],
    ["qacct", "qacct.out"],
    ["htcondor", "history"],
    ["htcondor-json", "history.json"],
    ["kubernetes", "pods.json"],
    ["csv", "jobs.csv"],
  ])("has a report of a log of %s, %s, with one command", async (format, name) => {
    writeFileSync(join(folder, name), exampleOf(format));
    const out = `report-${format}`;
    const { status, stdout, stderr } = await croft([
      "simulate",
      name,
      "--machines",
      "inferred",
      "--policy",
      "first-fit,easy",
      "--out",
      out,
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^as it was /m);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`report: ${out}/report.html`);
    expect(existsSync(join(folder, out, "report.html"))).toBe(true);
    expect(stderr).toContain("machines inferred from where jobs ran: ");
    const { workload } = JSON.parse(readFileSync(join(folder, out, "results.json"), "utf8")) as {
      readonly workload: { readonly jobs: number };
    };
    expect(workload.jobs).toBeGreaterThanOrEqual(2);
  });
});
