import type { EventPort, JobSnapshot, PortSnapshot } from "../../core/index.ts";
import { InputError } from "../../workload/index.ts";
import { ownersOf, projectsOf, type PlainFarm } from "./plain-farm.ts";

/**
 * The state of a decision engine, moved to another farm: jobs stay in the pools and on the machines of the same
 * names. Queues, priorities and what runs go on; what was known of pools' past and of failures begins anew.
 *
 * @param blank an engine of the new farm, at its beginning
 * @throws InputError where a job is in a pool or on a machine that the new farm does not have
 */
export function movedTo(old: PortSnapshot, from: PlainFarm, to: PlainFarm, blank: EventPort): PortSnapshot {
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
  const moved = (job: JobSnapshot, at: number): JobSnapshot => {
    const number = old.numbers[at]!;
    const { engine, request, placement } = job;
    const oldPool = Number(engine["pool"]);
    const pool = poolOf[oldPool]!;
    if (pool < 0)
      throw new InputError(
        `job ${number} is in pool ${from.pools[oldPool]!.name}, which the new farm does not have: drain the pool and let its jobs end, or cancel them`,
      );
    const candidates = Number(engine["candidates"]);
    return {
      ...job,
      request: {
        ...request,
        owner: owners.indexOf(oldOwners[request.owner - 1] ?? "") + 1,
        project: Math.max(0, projects.indexOf(oldProjects[request.project] ?? "")),
      },
      engine: {
        ...engine,
        pool,
        virtualPool: virtualPoolOf[Number(engine["virtualPool"])]!,
        candidates: candidates === 0 ? 0 : poolOf[candidates - 1]! + 1,
        killTarget: poolOf[Number(engine["killTarget"])] ?? 0,
      },
      placement: placement.map(({ machine, tasks }) => {
        const place = machineOf[oldPool]![machine]!;
        if (place < 0)
          throw new InputError(
            `job ${number} is on machine ${from.pools[oldPool]!.machines[machine]!.name} of pool ${from.pools[oldPool]!.name}, which the new farm does not have: drain it and let its jobs end`,
          );
        return { machine: place, tasks };
      }),
    };
  };
  const fresh = blank.snapshot();
  const { arrivals, serial, hasTwins, jobs, claims } = old.engine;
  return {
    ...old,
    engine: {
      ...fresh.engine,
      jobs: jobs.map(moved),
      arrivals,
      serial,
      hasTwins,
      claims: claims.map((claim) => ({ ...claim, pool: poolOf[claim.pool]! })),
      pools: fresh.engine.pools.map((pool) => ({ ...pool, isDirty: true })),
      due: to.pools.map((_, pool) => [pool, Number(old.now)] as const),
      dirtyPools: to.pools.map((_, pool) => pool),
    },
  };
}
