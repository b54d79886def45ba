import type { NamedPolicy } from "../../core/index.ts";
import {
  askedLicences,
  InputError,
  type Farm,
  type PhysicalPool,
  type Workload,
} from "../../workload/index.ts";

/** The licences of a farm by number, and what jobs ask for. */
interface FarmLicences {
  /** By licence: its name. */
  readonly names: readonly string[];
  /** What a request asks for, by name. */
  asked(request: number): ReadonlyMap<string, number>;
  /** By row of the workload: the number of its request; 0: nothing. */
  readonly requests: Int32Array;
}

/** Whether licences count in a run: some job asks for them, and some pool of the farm has any. */
export function licencesCount({ licences }: Workload, farm: Farm): boolean {
  return licences !== undefined && farm.pools.some(hasLicences);
}

export function hasLicences(pool: PhysicalPool): boolean {
  return pool.licences !== undefined && pool.licences.length > 0;
}

/**
 * Null if licences do not count.
 *
 * @throws InputError where what a job asks for cannot be read
 */
export function farmLicences(workload: Workload, farm: Farm): FarmLicences | null {
  const { licences: column } = workload;
  if (column === undefined || !licencesCount(workload, farm)) return null;
  const names = new Set<string>();
  const requests: ReadonlyMap<string, number>[] = [new Map()];
  const requestOf = column.names.map((text) => {
    const asked = askedOf(text, workload);
    if (asked.size === 0) return 0;
    for (const name of asked.keys()) names.add(name);
    return requests.push(asked) - 1;
  });
  return {
    names: [...names],
    asked: (request) => requests[request],
    requests: column.codes.map((code) => requestOf[code]),
  };
}

/**
 * Refuses policies that licences would make wrong, in a run in which licences count.
 *
 * @throws InputError where the policy of a pool with licences promises what depends on them
 */
export function refusePromises({ name, kind }: NamedPolicy, pool: PhysicalPool, workload: Workload): void {
  if (!hasLicences(pool) || kind.heedsLicences !== false) return;
  throw new InputError(
    `policy ${name} promises jobs when they will start, and does not know when licences will be free, ` +
      `which pool ${pool.name} has and jobs of workload ${workload.name} ask for; choose one that promises nothing, ` +
      "such as first-fit, max-jobs or fcfs",
  );
}

function askedOf(text: string, { name }: Workload): ReadonlyMap<string, number> {
  try {
    return askedLicences(text);
  } catch (error) {
    throw new InputError(`workload ${name}: ${(error as Error).message}`);
  }
}
