import type { FractionalInstance } from "../instance.ts";
import { bestFit } from "./best-fit.ts";
import { firstFit } from "./first-fit.ts";
import { orders, type Order } from "./orders.ts";
import type { Packer } from "./packer.ts";
import { permutationPack } from "./permutation-pack.ts";

/** Windows above this were no better and cost more lists. */
const LARGEST_WINDOW = 2;

/** For equal hosts: all families by every order of services. */
export function homogeneousPackers({ dimensions }: FractionalInstance, isScaled = false): Packer[] {
  return orders.flatMap((order) => [
    firstFit(order, "given", isScaled),
    bestFit(order, isScaled),
    ...windowsUpTo(dimensions).flatMap((window) => [
      permutationPack("permutation", window, order, "given", isScaled),
      permutationPack("choose", window, order, "given", isScaled),
    ]),
  ]);
}

/** Orders of hosts, those first that won most often with Permutation Pack in trials. */
const binOrders: readonly Order[] = [
  "descending-ratio",
  "descending-dif",
  "ascending-sum",
  "given",
  "ascending-max",
  "descending-max",
  "ascending-dif",
  "ascending-lex",
  "descending-sum",
  "ascending-ratio",
  "descending-lex",
];

/**
 * For unequal hosts: every order of hosts as well (Stillwell, Vivien and Casanova, IPDPS 2012), and
 * all of it once more with amounts as shares of what all hosts have, where dimensions
 * differ in that. The best come first: in trials, eight ways of Permutation Pack alone came to
 * 99.9 % of what all 506 (in two dimensions) do.
 */
export function heterogeneousPackers(instance: FractionalInstance): Packer[] {
  const scalings = hasUnequalDimensions(instance) ? [true, false] : [false];
  if (hasEqualHosts(instance)) return scalings.flatMap((isScaled) => homogeneousPackers(instance, isScaled));
  const pairs = pairsOf(orders, binOrders);
  // A window of all dimensions leaves hardly any choice.
  const windows = windowsUpTo(Math.max(1, instance.dimensions - 1));
  return [
    ...windows.flatMap((window) =>
      pairs.flatMap(([items, bins]) =>
        scalings.flatMap((isScaled) => [
          permutationPack("permutation", window, items, bins, isScaled),
          // With a window of 1 there is nothing to leave out of account.
          ...(window > 1 ? [permutationPack("choose", window, items, bins, isScaled)] : []),
        ]),
      ),
    ),
    ...orders.flatMap((items) => scalings.map((isScaled) => bestFit(items, isScaled))),
    ...pairs.flatMap(([items, bins]) => scalings.map((isScaled) => firstFit(items, bins, isScaled))),
  ];
}

/** All pairs of an order of items and one of bins, those first that are early in both lists. */
function pairsOf(itemOrders: readonly Order[], binOrders: readonly Order[]): (readonly [Order, Order])[] {
  return itemOrders
    .flatMap((items, i) => binOrders.map((bins, j) => ({ pair: [items, bins] as const, place: i + j })))
    .sort((a, b) => a.place - b.place)
    .map(({ pair }) => pair);
}

function windowsUpTo(limit: number): number[] {
  return Array.from({ length: Math.min(LARGEST_WINDOW, limit) }, (_, i) => i + 1);
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
