import type { FractionalInstance } from "../instance.ts";
import { bestFit } from "./best-fit.ts";
import { firstFit } from "./first-fit.ts";
import { orders, type Order } from "./orders.ts";
import type { Packer, PackerTiers } from "./packer.ts";
import { MAX_WINDOW } from "./filling.ts";
import { permutationPack } from "./permutation-pack.ts";

/** Up to here windows are narrow: cheap in any number of dimensions, and all there is in two. */
const NARROW_WINDOW = 2;

/**
 * Windows that need more rankings of a list per packing are left out. For each item all lists are ranked, at some 0.2
 * µs each, and a window w makes up to D!/(D-w)! lists.
 */
const MAX_RANKINGS = 500_000;

/** Wide windows are tried only with pairs of orders whose positions in the lists below add up to at most this. */
const LAST_PLACE_OF_WIDE = 6;

/**
 * With more services than this, in two dimensions, best fit is tried with a few orders only, and first fit without
 * some that hardly ever win. Of 1,100 random instances of 210 to 400 services one lost yield by that, 0.0025; on
 * others a second search lost up to 0.005. With 100 services, or in four dimensions, much more would be lost.
 */
const FEW_SERVICES = 200;
const bestFitOrdersOfMany: readonly Order[] = ["descending-sum", "descending-max"];
const leftOutOfFirstFit = {
  items: ["descending-lex"] as readonly Order[],
  bins: ["descending-max", "descending-sum", "descending-lex"] as readonly Order[],
};

