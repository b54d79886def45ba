import type { Figures, Metric } from "./metrics.ts";
import { formatCount, formatNumber } from "./numbers.ts";

/** What failing machines cost, as the terminal's table and the report's chapter show it. */
export const failureMetrics: readonly Metric[] = [
  metric(
    "Jobs lost",
    "jobs lost",
    "Jobs that lost an attempt to a machine that failed.",
    formatCount,
    (run) => run.lostJobs,
  ),
  metric(
    "Attempts lost",
    "attempts lost",
    "How often that happened: a job may be lost several times.",
    formatCount,
    (run) => run.losses,
  ),
  metric(
    "Core-hours repeated",
    "core-hours repeated",
    "Work that jobs lost when their machine failed: all since their start, or since their last checkpoint.",
    formatNumber,
    (run) => run.repeatedCoreHours,
  ),
  metric(
    "Core-hours unavailable",
    "core-hours unavailable",
    "Core-hours of machines that were down, from the first submission to the last completion.",
    formatNumber,
    (run) => run.unavailableCoreHours,
  ),
];

function metric(
  title: string,
  short: string,
  meaning: string,
  format: (value: number) => string,
  value: (run: Figures) => number | undefined,
): Metric {
  return { title, short, meaning, better: "lower", format, value: (run) => value(run) ?? null };
}
