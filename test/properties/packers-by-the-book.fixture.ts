import type { FractionalInstance } from "../../src/research/fractional/instance.ts";
import { tolerated } from "../../src/research/fractional/instance.ts";
import type { Order } from "../../src/research/fractional/packing/orders.ts";

/**
 * The packers as they are defined, with no thought for speed: what the fast ones are held
 * against. All look at every bin, or at every item, at each step.
 */
export class PackingByTheBook {
  private readonly dimensions: number;
  private readonly capacities: number[][];
  private readonly rooms: number[][];
  private readonly elements: number[][];
  private readonly sizes: number[][];
  private readonly elementSizes: number[][];
  readonly binOf: number[];

  constructor(instance: FractionalInstance, minYield: number) {
    const { dimensions } = instance;
    this.dimensions = dimensions;
    const rows = (column: Float64Array): number[][] =>
      Array.from({ length: column.length / dimensions }, (_, row) =>
        Array.from(column.subarray(row * dimensions, (row + 1) * dimensions)),
      );
    const atYield = (requirements: Float64Array, needs: Float64Array): number[][] =>
      rows(requirements.map((requirement, at) => requirement + minYield * needs[at]));
    this.capacities = rows(instance.aggregateCapacity);
    this.rooms = this.capacities.map((row) => row.map(tolerated));
    this.elements = rows(instance.elementaryCapacity).map((row) => row.map(tolerated));
    this.sizes = atYield(instance.aggregateRequirement, instance.aggregateNeed);
    this.elementSizes = atYield(instance.elementaryRequirement, instance.elementaryNeed);
    this.binOf = this.sizes.map(() => -1);
  }

  firstFit(itemOrder: Order, binOrder: Order): boolean {
    const bins = sortedVectors(this.capacities, binOrder);
    return sortedVectors(this.sizes, itemOrder).every((item) =>
      this.put(
        item,
        bins.find((bin) => this.fits(item, bin)),
      ),
    );
  }

  bestFit(itemOrder: Order): boolean {
    const bins = this.rooms.map((_, bin) => bin);
    return sortedVectors(this.sizes, itemOrder).every((item) => {
      const fitting = bins.filter((bin) => this.fits(item, bin));
      return this.put(item, fitting.sort((a, b) => sum(this.rooms[a]) - sum(this.rooms[b]) || a - b)[0]);
    });
  }

  permutationPack(
    kind: "permutation" | "choose",
    window: number,
    itemOrder: Order,
    binOrder: Order,
  ): boolean {
    let waiting = sortedVectors(this.sizes, itemOrder);
    for (const bin of sortedVectors(this.capacities, binOrder)) {
      for (;;) {
        const fitting = waiting.filter((item) => this.fits(item, bin));
        if (fitting.length === 0) break;
        const ranks = this.ranks(bin, kind === "choose" ? window : 1);
        const keys = new Map(fitting.map((item) => [item, this.key(item, kind, window, ranks)]));
        const item = fitting.reduce((best, other) =>
          isBefore(keys.get(other)!, keys.get(best)!) ? other : best,
        );
        this.put(item, bin);
        waiting = waiting.filter((other) => other !== item);
      }
    }
    return waiting.length === 0;
  }

  private fits(item: number, bin: number): boolean {
    return (
      this.sizes[item].every((size, d) => size <= this.rooms[bin][d]) &&
      this.elementSizes[item].every((size, d) => size <= this.elements[bin][d])
    );
  }

  private put(item: number, bin: number | undefined): boolean {
    if (bin === undefined) return false;
    this.sizes[item].forEach((size, d) => (this.rooms[bin][d] -= size));
    this.binOf[item] = bin;
    return true;
  }

  /** Entry [dimension]: 0 for the one with the most room; the first `equal` count as one. */
  private ranks(bin: number, equal: number): number[] {
    const room = this.rooms[bin];
    const byRoom = room.map((_, d) => d).sort((a, b) => room[b] - room[a] || a - b);
    const ranks: number[] = [];
    byRoom.forEach((d, i) => {
      const before = byRoom[i - 1];
      ranks[d] = i === 0 ? 0 : ranks[before] + (i < equal || room[d] === room[before] ? 0 : 1);
    });
    return ranks;
  }

  private key(
    item: number,
    kind: "permutation" | "choose",
    window: number,
    ranks: readonly number[],
  ): number[] {
    const size = this.sizes[item];
    const largest = size.map((_, d) => d).sort((a, b) => size[b] - size[a] || a - b);
    const key = largest.slice(0, Math.min(window, this.dimensions)).map((d) => ranks[d]);
    return kind === "choose" ? key.sort((a, b) => a - b) : key;
  }
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((rank, i) => rank !== b[i]);
  return at !== -1 && a[at] < b[at];
}

function sum(row: readonly number[]): number {
  return row.reduce((total, value) => total + value, 0);
}

function sortedVectors(rows: readonly (readonly number[])[], order: Order): number[] {
  const indices = rows.map((_, i) => i);
  if (order === "given") return indices;
  const [direction, measure] = order.split("-");
  const sign = direction === "descending" ? -1 : 1;
  const keysOf = (row: readonly number[]): readonly number[] => {
    const [max, min] = [Math.max(...row), Math.min(...row)];
    if (measure === "lex") return row;
    if (measure === "max") return [max];
    if (measure === "sum") return [sum(row)];
    if (measure === "dif") return [max - min];
    return [max === 0 ? 1 : max / min];
  };
  return indices.sort((a, b) => {
    const [left, right] = [keysOf(rows[a]), keysOf(rows[b])];
    const at = left.findIndex((key, i) => key !== right[i]);
    return at === -1 ? a - b : left[at] < right[at] ? -sign : sign;
  });
}
