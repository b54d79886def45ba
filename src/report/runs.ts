import type { RunResult } from "../simulation/result.ts";
import { durationName } from "../workload/duration-name.ts";
import { InputError } from "../workload/errors.ts";

/** The runs of a study, ordered for a table: by load, and within it by policy. */
export interface RunTable {
  /** Policies in the order in which they first appear. */
  readonly policies: readonly string[];
  /** Loads, lowest first. */
  readonly loads: readonly LoadRuns[];
}

/** All runs at one load, in the order of the policies. */
export interface LoadRuns {
  readonly beta: number;
  readonly offeredLoad: number;
  readonly runs: readonly PolicyRun[];
}

export interface PolicyRun {
  /** The policy, told apart by its settings where a study ran it under several. */
  readonly policy: string;
  /** The policy's place in `RunTable.policies`: its colour and marker in every chart. */
  readonly index: number;
  readonly run: RunResult;
}

export function tabulate(runs: readonly RunResult[]): RunTable {
  // A setting is part of a policy's name only if that policy ran with several values of it: EASY has another interval
  // than policies with cycles, but only one.
  const isSeveral = (policy: string, setting: (run: RunResult) => unknown): boolean =>
    new Set(runs.filter((run) => run.policy === policy).map(setting)).size > 1;
  const parts: readonly ((run: RunResult) => string)[] = [
    packingName,
    ({ policy }) => policy,
    ({ strategy }) => strategy ?? "",
    ({ routing }) => routing ?? "",
  ];
  // Parts that are the same in all runs are left out; if all are, the name is that of the policy.
  const several = parts.filter((part) => new Set(runs.map(part)).size > 1);
  const telling = several.length === 0 ? [parts[1]!] : several;
  const labelOf = (run: RunResult): string => {
    const name = telling
      .map((part) => part(run))
      .filter((text) => text !== "")
      .join(", ");
    return (
      (name === "" ? run.policy : name) +
      (isSeveral(run.policy, (each) => each.estimates) ? `, ${run.estimates} estimates` : "") +
      (isSeveral(run.policy, (each) => each.intervalSeconds) ? `, every ${run.intervalSeconds} s` : "")
    );
  };

  const policies = [...new Set(runs.map(labelOf))];
  const byBeta = new Map<number, PolicyRun[]>();
  for (const run of runs) {
    const policy = labelOf(run);
    const row = { policy, index: policies.indexOf(policy), run };
    const rows = byBeta.get(run.beta);
    if (rows === undefined) byBeta.set(run.beta, [row]);
    else rows.push(row);
  }
  const loads = [...byBeta].map(([beta, rows]) => ({
    beta,
    offeredLoad: rows[0]!.run.offeredLoad,
    runs: rows.sort((a, b) => a.index - b.index),
  }));
  return { policies, loads: loads.sort((a, b) => a.offeredLoad - b.offeredLoad || b.beta - a.beta) };
}

/** `exclusive 1h`; empty where jobs are not packed. */
export function packingName({ packing }: RunResult): string {
  if (packing === undefined) return "";
  const { policy, ttlSeconds } = packing;
  return ttlSeconds === undefined ? policy : `${policy} ${durationName(ttlSeconds)}`;
}

/**
 * The load of the headline verdict: the highest at which the machines can still keep up. Above 100 % the queue grows
 * for as long as the log lasts, so that waits measure the log's length; the lowest load is then the least misleading.
 */
export function headlineLoad(table: RunTable): LoadRuns | undefined {
  return table.loads.findLast((load) => load.offeredLoad <= 1) ?? table.loads[0];
}

/**
 * The policy that the others are compared with: the one named, else `first-fit`, as the simplest, else the first.
 *
 * @throws InputError where no run has the named policy
 */
export function chooseBaseline(table: RunTable, named?: string): string {
  if (named === undefined) {
    return table.policies.find((policy) => policy === "first-fit") ?? table.policies[0]!;
  }
  if (table.policies.includes(named)) return named;
  // A name with more parts, as policies have that run under several strategies.
  const row = table.loads.flatMap(({ runs }) => runs).find(({ run }) => run.policy === named);
  if (row !== undefined) return row.policy;
  throw new InputError(
    `The baseline “${named}” is not among the policies that were run: ${table.policies.join(", ")}.`,
  );
}
