import type { NamedPolicy } from "../../core/index.ts";
import { InputError, type Farm, type PhysicalPool, type Workload } from "../../workload/index.ts";
import { resolvePolicy } from "../settings/policy-names.ts";
import type { SimulationSettings } from "../settings/settings.ts";
import { licencesCount, refusePromises } from "./licences.ts";

/** @throws InputError where the policy of a pool is not known, or needs memory that is not told */
export function checkPoolPolicies(workload: Workload, farm: Farm, settings: SimulationSettings): void {
  for (const pool of farm.pools) policyOf(pool, workload, settings, licencesCount(workload, farm));
}

/**
 * The policy of a pool: the one asked for, else its own.
 *
 * @param doLicencesCount whether jobs ask for licences
 * @throws InputError where it is not known, or needs memory that is not told
 */
export function policyOf(
  pool: PhysicalPool,
  workload: Workload,
  settings: SimulationSettings,
  doLicencesCount: boolean,
): NamedPolicy {
  const { policy: asked, maxJobsList } = settings;
  const policy =
    asked === null
      ? resolvePolicy(pool.policy, pool.maxJobsList)
      : resolvePolicy(asked, maxJobsList.length === 0 ? pool.maxJobsList : maxJobsList);
  if (doLicencesCount) refusePromises(policy, pool, workload);
  if (!policy.kind.needsMemory && !policy.heuristic.needsMemory) return policy;
  if (workload.memoryMiB === null) {
    throw new InputError(
      `policy ${policy.name} decides by memory, but workload ${workload.name} does not say how much memory its jobs ask for; ` +
        "choose a policy that needs none (first-fit, best-fit-cores, worse-fit-cores), or a log with memory",
    );
  }
  if (pool.groups.every(({ memoryMiB }) => memoryMiB === null)) {
    throw new InputError(
      `policy ${policy.name} decides by memory, but the machines of pool ${pool.name} have none; give their memory, as in 64x8c64g`,
    );
  }
  return policy;
}
