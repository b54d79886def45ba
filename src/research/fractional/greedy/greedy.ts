import type { Assignment } from "../algorithm.ts";
import type { FractionalInstance } from "../instance.ts";
import { minYieldOf } from "../min-yield.ts";
import { HostLoads } from "./host-loads.ts";
import type { Counted, HostPick } from "./host-picks.ts";
import { orderedServices, type ServiceOrder } from "./service-orders.ts";

/** An order of services and a pick of hosts. */
export interface GreedyPair {
  readonly order: ServiceOrder;
  readonly pick: HostPick;
}

/**
 * After this many scores of a host for a service, some 10 ns each, no further run begins. One run takes 1,000,000,000
 * with 10,000 hosts and 100,000 services.
 */
const MAX_SCORES = 3_000_000_000;

/**
 * The best of greedy placements, each with both ways to count a host's load. A run ends
 * as soon as some host cannot give a better yield than the best run so far: a host's
 * yield only falls as services are added.
 *
 * @param bound an upper bound of the yield: the search ends where it is reached
 */
export function bestGreedy(
  instance: FractionalInstance,
  pairs: readonly GreedyPair[],
  bound: number,
  maxScores = MAX_SCORES,
): Assignment | null {
  const loads = new HostLoads(instance);
  const orders = new Map<ServiceOrder, Int32Array>();
  const hostOf = new Int32Array(instance.services);
  let best: Assignment | null = null;
  let scores = 0;
  for (const { order, pick } of pairs) {
    const services = orders.get(order) ?? orderedServices(instance, order);
    orders.set(order, services);
    for (const counted of ["all", "requirements"] as const) {
      if (best !== null && best.minYield >= bound) return best;
      if (best !== null && scores > maxScores) return { ...best, isCutShort: true };
      loads.reset();
      const placed = place(loads, services, pick, counted, best?.minYield ?? -1, hostOf);
      scores += instance.hosts * placed;
      if (placed < instance.services) continue;
      const minYield = minYieldOf(instance, hostOf);
      if (minYield > (best?.minYield ?? -1)) best = { hostOf: hostOf.slice(), minYield };
    }
  }
  return best;
}

/**
 * @returns how many services were placed before one found no host, or left its host with a yield of `least` or less.
 */
function place(
  loads: HostLoads,
  services: Int32Array,
  pick: HostPick,
  counted: Counted,
  least: number,
  hostOf: Int32Array,
): number {
  let placed = 0;
  for (const service of services) {
    const picked = scan(loads, service, pick, counted);
    if (picked === -1) return placed;
    loads.put(service, picked);
    if (loads.minYield[picked] <= least) return placed;
    hostOf[service] = picked;
    placed++;
  }
  return placed;
}

/** The host with the lowest score among all that have room; -1 if none has. */
function scan(loads: HostLoads, service: number, pick: HostPick, counted: Counted): number {
  const { hosts } = loads.instance;
  const isFirstFit = pick.name === "P7";
  const dimension = pick.dimension?.(loads.instance, service) ?? 0;
  let picked = -1;
  let lowest = Infinity;
  for (let host = 0; host < hosts; host++) {
    const score = pick.score(loads, host, service, counted, dimension);
    if ((picked !== -1 && score >= lowest) || !loads.hasRoom(host, service)) continue;
    picked = host;
    lowest = score;
    if (isFirstFit) break;
  }
  return picked;
}
