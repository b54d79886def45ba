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
export { Pool, type PoolSettings } from "./pool/pool.ts";
export { dueParts, shareTree, type Share, type ShareTree } from "./queue/share-tree.ts";
