import { isDeepStrictEqual } from "node:util";

import { ownersOf } from "../../simulation/index.ts";
import { HOLDING, NONE, type JobColumns, type Port, type PortSnapshot } from "../../core/index.ts";
import type { Draws } from "./draws.ts";
import { JobsInTheWay } from "./jobs-in-the-way.ts";
import { makePort } from "./journal.ts";
import { movedUsage } from "./moved-usage.ts";
import { countsAccounts, projectsOf, type PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

/**
 * A decision engine on another farm: jobs stay in the pools and on the machines of the same names. Queues, priorities and
 * running jobs continue. Statistics of pools and counts of failures begin anew.
 *
 * @param port the engine on the old farm, which stays as it is
 * @param draws the new one's
 * @param accountOf whom a job counts against, which the old farm may not have asked
 * @throws JobsInTheWay where a job is in a pool or on a machine that the new farm does not have
 */
export function movedTo(
  to: PlainFarm,
  port: Port,
  from: PlainFarm,
  requirements: Requirements,
  draws: Draws,
  accountOf: (engineJob: number) => number,
): Port {
  const blank = makePort(to, requirements, draws, null);
  return makePort(to, requirements, draws, movedState(port, from, to, blank, accountOf));
}

type PoolSnapshot = PortSnapshot["engine"]["pools"][number];

/** @param blank an engine of the new farm, at its beginning */
function movedState(
  port: Port,
  from: PlainFarm,
  to: PlainFarm,
  blank: Port,
  accountOf: (engineJob: number) => number,
): PortSnapshot {
  const old = port.save();
  const poolOf = from.pools.map(({ name }) => to.pools.findIndex((pool) => pool.name === name));
  const machineOf = from.pools.map(({ machines }, pool) => {
    const numbers = new Map(to.pools[poolOf[pool]!]?.machines.map(({ name }, number) => [name, number]));
    return machines.map(({ name }) => numbers.get(name) ?? -1);
  });
  const virtualPoolOf = from.virtualPools.map(({ name }) =>
    Math.max(
      0,
      to.virtualPools.findIndex((each) => each.name === name),
    ),
  );
  const [oldOwners, owners] = [ownersOf(from), ownersOf(to)];
  const [oldProjects, projects] = [projectsOf(from), projectsOf(to)];
  const { jobs } = old.engine;
  const { engineJobs: columns, kinds, placements, accounts: _, ...others } = jobs;
  const inNewPool = (oldPool: number, job: number): number => {
    // It waits at its virtual pool.
    if (oldPool === NONE) return NONE;
    const pool = poolOf[oldPool]!;
    if (pool < 0)
      throw new JobsInTheWay(
        `job ${old.numbers[job]} is in pool ${from.pools[oldPool]!.name}, which the new farm does not have: drain the pool and let its jobs end, or cancel them`,
      );
    return pool;
  };
  const onNewMachine = (machine: number, at: number): number => {
    const job = placements.job[at]!;
    const oldPool = columns.pool[job]!;
    const place = machineOf[oldPool]![machine]!;
    if (place < 0)
      throw new JobsInTheWay(
        `job ${old.numbers[job]} is on machine ${from.pools[oldPool]!.machines[machine]!.name} of pool ${from.pools[oldPool]!.name}, which the new farm does not have: drain it and let its jobs end`,
      );
    return place;
  };
  const moved: JobColumns = {
    ...others,
    ...(!countsAccounts(to) ? {} : { accounts: Int32Array.from(old.numbers, accountOf) }),
    kinds: { ...kinds, owner: kinds.owner.map((owner) => owners.indexOf(oldOwners[owner - 1] ?? "") + 1) },
    jobs: {
      ...jobs.jobs,
      project: jobs.jobs.project.map((project) => Math.max(0, projects.indexOf(oldProjects[project] ?? ""))),
    },
    engineJobs: {
      ...columns,
      pool: columns.pool.map(inNewPool),
      virtualPool: columns.virtualPool.map((virtualPool) => virtualPoolOf[virtualPool]!),
      candidates: columns.candidates.map((list) => (list === 0 ? 0 : poolOf[list - 1]! + 1)),
      killTarget: columns.killTarget.map((pool) => poolOf[pool] ?? 0),
    },
    placements: { ...placements, machine: placements.machine.map(onNewMachine) },
  };
  const { engine: fresh } = blank.save();
  // Before the first event there is no time, and nothing waits for a cycle.
  const now = Number(old.now);
  const usage = movedUsage(port, from, to, now);
  const { arrivals, serial, hasTwins, claims } = old.engine;
  return {
    ...old,
    engine: {
      ...fresh,
      jobs: moved,
      arrivals,
      serial,
      hasTwins,
      claims: claims.map((claim) => ({ ...claim, pool: poolOf[claim.pool]! })),
      pools: fresh.pools.map((pool, number) => ({
        ...pool,
        isDirty: true,
        ...(usage[number] == null ? {} : { usage: usage[number] }),
        ...keptPromises(old, from, poolOf.indexOf(number), to, pool, number),
      })),
      due: now === -Infinity ? [] : to.pools.map((_, pool) => [pool, now] as const),
      dirtyPools: to.pools.map((_, pool) => pool),
    },
  };
}

/**
 * What the policy of a pool has promised holds as long as the pool is the same: a change elsewhere, or a reservation,
 * is no reason to break a promise. In a pool that is another they are made anew.
 */
function keptPromises(
  { engine: { pools } }: PortSnapshot,
  from: PlainFarm,
  before: number,
  to: PlainFarm,
  fresh: PoolSnapshot,
  number: number,
): Pick<PoolSnapshot, "policy"> {
  const old = pools[before];
  if (old?.policy === undefined) return {};
  const rules = (farm: PlainFarm, pool: number): unknown => [farm.victim, farm.pools[pool]];
  // Those that are drained are drained again before the next cycle.
  const standing = ({ machines, bookings }: PoolSnapshot): unknown => [
    machines.map((machine) => ({ ...machine, closed: 0 })),
    bookings?.bookings ?? [],
  ];
  const isSame =
    isDeepStrictEqual(rules(from, before), rules(to, number)) &&
    isDeepStrictEqual(standing(old), standing(fresh));
  return isSame ? { policy: old.policy } : {};
}

/**
 * A pool whose jobs do not suspend one another lets none go on either.
 *
 * @throws JobsInTheWay where a farm is to become one without suspensions, and jobs are suspended
 */
export function refuseToStrand(port: Port, to: PlainFarm): void {
  if (to.victim !== null) return;
  const { numbers, engine } = port.save();
  const { engineJobs: columns, placements } = engine.jobs;
  const at = placements.job.find((job) => columns.hold[job] !== HOLDING);
  if (at !== undefined)
    throw new JobsInTheWay(
      `job ${numbers[at]} is suspended for another, or about to be, and where no job is suspended (victim: none) it would never go on: let it end, or cancel it`,
    );
}
