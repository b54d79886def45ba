export * from "./result.ts";
export { decodeStates, type FarmFrame, type FarmFrames } from "./packing/frames.ts";
export {
  familyName,
  familyOfRows,
  parseFamily,
  type Family,
  type PackingChoice,
} from "./settings/families.ts";
export { checkPolicy, simulate, type GivenSettings } from "./simulate.ts";
export type { FarmRunResult, FarmSimulation, Simulation, SimulationExtras } from "./simulation.ts";
export {
  CYCLE_SECONDS,
  defaultSettings,
  type Estimates,
  type SimulationSettings,
} from "./settings/settings.ts";
export { type Schedule, PlacementLog } from "./schedule.ts";
export {
  addNodePolicies,
  nodePolicies,
  nodePoliciesOf,
  type NodePolicies,
} from "./settings/node-policies.ts";
export { policySummary } from "./settings/policy-names.ts";
export { nameOfPolicy, printedPolicyName, resolvePolicy } from "./settings/policy-names.ts";
export {
  closestRun,
  fidelityOf,
  isAssumed,
  LEAST_CORRELATION,
  NEAR_FACTOR,
  type Fidelity,
  type NearestBecause,
} from "./recorded/fidelity.ts";
export { compareLogs, type LogComparison, type LogSide, type PartChange } from "./recorded/compare-logs.ts";
export type { WaitChange } from "./recorded/two-logs.ts";
export {
  compareWaits,
  confidence,
  fewestDays,
  judgementOf,
  moved,
  NO_MATTER_SECONDS,
  type Interval,
  type WaitComparison,
  type Waits,
} from "./comparison/wait-comparison.ts";
export { crossFitted } from "./comparison/cross-fitted.ts";
export type { Silence } from "./comparison/silence.ts";
export type { Replicates } from "./comparison/log-ratio.ts";
export {
  drawnUnits,
  drawsTellMore,
  FEWEST_UNITS,
  FEWEST_WEEKS,
  resampled,
  wholeWeeks,
} from "./comparison/resampled.ts";
export { recordedRun, type RecordedRun } from "./recorded/recorded-run.ts";
export type { Outages } from "./recorded/outages.ts";
export type { PartWaits, WaitsByPart } from "./figures/waits-by-part.ts";
export { offeredLoad } from "./figures/offered-load.ts";
export { studentQuantile } from "./figures/student.ts";
export { quantiles } from "./figures/quantiles.ts";
export { filesOfPlugin, loadPlugin, registry, type Plugin } from "./settings/plugin.ts";
export { presets, type Preset } from "./settings/presets.ts";
export { readRequirement, requirementCheck } from "./build/requirements.ts";
export { resizeFarm, resizeMachines, resizeSome, scaleFarm, scaleMachines } from "./scale-machines.ts";
export { ScheduleFile, scheduleFormat } from "./schedule-file/schedule-file.ts";
export type { RunLabels } from "./schedule-file/encoder.ts";
export { simulateAll, type SimulateAllOptions, type SimulationProgress } from "./parallel/simulate-all.ts";
export type { FarmFigures, TimeFigures } from "./figures/farm-figures.ts";
export type { Ledger } from "./run/ledger.ts";
export type { FailureFigures, FailureSettings, Outage } from "./settings/failure-settings.ts";
export type { Breakdown, PartFigures } from "./figures/breakdown.ts";
export {
  combinations,
  kindsOfRun,
  limitOf,
  refusePolicy,
  runKinds,
  type Combination,
  type RunKind,
} from "./settings/combinations.ts";
export {
  attributesOfMachine,
  attributeTypesOf,
  engineSettings,
  groupsOf,
  ownersOf,
  type JobTerms,
} from "./build/engine-settings.ts";
export { farmChecks } from "./build/farm-checks.ts";
export type { FarmSpec, MachineSpec, PoolSpec } from "./build/farm-spec.ts";
export { knownRouting, knownStrategy, knownVictimRule } from "./build/known.ts";
export { hasLicences, licencesCount } from "./build/licences.ts";
export { rejectionText } from "./build/rejection-text.ts";
export { machinesOfFarm } from "./build/machines.ts";
export { explainJob, explainRows } from "./explain/explain-job.ts";
export { shareViews, type ProjectView, type SharesView } from "./explain/share-views.ts";
export { sharesAt } from "./explain/shares-at.ts";
export { longestWaits, parseJobName, rowsOfJob, type JobName } from "./explain/find-jobs.ts";
export { jobsBefore, sumOf } from "./explain/ahead.ts";
export { noPoolHasRoom } from "./explain/at-virtual-pool.ts";
export type {
  Ahead,
  AwaitedNames,
  Cause,
  ClosedMachine,
  Explanation,
  GroupEvidence,
  LatePromise,
  Rank,
  Reason,
  StartIf,
  Step,
  Suspension,
  WaitSpan,
} from "./explain/explanation.ts";
export { coversProject, exceededLimit, limitsFor, limitText, type Account } from "./build/limits.ts";
export {
  closedText,
  dominantReason,
  aboveText,
  exceededText,
  gpusText,
  meaningOf,
  tokenNames,
  type DominantReason,
  type ReasonToken,
} from "./explain/dominant.ts";
export { delayText, latePromiseText } from "./explain/delay-text.ts";
export { queueText, unmetText } from "./explain/unmet-text.ts";
export { whatHelps, type Help, type HelpParts, type HelpingChange } from "./explain/what-helps.ts";
export { limitReason, WaitReasons, type EngineNames } from "./explain/reasons.ts";
export { shareWorkload } from "./parallel/share-workload.ts";
