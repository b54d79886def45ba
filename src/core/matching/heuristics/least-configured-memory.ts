import type { Heuristic } from "../heuristic.ts";

/** Least configured memory first, whatever is free of it: jobs of much memory find the large machines empty. */
export const leastConfiguredMemory: Heuristic = {
  name: "least-configured-memory",
  summary: "the machine with the least configured memory",
  needsMemory: true,
  keepsChoice: true,
  score: (machines, machine) => machines.capacityMemory[machine],
};
