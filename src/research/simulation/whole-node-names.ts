/** Policies that give every task a whole node, whatever the log, and the pool's policies that choose the nodes. */
export const wholeNodePolicies: ReadonlyMap<string, string> = new Map([
  ["whole-node/fcfs", "fcfs"],
  ["whole-node/easy", "easy"],
]);

/**
 * Their names in Stillwell 2014. They differ from the names of a pool's policies in case only, so they are accepted
 * only where both mean the same.
 */
export const publishedNames: ReadonlyMap<string, string> = new Map([
  ["FCFS", "whole-node/fcfs"],
  ["EASY", "whole-node/easy"],
]);

/** The pool's policy behind one that gives every task a whole node, by either of its names; undefined for other names. */
export function behindWholeNodes(name: string): string | undefined {
  return wholeNodePolicies.get(publishedNames.get(name) ?? name);
}
