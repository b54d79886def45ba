export {
  bucketHeuristics,
  bucketMachines,
  studyBuckets,
  type BucketsOptions,
  type BucketsResult,
  type HeuristicWins,
} from "./buckets/buckets.ts";
export { defaultPaces, loadPolicies, studyLoad, type LoadOptions, type Pace } from "./load/load.ts";
export {
  studiedTtls,
  studyPacking,
  type PackingStudyOptions,
  type PackingStudyResult,
  type PackingStudyRun,
} from "./packing/packing.ts";
export { lockWorkload, runLock, type LockOutcome } from "./packing/lock.ts";
export { throughputLoss, type ThroughputLoss } from "./packing/loss.ts";
export { packingClaims } from "./claims/packing.ts";
export { applicable, thesisHeuristics } from "./heuristics.ts";
export {
  judgeClaims,
  poolNamed,
  type Claim,
  type JudgedClaim,
  type Judgement,
  type ThesisPool,
} from "./claims/claim.ts";
export { bucketClaims } from "./claims/buckets.ts";
export { loadClaims } from "./claims/load.ts";
export { workloadClaims } from "./claims/workload.ts";
