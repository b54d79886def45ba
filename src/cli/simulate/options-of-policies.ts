import { looksLikeOnlinePolicy } from "../../fractional/index.ts";
import { runsOnEqualNodes } from "../../simulation/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { SimulateFlags } from "./flags.ts";

/** Options that not all policies take notice of. */
interface LimitedOptions {
  readonly given: (flags: SimulateFlags) => Readonly<Record<string, unknown>>;
  readonly takes: (policy: string, workload: Workload) => boolean;
  readonly because: string;
}

const isOfPool = (policy: string): boolean => !looksLikeOnlinePolicy(policy);

const noCycles: LimitedOptions = {
  given: ({ interval, maxJobs, reservations, examine, fairShare, shares }) => ({
    "--interval": interval,
    "--max-jobs": maxJobs,
    "--reservations": reservations,
    "--examine": examine,
    "--fair-share": fairShare,
    "--shares": shares,
  }),
  takes: isOfPool,
  because:
    "policies that share nodes in parts decide after events and at periods, not in cycles over a queue",
};

const limitedOptions: readonly LimitedOptions[] = [
  noCycles,
  {
    given: ({ estimates }) => ({ "--estimates": estimates }),
    takes: (policy, workload) => isOfPool(policy) && !runsOnEqualNodes(policy, workload),
    because:
      "policies that share nodes in parts need no run times, and those that take whole nodes know the true ones",
  },
  {
    given: ({ penalty, period, mvt, nodeMemory }) => ({
      "--penalty": penalty,
      "--period": period,
      "--mvt": mvt,
      "--node-memory": nodeMemory,
    }),
    takes: (policy) => !isOfPool(policy),
    because: "policies of a pool neither pause nor move jobs",
  },
];

/**
 * What to say about options that some or all of the policies take no notice of, a line each. They are no
 * errors: who compares policies one command after the other gives the same options to all.
 */
export function optionRemarks(
  flags: SimulateFlags,
  policies: readonly string[],
  workload: Workload,
): string[] {
  const remarks = limitedOptions.flatMap(({ given, takes, because }) => {
    const options = Object.entries(given(flags)).flatMap(([option, value]) =>
      value === undefined ? [] : [option],
    );
    const others = policies.filter((policy) => !takes(policy, workload));
    if (options.length === 0 || others.length === 0) return [];
    const verb = options.length === 1 ? "has" : "have";
    return [`${options.join(", ")} ${verb} no effect on ${others.join(", ")}: ${because}`];
  });
  const fractional = policies.filter((policy) => !noCycles.takes(policy, workload));
  if (flags.preset === undefined || fractional.length === 0) return remarks;
  // What it says about reading the log and the machines holds for all policies, so it is never quite without effect.
  return [
    ...remarks,
    `--preset ${flags.preset} has no effect on ${fractional.join(", ")} beyond how files are read: ${noCycles.because}`,
  ];
}
