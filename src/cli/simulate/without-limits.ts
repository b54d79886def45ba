import type { WithoutLimits } from "../../report/index.ts";
import { nodePoliciesOf, resolvePolicy, type SimulationSettings } from "../../simulation/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { PlannedRun } from "./runs.ts";

/** Whether what a run decides rests on how long jobs may run, as the log tells it. */
export function plansWithLimits({ policy, estimates }: SimulationSettings): boolean {
  const isOfNodes = typeof policy === "string" && nodePoliciesOf(policy) !== undefined;
  if (estimates !== "log" || isOfNodes) return false;
  const { kind } = resolvePolicy(policy ?? "first-fit");
  return kind.needsEstimates && kind.plansOnPredictions !== true;
}

/** Fewer make no difference. */
const FEWEST = 0.01;

/** The jobs whose run time is known to those who plan, since nobody said how long they may run; undefined: hardly any. */
export function withoutLimits(
  { estimateSeconds, count, farm }: Workload,
  planned: readonly PlannedRun[],
): WithoutLimits | undefined {
  if (count === 0 || farm?.maxRuntimeSeconds !== undefined) return undefined;
  const jobs = estimateSeconds === null ? count : estimateSeconds.filter(Number.isNaN).length;
  if (jobs / count < FEWEST) return undefined;
  const planning = planned.filter(({ policy, settings }) => policy !== "" && plansWithLimits(settings));
  if (planning.length === 0) return undefined;
  return { jobsShare: jobs / count, policies: [...new Set(planning.map(({ policy }) => policy))] };
}
