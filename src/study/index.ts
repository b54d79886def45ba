export {
  bucketHeuristics,
  bucketMachines,
  studyBuckets,
  type BucketsOptions,
  type BucketsResult,
  type HeuristicWins,
} from "./buckets/buckets.ts";
