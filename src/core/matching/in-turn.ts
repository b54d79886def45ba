import type { MachineView } from "../machines/machine-view.ts";
import type { Heuristic } from "./heuristic.ts";

/**
 * Several criteria in turn, as NetBatch's configuration has them (Shai 2014, section 1): the first heuristic's order,
 * among equals the second's, and so on.
 *
 * @param criteria at least one
 */
export function inTurn(criteria: readonly Heuristic[]): Heuristic {
  const [first, ...others] = criteria;
  if (others.length === 0) return first;
  return {
    name: criteria.map(({ name }) => name).join("+"),
    summary: criteria.map(({ summary }) => summary).join("; among equals "),
    needsMemory: criteria.some(({ needsMemory }) => needsMemory),
    keepsChoice: false,
    score: (...task) => first.score(...task),
    amongEquals: inTurn(others),
  };
}

/** Whether the criteria put one machine before another. */
export function isBefore(
  criteria: Heuristic | undefined,
  machines: MachineView,
  one: number,
  other: number,
  cores: number,
  memory: number,
  gpu: number,
): boolean {
  for (let next = criteria; next !== undefined; next = next.amongEquals) {
    const a = next.score(machines, one, cores, memory, gpu);
    const b = next.score(machines, other, cores, memory, gpu);
    if (a !== b) return a < b;
  }
  return false;
}
