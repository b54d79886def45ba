export {
  bucketHeuristics,
  bucketMachines,
  studyBuckets,
  bucketsTogether,
  type BucketsOptions,
  type BucketsResult,
  type HeuristicWins,
} from "./buckets/buckets.ts";
export {
  parameterName,
  rangeText,
  sensitivityValues,
  studySensitivity,
  type Sensitivity,
} from "./buckets/sensitivity.ts";
export {
  studyConfidence,
  type Calibration,
  type ConfidenceOptions,
  type ConfidenceRow,
} from "./confidence/confidence.ts";
export { confidenceSettings, type ConfidenceSetting, type Contestant } from "./confidence/settings.ts";
export {
  defaultPaces,
  loadPolicies,
  loadRuns,
  loadStudyOf,
  makeLoadRuns,
  studyLoad,
  type LoadFigures,
  type LoadRun,
  type LoadStudy,
  type LoadOptions,
  type Pace,
} from "./load/load.ts";
export { makeHere, type ListedStudy, type RunOptions, type StudyRuns } from "./runs.ts";
export {
  makePackingRuns,
  packingRuns,
  packingStudyOf,
  studiedTtls,
  studyPacking,
  type PackingChoices,
  type PackingStudyOptions,
  type PackingStudyResult,
} from "./packing/packing.ts";
export { runLock } from "./packing/lock.ts";
export { throughputLoss } from "./packing/loss.ts";
export { packingClaims } from "./claims/packing.ts";
export { applicable } from "./heuristics.ts";
export { judgeClaims, poolNamed, type Claim, type JudgedClaim, type ThesisPool } from "./claims/claim.ts";
export type { Judgement } from "./claims/judgement.ts";
export { aloneText, type JudgedAlone, type Parts } from "./claims/parts.ts";
export { statisticsTogether } from "./statistics-together.ts";
export { leavingOut, TENTHS, tenthsOf } from "./tenths.ts";
export { bucketClaims } from "./claims/buckets.ts";
export { loadClaims } from "./claims/load.ts";
export { workloadClaims } from "./claims/workload.ts";
export {
  comparedAlgorithms,
  fractionalParts,
  fractionalSweeps,
  studyFractional,
  type FractionalOptions,
  type FractionalPart,
  type FractionalResult,
} from "./fractional/fractional.ts";
export { secondsByServices, type Comparison } from "./fractional/comparison.ts";
export type { ErrorsResult } from "./fractional/errors.ts";
export { boundGaps, type BoundGap } from "./fractional/bound-gap.ts";
export { beatenBy } from "./fractional/frontier.ts";
export type { Quality } from "./fractional/quality.ts";
export {
  publishedPacking,
  publishedRounding,
  publishedSeconds,
  type PublishedQuality,
} from "./fractional/published.ts";
export type { Sweep } from "./fractional/sweep.ts";
export { judgeFractional } from "./claims/fractional.ts";
export { onlineClaims } from "./claims/online.ts";
export { onlineAlgorithms, otherPriorities, studyName } from "./online/algorithms.ts";
export { onlineStudyDefaults } from "./online/plan.ts";
export { studyOnline, type OnlineProgress, type StudyOnlineOptions } from "./online/online.ts";
export { weeksOf } from "./online/slices.ts";
export type { OnlineRow } from "./online/row.ts";
export { summarise, type OnlineLine, type OnlineSummary } from "./online/summary.ts";
export { optimumPolicies, studyOptimum, type OptimumOptions, type OptimumResult } from "./optimum/optimum.ts";
export type { Nearness, Standing } from "./optimum/standing.ts";
export { judgeRescheduling, reschedulingClaims } from "./claims/rescheduling.ts";
export {
  publishedRows,
  publishedTables,
  publishedYear,
  type PublishedTable,
} from "./rescheduling/published.ts";
export { studyWeekSensitivity, weekClaimRanges, type WeekSensitivity } from "./rescheduling/sensitivity.ts";
export { overSeeds } from "./rescheduling/seeds.ts";
export {
  logRuns,
  makeScenario,
  reschedulingOf,
  studyRescheduling,
  studyReschedulingOf,
  weekRuns,
  type LogReschedulingOptions,
  type ReschedulingOptions,
  type ReschedulingResult,
  type ReschedulingRow,
  type ReschedulingYear,
  type ScenarioRuns,
} from "./rescheduling/rescheduling.ts";
export { chaptersNamed, reschedulingChapters } from "./rescheduling/chapters/registry.ts";
export type { Chapter } from "./rescheduling/chapters/chapter.ts";
export { figureNames, type ChapterFigure } from "./rescheduling/chapters/figures.ts";
export type { ComparedFigure } from "./rescheduling/chapters/compare.ts";
export {
  studyChapters,
  studyChaptersOf,
  type ChapterResult,
  type ChaptersOptions,
  type ChaptersResult,
  type WeekChaptersOptions,
} from "./rescheduling/chapters/run-chapters.ts";
export {
  forecastMethods,
  studyForecast,
  type ForecastResult,
  type ForecastRow,
  type ForecastSettings,
} from "./forecast/forecast.ts";
export { forecastWorld, type ForecastWorld } from "./forecast/world.ts";