/** For equal hosts: all families by every order of services. */
export function homogeneousPackers(instance: FractionalInstance, isScaled = false): PackerTiers {
  const packers = (itemOrders: readonly Order[]): Packer[] => {
    const windows = [...narrowWindows(instance.dimensions), ...wideWindows(instance)];
    return itemOrders.flatMap((order) => [
      firstFit(order, "given", isScaled),
      bestFit(order, isScaled),
      ...windows.flatMap((window) => [
        permutationPack("permutation", window, order, "given", isScaled),
        permutationPack("choose", window, order, "given", isScaled),
      ]),
    ]);
  };
  return {
    first: firstFit(orders[0], "given", isScaled),
    leading: () => packers(orders.filter(isHardFirst)),
    following: () => [],
    fallback: () => packers(orders.filter((order) => !isHardFirst(order))),
  };
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
 * differ in that: 506 in two dimensions.
 *
 * Orders of services by which the hard ones come first, and Permutation Pack, lead. Without
 * the order by ascending ratio 7 of 144 random instances lost up to 0.018, without first and best fit 6 of 80
 * of 250 services up to 0.008.
 */
export function heterogeneousPackers(instance: FractionalInstance): PackerTiers {
  const scalings = hasUnequalDimensions(instance) ? [true, false] : [false];
  if (hasEqualHosts(instance)) {
    const tiers = scalings.map((isScaled) => homogeneousPackers(instance, isScaled));
    return {
      first: tiers[0].first,
      leading: () => tiers.flatMap(({ leading }) => leading()),
      following: () => [],
      fallback: () => tiers.flatMap(({ fallback }) => fallback()),
    };
  }
  const permutations = (itemOrders: readonly Order[]): Packer[] => {
    // A window of all dimensions leaves hardly any choice.
    const narrow = narrowWindows(Math.max(1, instance.dimensions - 1));
    const wide = wideWindows(instance);
    // All windows of a pair come one after the other: if there is not enough time for all, the best pairs have been
    // tried with each.
    return pairsOf(itemOrders, binOrders).flatMap((pair) => {
      const windows = pair.place <= LAST_PLACE_OF_WIDE ? [...narrow, ...wide] : narrow;
      return windows.flatMap((window) => permutationPackers(window, pair, scalings));
    });
  };
  const bestFits = (itemOrders: readonly Order[]): Packer[] =>
    itemOrders.flatMap((items) => scalings.map((isScaled) => bestFit(items, isScaled)));
  const firstFits = (pairs: readonly OrderPair[]): Packer[] =>
    pairs.flatMap(({ items, bins }) => scalings.map((isScaled) => firstFit(items, bins, isScaled)));
  const allFits = (itemOrders: readonly Order[]): Packer[] => [
    ...bestFits(itemOrders),
    ...firstFits(pairsOf(itemOrders, binOrders)),
  ];
  const hardFirst = orders.filter(isHardFirst);
  const others = orders.filter((order) => !isHardFirst(order));
  const hasFew = instance.services <= FEW_SERVICES || instance.dimensions > 2;
  return {
    first: permutationPack("permutation", 1, orders[0], binOrders[0], scalings[0]),
    leading: () => permutations(hardFirst),
    following: () =>
      hasFew
        ? allFits(hardFirst)
        : [
            ...bestFits(bestFitOrdersOfMany),
            ...firstFits(pairsOf(hardFirst, binOrders).filter(isInFirstFitOfMany)),
          ],
    fallback: () => [...permutations(others), ...allFits(hasFew ? others : orders)],
  };
}

/**
 * Whether the order puts first what is hard to place: large items, and those that ask for all dimensions alike. The
 * other orders hardly ever win.
 */
function isHardFirst(order: Order): boolean {
  return order.startsWith("descending") || order === "ascending-ratio";
}

function isInFirstFitOfMany({ items, bins }: OrderPair): boolean {
  return !leftOutOfFirstFit.items.includes(items) && !leftOutOfFirstFit.bins.includes(bins);
}

interface OrderPair {
  readonly items: Order;
  readonly bins: Order;
  /** The sum of its orders' positions in their lists. */
  readonly place: number;
}

function permutationPackers(
  window: number,
  { items, bins }: OrderPair,
  scalings: readonly boolean[],
): Packer[] {
  return scalings.flatMap((isScaled) => [
    permutationPack("permutation", window, items, bins, isScaled),
    // With a window of 1, Choose Pack and Permutation Pack are the same.
    ...(window > 1 ? [permutationPack("choose", window, items, bins, isScaled)] : []),
  ]);
}

/** All pairs of an order of items and one of bins, in order of the sum of their positions. */
function pairsOf(itemOrders: readonly Order[], binOrders: readonly Order[]): OrderPair[] {
  return itemOrders
    .flatMap((items, i) => binOrders.map((bins, j) => ({ items, bins, place: i + j })))
    .sort((a, b) => a.place - b.place);
}

function narrowWindows(limit: number): number[] {
  return Array.from({ length: Math.min(NARROW_WINDOW, limit) }, (_, i) => i + 1);
}

/**
 * From four dimensions on wider windows do better: in trials with four the best was 3, with six 4 and 5.
 * A window of all dimensions is left out: for Permutation Pack the last dimension follows from the
 * others, and Choose Pack then is first fit.
 */
function wideWindows({ dimensions, services }: FractionalInstance): number[] {
  const windows: number[] = [];
  let lists = dimensions * (dimensions - 1);
  for (let window = NARROW_WINDOW + 1; window < Math.min(dimensions, MAX_WINDOW + 1); window++) {
    lists *= dimensions - window + 1;
    if (Math.min(lists, services) * services > MAX_RANKINGS) break;
    windows.push(window);
  }
  return windows;
}

function hasUnequalDimensions({ dimensions, aggregateCapacity }: FractionalInstance): boolean {
  const totals = new Float64Array(dimensions);
  for (let at = 0; at < aggregateCapacity.length; at++) totals[at % dimensions] += aggregateCapacity[at];
  return totals.some((total) => total !== totals[0]);
}

function hasEqualHosts({ dimensions, aggregateCapacity, elementaryCapacity }: FractionalInstance): boolean {
  for (let at = dimensions; at < aggregateCapacity.length; at++)
    if (
      aggregateCapacity[at] !== aggregateCapacity[at % dimensions] ||
      elementaryCapacity[at] !== elementaryCapacity[at % dimensions]
    )
      return false;
  return true;
}
