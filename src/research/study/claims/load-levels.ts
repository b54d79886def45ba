import type { LoadFigures } from "../load/load.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { EQUAL_MEANS, EQUAL_WAIT_SECONDS } from "./tolerances.ts";
import { list, percent } from "./wording.ts";

/** The runs at one load, by policy. */
interface Level {
  readonly beta: number;
  readonly offeredLoad: number;
  readonly runs: Map<string, LoadFigures>;
}

/** A policy's mean wait at one load, in seconds. */
export type Wait = (policy: string) => number;

/** Lowest load first. */
export function levelsOf(runs: readonly LoadFigures[]): Level[] {
  const levels = new Map<number, Level>();
  for (const run of runs) {
    const { beta, offeredLoad } = run;
    const level = levels.get(beta) ?? { beta, offeredLoad, runs: new Map<string, LoadFigures>() };
    levels.set(beta, level);
    level.runs.set(run.policy, run);
  }
  return [...levels.values()].sort((a, b) => b.beta - a.beta);
}

/** Judges the waits at one load, where all of the policies were run. */
export function withWaits(
  level: Level,
  needed: readonly string[],
  judge: (wait: Wait) => Judgement,
): Judgement {
  const missing = needed.filter((policy) => !level.runs.has(policy));
  if (missing.length > 0) return cannotTell(`not run: ${list(missing)}`);
  const judgement = judge((policy) => level.runs.get(policy)!.waitMeanSeconds);
  return { ...judgement, evidence: `at ${percent(level.offeredLoad)} load: ${judgement.evidence}` };
}

/** Judges at the highest load, if jobs queue there. */
export function atHighest(
  runs: readonly LoadFigures[],
  needed: readonly string[],
  judge: (wait: Wait, level: Level) => Judgement,
): Judgement {
  const level = levelsOf(runs).at(-1);
  if (level === undefined) return cannotTell("no runs");
  return withWaits(level, needed, (wait) => (hasQueue(level) ? judge(wait, level) : noQueue));
}

export const noQueue = cannotTell(
  "under no policy is the mean wait longer than a cycle: there is no queue to tell by",
);

/** Jobs wait for the next cycle even on an idle farm; a queue begins where they wait longer than that. */
export function hasQueue({ runs }: Level): boolean {
  return [...runs.values()].some(
    (run) => run.waitMeanSeconds > Math.max(run.intervalSeconds, EQUAL_WAIT_SECONDS),
  );
}

/** Whether two mean waits count as the same. */
export function areEqual(wait: number, other: number): boolean {
  const difference = Math.abs(wait - other);
  return difference <= EQUAL_WAIT_SECONDS || difference <= EQUAL_MEANS * Math.min(wait, other);
}
