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
export { Pool, type PoolSettings } from "./pool/pool.ts";
export { dueParts, shareTree, type Share, type ShareTree } from "./queue/share-tree.ts";
export { allocate } from "./fractional/allocate.ts";
export type {
  AlgorithmFamily,
  Assignment,
  FractionalAlgorithm,
  SolveOptions,
} from "./fractional/algorithm.ts";
export { BOUND_PRECISION, closedFormBound, yieldBound } from "./fractional/bound.ts";
export { infeasibleText, whyInfeasible, type Infeasible } from "./fractional/infeasible.ts";
export { TOLERANCE, tolerated, type FractionalInstance } from "./fractional/instance.ts";
export { minYieldOf, yieldWithin } from "./fractional/min-yield.ts";
export { findFractionalAlgorithm, fractionalAlgorithms, fractionalFamilies } from "./fractional/registry.ts";
export { verifyPlacement, violationText, type Violation } from "./fractional/verify.ts";
export { withEqualNeeds, withErrors, withThreshold } from "./fractional/estimates.ts";
export { realisedYields, sharings, type Sharing } from "./fractional/realise.ts";
