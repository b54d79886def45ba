export type { Capacities } from "./machines/machine-state.ts";
export { DOWN, DRAINED, MachineState } from "./machines/machine-state.ts";
export { doubled, lengthened } from "./arrays.ts";
export type { Decision } from "./engine/decisions.ts";
export { HOLDING } from "./jobs/engine-jobs.ts";
export { Jobs, type JobRequest } from "./jobs/jobs.ts";
export type { Heuristic, Finder } from "./matching/heuristic.ts";
export type { Booking, BookingSettings } from "./bookings/bookings.ts";
export type { LicenceCount, LicenceSettings, LicenceShortage } from "./licences/licences.ts";
export { excessText, type Limit, type LimitExcess, type LimitSettings } from "./limits/limits.ts";
export { NONE } from "./none.ts";
export { Indexes } from "./matching/indexes.ts";
export { findHeuristic, heuristics, maxInTurn, maxJobsDefaults } from "./matching/registry.ts";
export { scanFinder } from "./matching/scan.ts";
export { findPolicy, policies, type NamedPolicy } from "./policies/registry.ts";
export { matching } from "./policies/matching.ts";
export { maxJobs } from "./policies/max-jobs.ts";
export { Eligibility, ineligibleText, type Ineligible } from "./machines/eligibility.ts";
export { memoryText } from "./machines/memory-text.ts";
export { attributesOf, meets, unmetParts, type Unmet } from "./requirements/meets.ts";
export {
  attributeTypes,
  findMistake,
  type AttributeTypes,
  type Mistake,
  type ValueType,
} from "./requirements/mistakes.ts";
export { MAX_REQUIREMENT_DEPTH, MAX_REQUIREMENT_LENGTH, parseRequirement } from "./requirements/parse.ts";
export { RequirementError } from "./requirements/requirement-error.ts";
export type { Attributes, AttributeValue, Requirement } from "./requirements/requirement.ts";
export type { AllowedMachines } from "./machines/allowed-machines.ts";
export type { MachineTasks, Placements } from "./jobs/placements.ts";
export type { PlacementGuard, Placer } from "./pool/placer.ts";
export type { Plan } from "./pool/plan.ts";
export { FairShareQueue } from "./queue/fair-share-queue.ts";
export type { WaitQueue } from "./queue/wait-queue.ts";
export type { Chooser } from "./pool/search.ts";
export type { MachineView } from "./machines/machine-view.ts";
export type { PoolState } from "./routing/pool-views.ts";
export { backfillDepth, backfillSummary, MAX_BACKFILL_DEPTH } from "./policies/backfilling/backfill.ts";
export { delayNames } from "./policies/backfilling/delays.ts";
export type { Joining, Policy, PolicyContext, PolicyKind, PromiseView } from "./pool/policy.ts";
export { ORDINARY, FamilyMachines } from "./packing/family-machines.ts";
export {
  maxFamilies,
  packingPolicies,
  type PackingPolicy,
  type PackingSettings,
} from "./packing/settings.ts";
export { Pool } from "./pool/pool.ts";
export type { PoolSettings } from "./pool/pool-settings.ts";
export {
  useMeasures,
  type DecayedUse,
  type KeptUse,
  type UsageSettings,
  type UseMeasure,
} from "./queue/decayed-use.ts";
export { dueParts, shareTree, type Share, type ShareTree } from "./queue/share-tree.ts";
export type { MachineGroups, OwnedGroups } from "./machines/machine-groups.ts";
export { CANCEL, DRAIN, DUPLICATE, KILL, LOST, MOVE, RESUME, START, SUSPEND } from "./engine/decisions.ts";
export { MAX_TIME_SECONDS } from "./port/event-checks.ts";
export type { Fault } from "./engine/outcomes.ts";
export { Port } from "./port/port.ts";
export { wrongCount } from "./port/recount.ts";
export type { KillReason, PlainDecision } from "./port/decisions.ts";
export type {
  CycleView,
  FamiliesView,
  JobsView,
  MachinesView,
  PlacesView,
  PoolView,
  UsageView,
  View,
} from "./port/view.ts";
export type {
  Answer,
  EngineEvent,
  MachineCapacityEvent,
  MachineEvent,
  OutcomeEvent,
  PlainRequest,
  Tick,
  UserEvent,
} from "./port/events.ts";
export type { JobColumns } from "./engine/job-columns.ts";
export type { EngineSnapshot, PlainNumber, PortSnapshot } from "./engine/snapshot.ts";
export { firstCycleAt } from "./engine/cycle-plan.ts";
export * from "./engine/ignored.ts";
export type { PoolManagerSettings, SuspendCapability } from "./engine/pool-manager.ts";
export {
  defaultFaults,
  type EngineJobRequest,
  type EngineSettings,
  type FaultSettings,
  type Rejection,
} from "./engine/settings.ts";
export type {
  DelayName,
  GroupCounts,
  MachineCounts,
  ReasonSink,
  Shortage,
  WaitReason,
  WaitRule,
} from "./reasons/reason.ts";
export * from "./jobs/job-states.ts";
export { TimeHeap } from "./time-heap.ts";
export { routings } from "./routing/registry.ts";
export type { Routing, RoutingView } from "./routing/routing.ts";
export type { PoolLists } from "./routing/virtual-pool.ts";
export { strategies } from "./rescheduling/registry.ts";
export type { Move, Strategy } from "./rescheduling/strategy.ts";
export { victimRules } from "./preemption/registry.ts";
export type { VictimRule } from "./preemption/victim-rule.ts";
