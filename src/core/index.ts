export type { Capacities } from "./machines/machine-state.ts";
export { MachineState } from "./machines/machine-state.ts";
export { doubled, type JobRequest } from "./jobs/jobs.ts";
export type { Heuristic, Finder } from "./matching/heuristic.ts";
export { NONE } from "./none.ts";
export { commonGrain } from "./matching/grain.ts";
export { Indexes, type Grain } from "./matching/indexes.ts";
export { findHeuristic, heuristics, maxJobsDefaults } from "./matching/registry.ts";
export { scanFinder } from "./matching/scan.ts";
export { findPolicy, policies, type NamedPolicy } from "./policies/registry.ts";
export { maxJobs } from "./policies/max-jobs.ts";
export { checkEligible, ineligibleText, type Ineligible } from "./pool/eligibility.ts";
export type { Policy, PolicyKind } from "./pool/policy.ts";
export { ORDINARY, Packing } from "./packing/packing.ts";
export {
  MOST_FAMILIES,
  packingPolicies,
  type PackingPolicy,
  type PackingSettings,
} from "./packing/settings.ts";
export { Pool, type PoolSettings } from "./pool/pool.ts";
export { dueParts, shareTree, type Share, type ShareTree } from "./queue/share-tree.ts";
