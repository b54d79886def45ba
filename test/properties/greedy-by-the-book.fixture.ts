import type { FractionalInstance } from "../../src/research/fractional/index.ts";
import { greatestYield } from "../../src/research/lp/instances.fixture.ts";

/**
 * A greedy placement as it is defined, all loads added up anew at every look; the yield that it
 * allows, or -1. Both ways to count a host's load.
 */
export function greedyByTheBook(instance: FractionalInstance, order: number, pick: number): number {
  return Math.max(run(instance, order, pick, true), run(instance, order, pick, false));
}

function run(instance: FractionalInstance, order: number, pick: number, countsNeeds: boolean): number {
  const { dimensions: D, hosts, services } = instance;
  const dimensions = Array.from({ length: D }, (_, d) => d);
  const row = (column: Float64Array, of: number): number[] => dimensions.map((d) => column[of * D + d]);
  const need = (j: number): number[] => row(instance.aggregateNeed, j);
  const requirement = (j: number): number[] => row(instance.aggregateRequirement, j);
  const hostOf: number[] = [];
  const onHost = (h: number, d: number, column: Float64Array): number =>
    hostOf.reduce((sum, host, j) => (host === h ? sum + column[j * D + d] : sum), 0);
  const capacity = (h: number): number[] => row(instance.aggregateCapacity, h);
  const left = (h: number, d: number): number =>
    capacity(h)[d] -
    onHost(h, d, instance.aggregateRequirement) -
    (countsNeeds ? onHost(h, d, instance.aggregateNeed) : 0);
  const add = (a: number[], b: number[]): number[] => a.map((value, d) => value + b[d]);
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

  const key = (j: number): number =>
    [
      () => 0,
      () => Math.max(...need(j)),
      () => sum(need(j)),
      () => Math.max(...requirement(j)),
      () => sum(requirement(j)),
      () => Math.max(...add(requirement(j), need(j))),
      () => sum(add(requirement(j), need(j))),
    ][order - 1]();
  const fits = (h: number, j: number): boolean =>
    dimensions.every(
      (d) =>
        onHost(h, d, instance.aggregateRequirement) + requirement(j)[d] <= capacity(h)[d] + 1e-9 &&
        instance.elementaryRequirement[j * D + d] <= instance.elementaryCapacity[h * D + d] + 1e-9,
    );
  const share = (h: number, j: number): number => {
    const n = need(j).indexOf(Math.max(...need(j)));
    const load = countsNeeds
      ? capacity(h)[n] - left(h, n) + requirement(j)[n] + need(j)[n]
      : sum(dimensions.map((d) => onHost(h, d, instance.aggregateNeed) + need(j)[d]));
    const room = countsNeeds ? capacity(h)[n] : sum(dimensions.map((d) => left(h, d) - requirement(j)[d]));
    return room > 0 ? load / room : Infinity;
  };
  const score = (h: number, j: number): number => {
    const n = need(j).indexOf(Math.max(...need(j)));
    const r = requirement(j).indexOf(Math.max(...requirement(j)));
    const total = sum(dimensions.map((d) => left(h, d)));
    return [
      () => -left(h, n),
      () => share(h, j),
      () => left(h, r),
      () => total,
      () => -left(h, r),
      () => -total,
      () => 0,
    ][pick - 1]();
  };

  const inOrder = Array.from({ length: services }, (_, j) => j).sort((a, b) => key(b) - key(a) || a - b);
  for (const j of inOrder) {
    const fitting = Array.from({ length: hosts }, (_, h) => h).filter((h) => fits(h, j));
    if (fitting.length === 0) return -1;
    hostOf[j] = fitting.reduce((best, h) => (score(h, j) < score(best, j) ? h : best));
  }
  return greatestYield(instance, Int32Array.from(hostOf));
}
