export * from "./result.ts";
export type { EnergyUse, FamilyFigures, PackingResult, PackingRun } from "./packing/result.ts";
export { decodeStates, type FarmFrame, type FarmFrames } from "./packing/frames.ts";
export { FREE_SLOT, NO_SLOT, ORDINARY_SLOT } from "./packing/slots.ts";
export {
  familyFields,
  familyName,
  familyOfRows,
  parseFamily,
  type Family,
  type FamilyField,
  type PackingChoice,
} from "./packing/families.ts";
export type { NodePower } from "./packing/meter.ts";
export { runsOnEqualNodes, simulate } from "./simulate-by-policy.ts";
export type { Simulation, SimulationExtras } from "./simulation.ts";
export { CYCLE_SECONDS, defaultSettings, type Estimates, type SimulationSettings } from "./settings.ts";
export { type Schedule, PlacementLog } from "./schedule.ts";
export { publishedNames, wholeNodePolicies } from "./whole-node-names.ts";
export { printedPolicyName, resolvePolicy } from "./policy-names.ts";
export { offeredLoad } from "./offered-load.ts";
export { studentQuantile5 } from "./student.ts";
export { quantiles } from "./quantiles.ts";
export { presets, type Preset } from "./presets.ts";
export { readRequirement, requirementCheck } from "./requirements.ts";
export { scaleMachines } from "./scale-machines.ts";
export { ScheduleFile } from "./schedule-file.ts";
export type { RunLabels } from "./schedule-file/encoder.ts";
export {
  simulateAll,
  simulateFarmAll,
  type SimulateAllOptions,
  type SimulationProgress,
} from "./parallel/simulate-all.ts";
export {
  simulateFarm,
  type FarmRunResult,
  type FarmSimulation,
  type FarmSimulationExtras,
} from "./farm/simulate-farm.ts";
export { defaultFarmSettings, type FarmRunSettings } from "./farm/farm-settings.ts";
export type { FarmFigures, PoolFigures } from "./farm/farm-figures.ts";
export type { FarmSeries } from "./farm/farm-sampler.ts";
export type { JobAccount } from "./farm/ledger.ts";
export { farmChecks } from "./farm/farm-checks.ts";
export { machinesOfFarm } from "./farm/farm-machines.ts";
export type { RunSettings } from "./parallel/messages.ts";
export { explainJob } from "./explain/explain-job.ts";
export type { Cause, Explanation, Reason, Step } from "./explain/explanation.ts";
export { shareWorkload } from "./parallel/share-workload.ts";
