import {
  allocations,
  arrivalAlgorithms,
  looksLikeOnlinePolicy,
  onlinePolicyNames,
  parseOnlinePolicy,
  priorities,
  type OnlinePolicy,
} from "../fractional/index.ts";
import type { NodePolicies } from "../../simulation/index.ts";
import { InputError, nearest } from "../../workload/index.ts";
import { simulateOnline } from "./online.ts";

/** The policies that share the CPU of equal nodes in parts, in the notation of Stillwell 2014. */
export const sharedNodes: NodePolicies = {
  kind: "shared",
  what: "shares nodes in parts",
  names: [],
  notation: [
    "Nodes shared in parts, as in 'GreedyPM */per/MVT': a name for what happens when jobs come (below, or MCB,",
    "which packs all jobs anew), * for completions too, /per or /stretch-per for packing anew every period, /MVT",
    `or /MFT to leave young jobs where they are, ${priorities.map(({ word }) => `/PRIO=${word}`).join(", ")} for who is`,
    `paused first (VT: virtual time, FT: flow time; ${priorities[0].word} unless given), ${allocations.map(({ name }) => `/OPT=${name}`).join(" or ")} for how CPU is shared out.`,
  ],
  parts: arrivalAlgorithms,
  isMeant: looksLikeOnlinePolicy,
  printed: (name) => policyOf(name).name,
  poolPolicy: () => "easy",
  check: () => undefined,
  withoutEffect(option, name) {
    const policy = policyOf(name);
    if (option === "--mvt" && !policy.isMinimumVirtualTimeKept) return "it is for policies with /MVT";
    if (option === "--mft" && !policy.isMinimumFlowTimeKept) return "it is for policies with /MFT";
    return option === "--period" && policy.periodic === null
      ? "it is for policies with /per or /stretch-per"
      : null;
  },
  describe: (settings) => [
    ["a pause and resume, or a move, costs", `${settings.penaltySeconds} s without progress`],
    ["/per and /stretch-per pack anew", `every ${settings.periodSeconds} s`],
    ["/MVT does not move jobs with less than", `${settings.minimumVirtualSeconds} s of virtual time`],
    ["/MFT does not move jobs with less than", `${settings.minimumFlowSeconds} s since submission`],
  ],
  simulate: (workload, machines, name, settings, extras) =>
    simulateOnline(workload, machines, policyOf(name), settings, extras),
};

/** @throws InputError where the name is wrong, with the nearest right ones */
function policyOf(name: string): OnlinePolicy {
  const policy = parseOnlinePolicy(name);
  if (typeof policy !== "string") return policy;
  const known = nearest(name, onlinePolicyNames()).join(", ");
  throw new InputError(`policy "${name}": ${policy}; did you mean ${known}?`);
}
