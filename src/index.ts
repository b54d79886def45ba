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
  inferredMachines,
  InputError,
  machineAttributes,
  machinesFormats,
  nodeParts,
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
  type InferredMachines,
  type JobShape,
  type MachineGroup,
  type MachineAttributeColumn,
  type Machines,
  type MachinesFormat,
  type MachinesNote,
  type MachinesOptions,
  type MemoryScope,
  type MemoryUnit,
  type NodePart,
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
  type Policy,
  type PolicyKind,
  type PoolSettings,
  type Requirement,
  type Routing,
  type Share,
  type Strategy,
  type Unmet,
} from "./core/index.ts";
export { matching } from "./core/policies/matching.ts";

// Services on hosts, and nodes shared in parts.
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

// Runs.
export {
  defaultSettings,
  offeredLoad,
  parseFamily,
  presets,
  combinations,
  explainJob,
  farmChecks,
  loadPlugin,
  scaleFarm,
  scaleMachines,
  ScheduleFile,
  simulate,
  simulateAll,
  type Breakdown,
  type Combination,
  type Explanation,
  type FailureFigures,
  type FailureSettings,
  type FarmFigures,
  type FarmRunResult,
  type FarmSimulation,
  type Estimates,
  type Fairness,
  type Family,
  type PackingChoice,
  type Outage,
  type PlacementLog,
  type Plugin,
  type Preset,
  type RunLabels,
  type RunResult,
  type GivenSettings,
  type Schedule,
  type Series,
  type SimulateAllOptions,
  type Simulation,
  type SimulationExtras,
  type SimulationProgress,
  type SimulationSettings,
  type TimeFigures,
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
  renderFailuresTable,
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
