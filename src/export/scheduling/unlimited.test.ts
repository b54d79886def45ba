import { describe, expect, it } from "vitest";

import type { SchedulingExporter } from "./advice.ts";
import { exportScheduling } from "./files.ts";
import type { LogFacts } from "./log-facts.ts";
import { schedulingPolicy } from "./policy.ts";
import { schedulingExporters } from "./registry.ts";
import { unlimitedText } from "./unlimited.ts";

const facts: LogFacts = {
  log: "june",
  longestSeconds: 86_400,
  hasLimits: false,
  withoutLimitShare: 1,
  waiting: 730,
  longestWaitSeconds: 7200,
  spanSeconds: 30 * 86_400,
};

function exporterOf(system: string): SchedulingExporter {
  return schedulingExporters.find(({ name }) => name === system)!;
}

describe("jobs without a limit", () => {
  const first = (system: string, kind: string, withoutLimitShare: number): string | null =>
    unlimitedText(exporterOf(system), schedulingPolicy(kind, kind, "first-fit"), {
      ...facts,
      withoutLimitShare,
    });

  it("have to be given one where a system that plans would not let them pass", () => {
    expect(first("pbs", "easy", 1)).toMatch(
      /^No job in june has a limit: PBS believes that such a job runs for five years, /,
    );
    expect(first("slurm", "conservative", 0.61)).toMatch(/^61 % of the jobs in june have no limit: Slurm /);
    expect(first("lsf", "easy", 1)).toMatch(/LSF does not know when/);
  });

  it("matter not where they are few, nothing is planned, or the settings say what to expect", () => {
    expect(first("pbs", "easy", 0.1)).toBeNull();
    expect(first("pbs", "fcfs", 1)).toBeNull();
    expect(first("lsf", "first-fit", 1)).toBeNull();
    expect(first("grid-engine", "easy", 1)).toBeNull();
    expect(first("kubernetes", "easy", 1)).toBeNull();
  });

  it("are told in every file", () => {
    const unlimited = { facts: { ...facts, withoutLimitShare: 1 }, against: [] };
    for (const { text } of exportScheduling(
      exporterOf("pbs"),
      schedulingPolicy("easy", "easy", "first-fit"),
      unlimited,
    ))
      expect(text).toContain("First:");
  });
});
