export {
  bucketHeuristics,
  bucketMachines,
  studyBuckets,
  type BucketsOptions,
  type BucketsResult,
  type HeuristicWins,
} from "./buckets/buckets.ts";
export { defaultPaces, loadPolicies, studyLoad, type LoadOptions, type Pace } from "./load/load.ts";
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
export { judgeRescheduling, reschedulingClaims } from "./claims/rescheduling.ts";
export {
  publishedRows,
  publishedTables,
  publishedYear,
  type PublishedRow,
  type PublishedTable,
} from "./rescheduling/published.ts";
export {
  studyRescheduling,
  type ReschedulingOptions,
  type ReschedulingResult,
  type ReschedulingRow,
  type ReschedulingYear,
} from "./rescheduling/rescheduling.ts";
