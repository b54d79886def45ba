export type { Capacities } from "./machines/machine-state.ts";
export { MachineState } from "./machines/machine-state.ts";
export { doubled } from "./arrays.ts";
export { Jobs, type JobRequest } from "./jobs/jobs.ts";
export type { Heuristic, Finder } from "./matching/heuristic.ts";
export { NONE } from "./none.ts";
export { Indexes } from "./matching/indexes.ts";
export { findHeuristic, heuristics, maxJobsDefaults } from "./matching/registry.ts";
export { scanFinder } from "./matching/scan.ts";
export { findPolicy, policies, type NamedPolicy } from "./policies/registry.ts";
export { maxJobs } from "./policies/max-jobs.ts";
export { Eligibility, ineligibleText, type Ineligible } from "./machines/eligibility.ts";
export { attributesOf, meets, unmetParts, type Unmet } from "./requirements/meets.ts";
export {
  attributeTypes,
  findMistake,
  type AttributeTypes,
  type Mistake,
  type ValueType,
} from "./requirements/mistakes.ts";
export { MAX_REQUIREMENT_DEPTH, MAX_REQUIREMENT_LENGTH, parseRequirement } from "./requirements/parse.ts";
export { RequirementError } from "./requirements/requirement-error.ts";
export type { Attributes, AttributeValue, Requirement } from "./requirements/requirement.ts";
export type { Policy, PolicyKind } from "./pool/policy.ts";
export { ORDINARY, FamilyMachines } from "./packing/family-machines.ts";
export {
  maxFamilies,
  packingPolicies,
  type PackingPolicy,
  type PackingSettings,
} from "./packing/settings.ts";
export { Pool } from "./pool/pool.ts";
export type { PoolSettings } from "./pool/pool-settings.ts";
export { dueParts, shareTree, type Share, type ShareTree } from "./queue/share-tree.ts";
export type { MachineGroups } from "./machines/machine-groups.ts";
export { CANCEL, Decisions, DUPLICATE, MOVE, RESUME, START, SUSPEND } from "./farm/decisions.ts";
export { Farm as FarmCore } from "./farm/farm.ts";
export type { FarmJobRequest, FarmRejection, FarmSettings } from "./farm/farm-settings.ts";
export { IN_TRANSFER, RUNNING, SUSPENDED, WAITING } from "./farm/farm-jobs.ts";
export { PhysicalPool, type PhysicalPoolSettings } from "./farm/physical-pool.ts";
export { findRouting, routings } from "./farm/routing/registry.ts";
export type { Routing } from "./farm/routing/routing.ts";
export { findStrategy, strategies } from "./farm/strategies/registry.ts";
export type { Strategy } from "./farm/strategies/strategy.ts";
export { findVictimRule, victimRules } from "./farm/victims/registry.ts";
export type { VictimRule } from "./farm/victims/victim-rule.ts";
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
export * from "./fractional/online/index.ts";
