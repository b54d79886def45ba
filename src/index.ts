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
 * Times are seconds, memory is MiB, cores are thousandths (`coresMilli`). What users can put right is thrown as an
 * `InputError`. `docs/library.md` has an example of every name here. `croft/core` has the decision core, for programs
 * that drive it themselves, and `croft/research` what studies are made with.
 */

// Workloads, machines and farms: read, make, describe, write.
export {
  characterise,
  generators,
  inferredMachines,
  InputError,
  readFarm,
  readMachines,
  readWorkload,
  workloadWriters,
  type Farm,
  type Machines,
  type Workload,
} from "./workload/index.ts";
export { workloadOf, type WorkloadColumns } from "./workload/workload-of.ts";

// Runs.
export {
  defaultSettings,
  explainJob,
  farmChecks,
  fidelityOf,
  loadPlugin,
  offeredLoad,
  presets,
  recordedRun,
  scaleMachines,
  ScheduleFile,
  simulate,
  simulateAll,
  type Explanation,
  type GivenSettings,
  type Plugin,
  type RunResult,
  type Schedule,
  type Simulation,
} from "./simulation/index.ts";

// What plugins are made of.
export type {
  AllowedMachines,
  Chooser,
  DelayName,
  Heuristic,
  JobRequest,
  Jobs,
  Joining,
  MachineState,
  MachineView,
  Move,
  PlacementGuard,
  Placements,
  Placer,
  Plan,
  Policy,
  PolicyContext,
  PolicyKind,
  PromiseView,
  Routing,
  RoutingView,
  Strategy,
  WaitQueue,
} from "./core/index.ts";

// Results for people.
export { renderReport, renderTable, verdictOf, type ReportInput, type Verdict } from "./report/index.ts";

// Scheduling and packing policies for batch systems.
export {
  exporters,
  exportPolicy,
  exportScheduling,
  parseExportedFamilies,
  schedulingExporters,
  schedulingPolicy,
} from "./export/index.ts";
