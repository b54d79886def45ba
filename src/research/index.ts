/**
 * What studies and researchers use: services on hosts, nodes shared in parts, linear programs, published experiments
 * made again with their claims.
 *
 * To import it lets the simulator know of the policies that give out nodes, such as `GreedyPM *`.
 */
import { register } from "./register.ts";

register();

// Services on hosts, and nodes shared in parts.
export {
  generateInstance,
  generatorDefaults,
  readInstance,
  writeInstance,
  type GeneratorSettings,
} from "./instances/index.ts";
export {
  allocate,
  findFractionalAlgorithm,
  fractionalAlgorithms,
  infeasibleText,
  OnlineScheduler,
  parseOnlinePolicy,
  verifyPlacement,
  violationText,
  whyInfeasible,
  yieldBound,
  type Assignment,
  type FractionalAlgorithm,
  type FractionalInstance,
  type Infeasible,
  type OnlinePolicy,
  type OnlineSettings,
  type SolveOptions,
  type Violation,
} from "./fractional/index.ts";
export {
  findLpAlgorithm,
  loadSolver,
  lpAlgorithms,
  tooLarge,
  type LpAlgorithm,
  type LpOptions,
  type LpOutcome,
  type LpSolver,
} from "./lp/index.ts";

// Studies.
export {
  bucketClaims,
  bucketMachines,
  chaptersNamed,
  fractionalSweeps,
  judgeClaims,
  judgeFractional,
  judgeRescheduling,
  loadClaims,
  onlineClaims,
  packingClaims,
  reschedulingChapters,
  studyBuckets,
  studyChapters,
  studyChaptersOf,
  studyFractional,
  studyLoad,
  studyOnline,
  studyOptimum,
  studyPacking,
  summarise,
  studyRescheduling,
  studyReschedulingOf,
  workloadClaims,
  type BucketsOptions,
  type BucketsResult,
  type Chapter,
  type ChapterResult,
  type ChaptersOptions,
  type ChaptersResult,
  type Claim,
  type FractionalOptions,
  type FractionalResult,
  type JudgedAlone,
  type JudgedClaim,
  type LoadFigures,
  type LoadOptions,
  type LoadStudy,
  type OnlineRow,
  type OnlineSummary,
  type OptimumOptions,
  type OptimumResult,
  type PackingStudyOptions,
  type PackingStudyResult,
  type Pace,
  type StudyOnlineOptions,
  type LogReschedulingOptions,
  type ReschedulingOptions,
  type ReschedulingResult,
  type ReschedulingRow,
  type ThesisPool,
  type WeekChaptersOptions,
} from "./study/index.ts";
