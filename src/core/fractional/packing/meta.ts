import type { FractionalInstance } from "../instance.ts";
import { bestFit } from "./best-fit.ts";
import { firstFit } from "./first-fit.ts";
import { orders } from "./orders.ts";
import type { Packer } from "./packer.ts";
import { permutationPack } from "./permutation-pack.ts";

/** Windows above this were no better and cost more lists. */
const LARGEST_WINDOW = 2;

/** For equal hosts: all families by every order of services. */
export function homogeneousPackers({ dimensions }: FractionalInstance): Packer[] {
  return orders.flatMap((order) => [
    firstFit(order, "given"),
    bestFit(order),
    ...windowsBelow(dimensions + 1).flatMap((window) => [
      permutationPack("permutation", window, order, "given"),
      permutationPack("choose", window, order, "given"),
    ]),
  ]);
}

/**
 * For unequal hosts: every order of hosts as well (Stillwell, Vivien and Casanova, IPDPS 2012), and
 * all of it once more with amounts as shares of what all hosts have, where dimensions
 * differ in that. Permutation Pack comes first: it wins most often.
 */
export function heterogeneousPackers(instance: FractionalInstance): Packer[] {
  const windows = windowsBelow(instance.dimensions);
  const binOrders = hasEqualHosts(instance) ? (["given"] as const) : orders;
  return (hasUnequalDimensions(instance) ? [false, true] : [false]).flatMap((isScaled) => [
    ...orders.flatMap((itemOrder) =>
      binOrders.flatMap((binOrder) =>
        windows.map((window) => permutationPack("permutation", window, itemOrder, binOrder, isScaled)),
      ),
    ),
    ...orders.map((itemOrder) => bestFit(itemOrder, isScaled)),
    ...orders.flatMap((itemOrder) => binOrders.map((binOrder) => firstFit(itemOrder, binOrder, isScaled))),
  ]);
}

/** A window of all dimensions is left out where all smaller ones are in: it leaves hardly any choice. */
function windowsBelow(limit: number): number[] {
  return Array.from({ length: Math.max(1, Math.min(LARGEST_WINDOW, limit - 1)) }, (_, i) => i + 1);
}

function hasUnequalDimensions({ dimensions, aggregateCapacity }: FractionalInstance): boolean {
  const totals = new Float64Array(dimensions);
  aggregateCapacity.forEach((capacity, at) => (totals[at % dimensions] += capacity));
  return totals.some((total) => total !== totals[0]);
}

function hasEqualHosts({ dimensions, aggregateCapacity, elementaryCapacity }: FractionalInstance): boolean {
  return [aggregateCapacity, elementaryCapacity].every((column) =>
    column.every((capacity, at) => capacity === column[at % dimensions]),
  );
}
