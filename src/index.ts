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
  askedLicences,
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
  type Chooser,
  type Finder,
  type Heuristic,
  type JobRequest,
  type MachineState,
  type MachineView,
  type Mistake,
  type Move,
  type NamedPolicy,
  type Plan,
  type Policy,
  type PolicyContext,
  type PolicyKind,
  type PoolSettings,
  type PoolState,
  type Requirement,
  type Routing,
  type RoutingView,
  type Share,
  type Strategy,
  type Unmet,
  type UsageSettings,
  type UseMeasure,
} from "./core/index.ts";
export { matching } from "./core/policies/matching.ts";

// Runs.
export {
  defaultSettings,
  fidelityOf,
  offeredLoad,
  recordedRun,
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
  type Fidelity,
  type RecordedRun,
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
  type Basis,
  type MachineFacts,
  type NextSteps,
  type ReportInput,
  type Verdict,
  type WorkloadFacts,
} from "./report/index.ts";

// Packing and scheduling policies for batch systems.
export {
  exporters,
  exportPolicy,
  exportScheduling,
  schedulingExporters,
  schedulingPolicy,
  type SchedulingAdvice,
  type SchedulingExporter,
  type SchedulingPolicy,
  packingPolicies,
  parseExportedFamilies,
  type ExportedFile,
  type Exporter,
  type ExportedFamily,
  type ExportRequest,
} from "./export/index.ts";
