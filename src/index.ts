/**
 * Croft as a library: read a workload and machines, simulate, look at the results.
 *
 * ```ts
 * import { readMachines, readWorkload, renderTable, simulateAll } from "croft";
 *
 * const workload = await readWorkload("month.swf.gz");
 * const machines = await readMachines("64x8c64g");
 * const policies = ["first-fit", "mix-fit", "easy/mix-fit"];
 * const runs = await simulateAll(workload, machines, policies.map((policy) => ({ policy, load: 0.9 })));
 * console.log(renderTable(runs));
 * ```
 *
 * Times are seconds, memory is MiB, cores are thousandths (`coresMilli`). What
 * users can put right is thrown as an `InputError`. `croft/core` has the decision
 * core alone, for programs that drive it themselves.
 */

// Workloads and machines: read, make, describe, write.
export {
  candidatePools,
  characterise,
  farmGenerators,
  farmOfMachines,
  farmSchema,
  generators,
  InputError,
  machineAttributes,
  machinesFormats,
  readFarm,
  readMachines,
  readWorkload,
  workloadFormats,
  workloadWriters,
  writeFarm,
  type ByteSource,
  type CodedColumn,
  type Farm,
  type FarmChecks,
  type FarmGenerator,
  type JobShape,
  type MachineGroup,
  type Machines,
  type MachinesFormat,
  type MachinesOptions,
  type MemoryScope,
  type MemoryUnit,
  type PhysicalPool,
  type PreemptionRule,
  type ReadOptions,
  type RecordedFarm,
  type ReschedulingRule,
  type VirtualPool,
  type Workload,
  type WorkloadFormat,
  type WorkloadGenerator,
  type WorkloadNote,
  type WorkloadStatistics,
  type WorkloadWriter,
} from "./workload/index.ts";
export { workloadOf, type WorkloadColumns } from "./workload/workload-of.ts";

// What decides: the registries, and the pool for programs that drive it themselves.
export {
  attributesOf,
  attributeTypes,
  findHeuristic,
  findMistake,
  findPolicy,
  heuristics,
  maxJobs,
  meets,
  NONE,
  parseRequirement,
  OnlineScheduler,
  parseOnlinePolicy,
  policies,
  Pool,
  RequirementError,
  shareTree,
  unmetParts,
  type Attributes,
  type AttributeTypes,
  type AttributeValue,
  type Finder,
  type Heuristic,
  type JobRequest,
  type MachineState,
  type Mistake,
  type NamedPolicy,
  type OnlinePolicy,
  type OnlineSettings,
  type Policy,
  type PolicyKind,
  type PoolSettings,
  type Requirement,
  type Share,
  type Unmet,
} from "./core/index.ts";
export { matching } from "./core/policies/matching.ts";

// Services on hosts.
export {
  generateInstance,
  generatorDefaults,
  readInstance,
  writeInstance,
  type GeneratorSettings,
} from "./workload/index.ts";
export {
  allocate,
  findFractionalAlgorithm,
  fractionalAlgorithms,
  infeasibleText,
  verifyPlacement,
  violationText,
  whyInfeasible,
  yieldBound,
  type Assignment,
  type FractionalAlgorithm,
  type FractionalInstance,
  type Infeasible,
  type SolveOptions,
  type Violation,
} from "./core/index.ts";
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

// Runs.
export {
  defaultSettings,
  offeredLoad,
  parseFamily,
  presets,
  explainJob,
  farmChecks,
  scaleMachines,
  ScheduleFile,
  simulate,
  simulateAll,
  simulateFarm,
  simulateFarmAll,
  type Explanation,
  type FarmFigures,
  type FarmRunResult,
  type FarmRunSettings,
  type FarmSimulation,
  type Estimates,
  type Fairness,
  type Family,
  type PackingChoice,
  type PlacementLog,
  type Preset,
  type RunLabels,
  type RunResult,
  type RunSettings,
  type Schedule,
  type Series,
  type SimulateAllOptions,
  type Simulation,
  type SimulationExtras,
  type SimulationProgress,
  type SimulationSettings,
} from "./simulation/index.ts";

// Studies.
export {
  bucketClaims,
  bucketMachines,
  fractionalSweeps,
  judgeClaims,
  judgeFractional,
  judgeRescheduling,
  loadClaims,
  onlineClaims,
  packingClaims,
  studyBuckets,
  studyFractional,
  studyLoad,
  studyOnline,
  studyPacking,
  summarise,
  studyRescheduling,
  workloadClaims,
  type BucketsOptions,
  type BucketsResult,
  type Claim,
  type FractionalOptions,
  type FractionalResult,
  type JudgedClaim,
  type LoadOptions,
  type OnlineRow,
  type OnlineSummary,
  type PackingStudyOptions,
  type PackingStudyResult,
  type Pace,
  type StudyOnlineOptions,
  type ReschedulingOptions,
  type ReschedulingResult,
  type ReschedulingRow,
  type ThesisPool,
} from "./study/index.ts";

// Reports.
export {
  chooseBaseline,
  headlineLoad,
  judge,
  renderFarmTable,
  renderReport,
  renderTable,
  tabulate,
  type MachineFacts,
  type ReportInput,
  type Verdict,
  type WorkloadFacts,
} from "./report/index.ts";

// Packing policies for batch systems.
export {
  exporters,
  exportPolicy,
  packingPolicies,
  parseExportedFamilies,
  type ExportedFile,
  type Exporter,
  type ExportedFamily,
  type ExportRequest,
} from "./export/index.ts";
