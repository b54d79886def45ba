import type { FarmChecks } from "../../workload/index.ts";
import { resolvePolicy } from "../settings/policy-names.ts";
import { knownRouting, knownStrategy, knownVictimRule } from "./known.ts";

/** What lets the reader of a farm's file say where a name is wrong. */
export const farmChecks: FarmChecks = {
  policy: resolvePolicy,
  needsMemory: (name, maxJobs) => {
    const { kind, heuristic } = resolvePolicy(name, maxJobs);
    return kind.needsMemory || heuristic.needsMemory;
  },
  triesList: (name) => resolvePolicy(name).kind.withList !== undefined,
  heuristic: (name) => resolvePolicy("max-jobs", [name]),
  routing: knownRouting,
  victim: knownVictimRule,
  strategy: knownStrategy,
};
