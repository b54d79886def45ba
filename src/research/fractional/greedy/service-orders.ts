import type { FractionalInstance } from "../instance.ts";

/** A greedy order of services, largest first ("Greedy heuristics 1/4" on the slides). */
export interface ServiceOrder {
  readonly name: `S${number}`;
  readonly summary: string;
  /** `null`: as given. The order is arbitrary; the authors' program does not shuffle it either. */
  readonly key: ((instance: FractionalInstance, service: number) => number) | null;
}

/** Minimum yields are folded in: a constrained need is part of the requirement. */
export const serviceOrders: readonly ServiceOrder[] = [
  { name: "S1", summary: "as given", key: null },
  { name: "S2", summary: "by largest need", key: (i, j) => max(i, (at) => i.aggregateNeed[at], j) },
  { name: "S3", summary: "by sum of needs", key: (i, j) => sum(i, (at) => i.aggregateNeed[at], j) },
  {
    name: "S4",
    summary: "by largest requirement",
    key: (i, j) => max(i, (at) => i.aggregateRequirement[at], j),
  },
  {
    name: "S5",
    summary: "by sum of requirements",
    key: (i, j) => sum(i, (at) => i.aggregateRequirement[at], j),
  },
  {
    name: "S6",
    summary: "by largest requirement and need",
    key: (i, j) => max(i, (at) => i.aggregateRequirement[at] + i.aggregateNeed[at], j),
  },
  {
    name: "S7",
    summary: "by sum of requirements and needs",
    key: (i, j) => sum(i, (at) => i.aggregateRequirement[at] + i.aggregateNeed[at], j),
  },
];

/** The services by decreasing key; equal ones as given. */
export function orderedServices(instance: FractionalInstance, { key }: ServiceOrder): Int32Array {
  const services = Int32Array.from({ length: instance.services }, (_, service) => service);
  if (key === null) return services;
  const keys = Float64Array.from(services, (service) => key(instance, service));
  return services.sort((a, b) => keys[b] - keys[a] || a - b);
}

function max({ dimensions }: FractionalInstance, amount: (at: number) => number, service: number): number {
  let largest = 0;
  for (let d = 0; d < dimensions; d++) largest = Math.max(largest, amount(service * dimensions + d));
  return largest;
}

function sum({ dimensions }: FractionalInstance, amount: (at: number) => number, service: number): number {
  let total = 0;
  for (let d = 0; d < dimensions; d++) total += amount(service * dimensions + d);
  return total;
}
