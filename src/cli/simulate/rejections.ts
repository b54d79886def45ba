import { formatCount } from "../../report/index.ts";
import type { RunResult } from "../../simulation/index.ts";

/** The largest number of reasons listed: with a misread unit there are as many reasons as amounts. */
const MAX_LISTED = 8;

/**
 * Why jobs were rejected and how many, a line each. Where policies reject
 * different jobs, as those that give out whole nodes and parts of them do, each
 * line says under which.
 */
export function rejections(runs: readonly Pick<RunResult, "policy" | "rejections">[]): string[] {
  const policies = new Map<string, Set<string>>();
  for (const run of runs) {
    for (const { reason, jobs } of run.rejections) {
      const line = `${reason}: ${formatCount(jobs)}`;
      const under = policies.get(line) ?? new Set();
      policies.set(line, under.add(run.policy));
    }
  }
  const all = new Set(runs.map(({ policy }) => policy)).size;
  const lines = [...policies].map(([line, under]) =>
    under.size === all ? line : `${line} (under ${[...under].join(", ")})`,
  );
  if (lines.length <= MAX_LISTED) return lines;
  return [
    ...lines.slice(0, MAX_LISTED),
    `for ${formatCount(lines.length - MAX_LISTED)} more reasons; --json tells all`,
  ];
}
