import { tolerated, type FractionalInstance } from "../instance.ts";
import { SizeClasses } from "./size-classes.ts";
import { Vectors, type Order } from "./orders.ts";

/**
 * Up to this product of hosts and services, scanning takes less time than making indexes. With 64 hosts and 250
 * services a scan takes as long once the code is compiled, but two thirds in a process that solves one instance; with
 * 32 and 100, 0.8 of the time.
 */
const MAX_SCANNED = 16_384;

/**
 * The instance with the yield fixed: needs have become requirements, services are items
 * and hosts are bins of vector packing.
 *
 * An item's vector has its aggregate amounts first and then the elementary ones, where
 * these can matter; a bin's has what remains of its aggregate capacities, and its
 * elementary capacities. An item fits a bin iff no coordinate of it is larger.
 */
export class Packing {
  readonly instance: FractionalInstance;
  readonly items: number;
  readonly bins: number;
  /** Of the aggregate amounts. */
  readonly dimensions: number;
  /** Coordinates of a vector. */
  readonly width: number;
  /** Whether bins and items that fit are found by indexes; otherwise all are scanned. */
  readonly isIndexed: boolean;
  /** Entry [bin * width + coordinate], with the tolerance in it. */
  readonly capacity: Float64Array;
  /** Entry [item * width + coordinate], at the yield set. */
  readonly size: Float64Array;
  /** Entry [d] of the first is 1; of the second, what makes the hosts' mean capacity 1. */
  private readonly scales: readonly [Float64Array, Float64Array];
  /** How many items have been offered to packers so far, which count them. */
  offered = 0;
  /** The work of that, in items offered to first fit; the search limits it. */
  work = 0;
  private readonly elementary: readonly number[];
  /** With each of the scales. */
  private readonly binVectors: readonly [Vectors, Vectors];
  private readonly itemVectors: readonly [Vectors, Vectors];
  /** What follows from the sizes at the yield set. */
  private readonly atYield = new Map<string, unknown>();
  private yield = NaN;

  constructor(
    instance: FractionalInstance,
    isIndexed: boolean = instance.hosts * instance.services > MAX_SCANNED,
  ) {
    const { dimensions, hosts, services } = instance;
    this.instance = instance;
    this.isIndexed = isIndexed;
    this.items = services;
    this.bins = hosts;
    this.dimensions = dimensions;
    this.elementary = bindingElementaryDimensions(instance);
    this.width = dimensions + this.elementary.length;
    this.capacity = new Float64Array(hosts * this.width);
    this.size = new Float64Array(services * this.width);
    for (let host = 0; host < hosts; host++) {
      const to = host * this.width;
      const from = host * dimensions;
      for (let d = 0; d < dimensions; d++)
        this.capacity[to + d] = tolerated(instance.aggregateCapacity[from + d]);
      for (let i = 0; i < this.elementary.length; i++)
        this.capacity[to + dimensions + i] = tolerated(
          instance.elementaryCapacity[from + this.elementary[i]],
        );
    }
    const plain = new Float64Array(dimensions).fill(1);
    const scaled = new Float64Array(dimensions);
    for (let at = 0; at < hosts * dimensions; at++) scaled[at % dimensions] += instance.aggregateCapacity[at];
    this.scales = [plain, scaled.map((total) => (total === 0 ? 1 : hosts / total))];
    // Without the tolerance: it would tell equal ratios apart.
    const bins = instance.aggregateCapacity;
    const [first, second] = this.scales;
    this.binVectors = [
      new Vectors(bins, dimensions, dimensions, first),
      new Vectors(bins, dimensions, dimensions, second),
    ];
    this.itemVectors = [
      new Vectors(this.size, dimensions, this.width, first),
      new Vectors(this.size, dimensions, this.width, second),
    ];
  }

  /**
   * What coordinates are multiplied by before they are compared with each other: amounts count
   * as they are, or scaled to shares of what all hosts have.
   */
  scale(isScaled: boolean): Float64Array {
    return this.scales[isScaled ? 1 : 0];
  }

  /** What the coordinate is of. */
  meaningOf(coordinate: number): {
    readonly part: "elementary" | "aggregate";
    readonly dimension: number;
  } {
    return coordinate < this.dimensions
      ? { part: "aggregate", dimension: coordinate }
      : { part: "elementary", dimension: this.elementary[coordinate - this.dimensions] };
  }

  setYield(minYield: number): void {
    if (minYield === this.yield) return;
    this.yield = minYield;
    this.atYield.clear();
    this.itemVectors[0].changed();
    this.itemVectors[1].changed();
    const { dimensions, width, size, instance } = this;
    const elementary = this.elementary;
    const { aggregateRequirement, aggregateNeed, elementaryRequirement, elementaryNeed } = instance;
    for (let item = 0; item < this.items; item++) {
      const from = item * dimensions;
      let to = item * width;
      for (let d = 0; d < dimensions; d++)
        size[to++] = aggregateRequirement[from + d] + minYield * aggregateNeed[from + d];
      for (let i = 0; i < elementary.length; i++) {
        const at = from + elementary[i];
        size[to++] = elementaryRequirement[at] + minYield * elementaryNeed[at];
      }
    }
  }

  /**
   * The result of `make`, from the sizes at the yield set. It is kept until another yield is set, since packers that
   * differ only in the order of bins ask for the same. Callers must not change it.
   */
  shared<T>(key: string, make: () => T): T {
    const known = this.atYield.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.atYield.set(key, made);
    return made;
  }

  classes(): SizeClasses {
    return this.shared("classes", () => new SizeClasses(this.size, this.items, this.width));
  }

  /** The items in that order, of their sizes at the yield set; not to be written to. */
  itemOrder(order: Order, isScaled: boolean): Int32Array {
    return this.itemVectors[isScaled ? 1 : 0].inOrder(order);
  }

  /** The bins in that order, of their whole capacities; not to be written to. */
  binOrder(order: Order, isScaled: boolean): Int32Array {
    return this.binVectors[isScaled ? 1 : 0].inOrder(order);
  }
}

/**
 * The dimensions in which an item's elementary amount can be what keeps it from a bin: not
 * those in which every host is one element and no service asks for a larger element
 * than it asks for in all. Memory is of that kind, and every coordinate costs time.
 */
function bindingElementaryDimensions(instance: FractionalInstance): number[] {
  const { dimensions } = instance;
  const isBinding = Array.from({ length: dimensions }, () => false);
  for (let at = 0; at < instance.aggregateCapacity.length; at++)
    if (instance.elementaryCapacity[at] < instance.aggregateCapacity[at]) isBinding[at % dimensions] = true;
  for (let at = 0; at < instance.aggregateNeed.length; at++)
    if (
      instance.elementaryRequirement[at] > instance.aggregateRequirement[at] ||
      instance.elementaryNeed[at] > instance.aggregateNeed[at]
    )
      isBinding[at % dimensions] = true;
  return isBinding.flatMap((binding, d) => (binding ? [d] : []));
}
