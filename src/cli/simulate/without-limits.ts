import type { WithoutLimits } from "../../report/index.ts";
import { nodePoliciesOf, resolvePolicy, type GivenSettings } from "../../simulation/index.ts";
import type { Workload } from "../../workload/index.ts";

/** Whether what a run decides rests on how long jobs may run, as the log tells it. */
export function plansWithLimits({ policy, estimates }: GivenSettings): boolean {
  const isOfNodes = typeof policy === "string" && nodePoliciesOf(policy) !== undefined;
  if ((estimates ?? "log") !== "log" || isOfNodes) return false;
  const { kind } = resolvePolicy(policy ?? "first-fit");
  return kind.needsEstimates && kind.plansOnPredictions !== true;
}

/** What PBS believes of a job without a limit; Slurm takes a year, and LSF knows no end of it. */
const BELIEVED_SECONDS = 5 * 365 * 86_400;

/** The log as a batch system plans with it that believes jobs without a limit to run for years. */
export function asBelieved(workload: Workload): Workload {
  const { estimateSeconds, count } = workload;
  return {
    ...workload,
    estimateSeconds:
      estimateSeconds?.map((seconds) => (Number.isNaN(seconds) ? BELIEVED_SECONDS : seconds)) ??
      new Float64Array(count).fill(BELIEVED_SECONDS),
  };
}

/** Fewer make no difference. */
const FEWEST = 0.01;

/** The jobs whose run time is known to those who plan, since nobody said how long they may run; undefined: hardly any. */
export function withoutLimits(
  { estimateSeconds, count, farm }: Workload,
  planned: readonly { readonly policy: string; readonly settings: GivenSettings }[],
): WithoutLimits | undefined {
  if (count === 0 || farm?.maxRuntimeSeconds !== undefined) return undefined;
  const jobs = estimateSeconds === null ? count : estimateSeconds.filter(Number.isNaN).length;
  if (jobs / count < FEWEST) return undefined;
  const planning = planned.filter(({ policy, settings }) => policy !== "" && plansWithLimits(settings));
  if (planning.length === 0) return undefined;
  return { jobsShare: jobs / count, policies: [...new Set(planning.map(({ policy }) => policy))] };
}
