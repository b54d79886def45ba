import { attributeTypes, NONE, type Heuristic, type PoolLists, type Requirement } from "../../core/index.ts";
import {
  InputError,
  jobNumberOf,
  machineAttributes,
  nearest,
  type CodedColumn,
  type Farm,
  type Workload,
} from "../../workload/index.ts";
import { candidatePools } from "../../workload/workload.ts";
import { registry } from "../settings/plugin.ts";
import { findAnyHeuristic } from "../settings/policy-names.ts";
import { readRequirement } from "./requirements.ts";

// What the rows of a workload name, as the numbers that the engine knows it by.

/** Priorities that a farm tells apart: it keeps lists of jobs for each. */
const MAX_PRIORITIES = 256;

/** A number for each row, from the names in a column. `whose` tells the first job with the name. */
export function columnOf(
  workload: Workload,
  column: Workload["site"],
  numberOf: (name: string, whose: () => string) => number,
): Int32Array | null {
  if (column === null) return null;
  const whose = (code: number): string => {
    const row = column.codes.indexOf(code);
    return row < 0 ? "a job" : `job ${jobNumberOf(workload, row)}`;
  };
  const numbers = column.names.map((name, code) => numberOf(name, () => whose(code)));
  return column.codes.map((code) => numbers[code]);
}

/** The virtual pool of this name, or the first at the site of this name. */
export function virtualPoolOf(farm: Farm, name: string, whose: () => string): number {
  if (name === "") return 0;
  const byName = farm.virtualPools.findIndex((virtualPool) => virtualPool.name === name);
  if (byName >= 0) return byName;
  const site = farm.sites.indexOf(name);
  const atSite = farm.virtualPools.findIndex((virtualPool) => virtualPool.site === site);
  if (site >= 0 && atSite >= 0) return atSite;
  const near = nearest(name, [...farm.virtualPools.map((virtualPool) => virtualPool.name), ...farm.sites]);
  throw new InputError(
    `${whose()} is submitted at "${name}", which is no virtual pool of farm ${farm.name} and no site with one; did you mean ${near.join(", ")}?`,
  );
}

/** Where jobs may go, as they name it; the first is any pool, and restarts where the farm says. */
export function candidateLists(
  workload: Workload,
  farm: Farm,
): { lists: PoolLists[]; numbers: Int32Array | null } {
  const farmsRestarts = farm.rescheduling.candidates;
  const lists: PoolLists[] = [{ pools: null, restartPools: farmsRestarts }];
  const { pools, restartPools = null } = workload;
  if (pools === null && restartPools === null) return { lists, numbers: null };
  const first = namedPools(workload, farm, pools);
  const restarts = namedPools(workload, farm, restartPools);
  // By the list of restarts, then by the list of pools: most logs name no restarts.
  const known: number[][] = restarts.lists.map(() => []);
  known[0][0] = 0;
  const numbers = new Int32Array(workload.count);
  for (let row = 0; row < workload.count; row++) {
    const sent = first.numbers[row] ?? 0;
    const restarted = restarts.numbers[row] ?? 0;
    let list: number | undefined = known[restarted][sent];
    if (list === undefined) {
      // A job that lists its pools is restarted only there, unless it lists pools for restarts as well.
      const unsaid = sent === 0 ? farmsRestarts : null;
      list = lists.push({ pools: first.lists[sent], restartPools: restarts.lists[restarted] ?? unsaid }) - 1;
      known[restarted][sent] = list;
    }
    numbers[row] = list;
  }
  return { lists, numbers };
}

/** The lists of pools in a column, the first of which is none, and the number of each row's. */
function namedPools(
  workload: Workload,
  farm: Farm,
  column: CodedColumn | null,
): { lists: (readonly number[] | null)[]; numbers: ArrayLike<number> } {
  const lists: (readonly number[] | null)[] = [null];
  const poolNames = farm.pools.map(({ name }) => name);
  const numbers = columnOf(workload, column, (entry, whose) => {
    const names = candidatePools(entry);
    if (names.length === 0) return 0;
    const pools = names.map((name) => {
      const pool = poolNames.indexOf(name);
      if (pool >= 0) return pool;
      throw new InputError(
        `${whose()} names the pool "${name}", which farm ${farm.name} does not have; did you mean ${nearest(name, poolNames).join(", ")}?`,
      );
    });
    return lists.push(pools) - 1;
  });
  return { lists, numbers: numbers ?? [] };
}

/** Priorities as numbers from 0, in their order. */
export function priorityClasses(workload: Workload): { count: number; numbers: Int32Array | null } {
  const { priority } = workload;
  if (priority === null) return { count: 1, numbers: null };
  const distinct = new Set<number>();
  // Jobs of one priority mostly come together.
  let last = NaN;
  for (const each of priority) {
    if (each === last) continue;
    distinct.add((last = each));
    if (distinct.size > MAX_PRIORITIES) {
      throw new InputError(
        `workload ${workload.name} has more than ${MAX_PRIORITIES} different priorities, which is the most that a farm tells apart`,
      );
    }
  }
  const order = Int32Array.from(distinct).sort();
  const numbers = new Int32Array(priority.length);
  let number = 0;
  for (let row = 0; row < numbers.length; row++) {
    if (priority[row] !== order[number]) number = order.indexOf(priority[row]);
    numbers[row] = number;
  }
  return { count: Math.max(1, order.length), numbers };
}

/** What jobs require, by number; 0 is nothing. */
export function readRequirements(
  workload: Workload,
  farm: Farm,
): { requirements: (Requirement | null)[]; numbers: Int32Array | null } {
  const requirements: (Requirement | null)[] = [null];
  const types = attributeTypes(farm.pools.flatMap(({ groups }) => groups.map(machineAttributes)));
  const numbers = columnOf(workload, workload.requires, (text) =>
    text.trim() === "" ? 0 : requirements.push(readRequirement(text, types)) - 1,
  );
  return { requirements, numbers };
}

/** The heuristics that jobs name, numbered, and each row's number. */
export function namedHeuristics(workload: Workload): { heuristics: Heuristic[]; numbers: Int32Array | null } {
  const heuristics: Heuristic[] = [];
  const heuristicNames = registry.heuristics.map((each) => each.name);
  const numbers = columnOf(workload, workload.policy, (name, whose) => {
    if (name === "") return NONE;
    const heuristic = findAnyHeuristic(name);
    if (heuristic === undefined)
      throw new InputError(
        `workload ${workload.name}: ${whose()} names the heuristic "${name}", which is not known; did you mean ${nearest(name, heuristicNames).join(", ")}?`,
      );
    return heuristics.push(heuristic) - 1;
  });
  return { heuristics, numbers };
}
