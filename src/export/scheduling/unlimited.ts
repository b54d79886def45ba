import type { SchedulingExporter } from "./advice.ts";
import type { LogFacts } from "./log-facts.ts";
import type { SchedulingPolicy } from "./policy.ts";

/** Where fewer have none, what a simulation tells of the policy is about what comes of it. */
const MANY = 0.1;

/** What becomes of jobs without a limit, and what to do first; null where they are few, or limits do not matter. */
export function unlimitedText(
  exporter: SchedulingExporter,
  policy: SchedulingPolicy,
  facts: LogFacts | null,
): string | null {
  const believes = exporter.ofUnlimited(policy);
  if (believes === null || facts === null || facts.withoutLimitShare <= MANY) return null;
  const { log, withoutLimitShare } = facts;
  const jobs =
    withoutLimitShare === 1
      ? `No job in ${log} has a limit`
      : `${Math.round(100 * withoutLimitShare)} % of the jobs in ${log} have no limit`;
  return `${jobs}: ${believes}, so that it passes only jobs that need nothing of what it takes. Give jobs limits before these settings: without them jobs may wait as under fcfs, and longer than now where others pass today.`;
}
