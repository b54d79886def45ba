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
 * The best of greedy placements, each with both ways to count a host's load. A run ends
 * as soon as some host cannot give a better yield than the best run so far: a host's
 * yield only falls as services are added.
 *
 * @param bound nothing better is looked for
 */
export function bestGreedy(
  instance: FractionalInstance,
  pairs: readonly GreedyPair[],
  bound: number,
): Assignment | null {
  const loads = new HostLoads(instance);
  const orders = new Map<ServiceOrder, Int32Array>();
  const hostOf = new Int32Array(instance.services);
  let best: Assignment | null = null;
  for (const { order, pick } of pairs) {
    const services = orders.get(order) ?? orderedServices(instance, order);
    orders.set(order, services);
    for (const counted of ["all", "requirements"] as const) {
      if (best !== null && best.minYield >= bound) return best;
      loads.reset();
      if (!place(loads, services, pick, counted, best?.minYield ?? -1, hostOf)) continue;
      const minYield = minYieldOf(instance, hostOf);
      if (minYield >= 0) best = { hostOf: hostOf.slice(), minYield };
    }
  }
  return best;
}

/** @returns whether all services found a host, and with more than `least` as their yield. */
function place(
  loads: HostLoads,
  services: Int32Array,
  pick: HostPick,
  counted: Counted,
  least: number,
  hostOf: Int32Array,
): boolean {
  const { hosts } = loads.instance;
  const isFirstFit = pick.name === "P7";
  for (const service of services) {
    let picked = -1;
    let lowest = Infinity;
    for (let host = 0; host < hosts; host++) {
      const score = pick.score(loads, host, service, counted);
      if ((picked !== -1 && score >= lowest) || !loads.hasRoom(host, service)) continue;
      picked = host;
      lowest = score;
      if (isFirstFit) break;
    }
    if (picked === -1) return false;
    loads.put(service, picked);
    if (loads.minYield[picked] <= least) return false;
    hostOf[service] = picked;
  }
  return true;
}
