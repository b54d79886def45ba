export { WHOLE_NODE } from "./nodes.ts";
export type { OnlineRequest } from "./jobs.ts";
export {
  looksLikeOnlinePolicy,
  onlinePolicyNames,
  parseOnlinePolicy,
  type OnlinePolicy,
} from "./notation.ts";
export { allocations, arrivalAlgorithms, packingAlgorithms } from "./registry.ts";
export { priorities, type Priority } from "./priority.ts";
export { OnlineScheduler, type Decision, type DecisionKind, type OnlineSettings } from "./scheduler.ts";
