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
  characterise,
  generators,
  InputError,
  machinesFormats,
  readMachines,
  readWorkload,
  workloadFormats,
  workloadWriters,
  type ByteSource,
  type CodedColumn,
  type JobShape,
  type Machines,
  type MachinesFormat,
  type MachinesOptions,
  type MemoryScope,
  type MemoryUnit,
  type ReadOptions,
  type RecordedFarm,
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
  commonGrain,
  findHeuristic,
  findPolicy,
  heuristics,
  maxJobs,
  NONE,
  OnlineScheduler,
  parseOnlinePolicy,
  policies,
  Pool,
  shareTree,
  type Finder,
  type Heuristic,
  type JobRequest,
  type MachineState,
  type NamedPolicy,
  type OnlinePolicy,
  type OnlineSettings,
  type Policy,
  type PolicyKind,
  type PoolSettings,
  type Share,
} from "./core/index.ts";
export { matching } from "./core/policies/matching.ts";

// Runs.
export {
  defaultSettings,
  offeredLoad,
  presets,
  scaleMachines,
  ScheduleFile,
  simulate,
  simulateAll,
  type Estimates,
  type Fairness,
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
  judgeClaims,
  loadClaims,
  onlineClaims,
  studyBuckets,
  studyLoad,
  studyOnline,
  summarise,
  workloadClaims,
  type BucketsOptions,
  type BucketsResult,
  type Claim,
  type JudgedClaim,
  type LoadOptions,
  type OnlineRow,
  type OnlineSummary,
  type Pace,
  type StudyOnlineOptions,
  type ThesisPool,
} from "./study/index.ts";

// Reports.
export {
  chooseBaseline,
  headlineLoad,
  judge,
  renderReport,
  renderTable,
  tabulate,
  type MachineFacts,
  type ReportInput,
  type Verdict,
  type WorkloadFacts,
} from "./report/index.ts";
