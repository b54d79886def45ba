import { Port, victimRules, type EngineSettings } from "../../core/index.ts";
import { engineSettings, type FarmSpec } from "../../simulation/index.ts";
import type { Nodes } from "./nodes.ts";
import type { Plan } from "./plan.ts";
import { FAMILIES, type Requests } from "./requests.ts";

/** How long a job avoids a machine where it could not be bound. It waits at least so long itself. */
const RETRY_SECONDS = 1;
/** No machine is drained for failed starts: what the API refuses is seldom its fault. */
const MAX_START_FAILURES = 2 ** 31;

/** A new decision engine with one pool, without machines: they are added as they are seen. */
export function newPort({ pool, packing, victim }: Plan, nodes: Nodes, requests: Requests): Port {
  const farm: FarmSpec = {
    seed: 0,
    transferSeconds: [[0]],
    pools: [
      {
        name: pool.name,
        site: 0,
        policy: pool.policy,
        maxJobsList: pool.maxJobsList,
        intervalSeconds: pool.intervalSeconds ?? 0,
        reserving: pool.reserving === Infinity ? null : pool.reserving,
        shares: null,
        suspend: "none",
        considersGpus: true,
        machines: [],
        ...(packing === null ? {} : { packing: { policy: packing, families: FAMILIES, ttlSeconds: null } }),
      },
    ],
    virtualPools: [{ name: "pods", site: 0, pools: [0], routing: "round-robin", viewAgeSeconds: 0 }],
    victim: null,
    strategy: "NoRes",
    waitThresholdSeconds: 1800,
    checkSeconds: 60,
    maxRestarts: null,
    restartPools: null,
  };
  const settings = engineSettings(
    farm,
    {
      projects: [""],
      candidateLists: [{ pools: null, restartPools: null }],
      priorities: requests.priorityCount,
      heuristics: [],
      requirement: () => null,
      licences: null,
      account: () => ({ user: "", group: "", project: "" }),
    },
    { random: () => 0, faults: { retrySeconds: RETRY_SECONDS, maxStartFailures: MAX_START_FAILURES } },
  );
  const rule = victimRules.find(({ name }) => name === victim);
  const victimRule =
    rule === undefined
      ? null
      : {
          ...rule,
          isPatient: (requirement: number) => !requests.termsOf(requirement).preempts,
        };
  return new Port({
    ...settings,
    victimRule,
    pools: [{ ...settings.pools[0]!, groups: groupsOf(nodes, requests) }],
  });
}

/** What requirements ask of nodes: labels and taints, which the core does not know. */
function groupsOf(nodes: Nodes, requests: Requests): NonNullable<EngineSettings["pools"][number]["groups"]> {
  // Longer than there are groups, which grow one by one.
  let ownerOf = new Int32Array(0);
  let speedOf = new Float64Array(0);
  return {
    get count() {
      return nodes.groupCount;
    },
    meets: (requirement, group) => nodes.meets(requests.termsOf(requirement), group),
    get ownerOf() {
      if (ownerOf.length < nodes.groupCount) ownerOf = new Int32Array(nodes.groupCount * 2);
      return ownerOf;
    },
    get speedOf() {
      if (speedOf.length < nodes.groupCount) speedOf = new Float64Array(nodes.groupCount * 2).fill(1);
      return speedOf;
    },
  };
}
