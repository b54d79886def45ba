import type { PlainFarm, PlainMachine } from "../live/service/plain-farm.ts";
import type { Farm, MachineGroup } from "../workload/index.ts";

/** A live farm as a simulation takes it: the same pools, with the machines that their engines listed. */
export function farmOfPlain(plain: PlainFarm, name = "the farm as it is"): Farm {
  const { pools, virtualPools, transferSeconds, victim, strategy, restartPools, limits, reservations } =
    plain;
  // Where none has any, nothing is to be searched for GPUs.
  const hasGpus = pools.some(({ machines }) => machines.some(({ gpuMilli }) => gpuMilli > 0));
  return {
    name,
    sites: transferSeconds.map((_, site) => `site ${site + 1}`),
    transferSeconds,
    pools: pools.map(({ maxJobsList, reserving, machines, shares, usage, licences, gpuPart, ...pool }) => ({
      name: pool.name,
      site: pool.site,
      groups: groupsOf(machines, hasGpus),
      policy: pool.policy,
      maxJobsList,
      intervalSeconds: pool.intervalSeconds,
      reserving: reserving ?? Infinity,
      shares,
      ...(usage === undefined ? {} : { usage }),
      ...(licences === undefined ? {} : { licences }),
      ...(gpuPart === undefined
        ? {}
        : { gpus: { devices: null, kind: null, parts: Math.round(1000 / gpuPart) } }),
    })),
    virtualPools: virtualPools.map(({ hasQueue, ...pool }) => ({ ...pool, hasQueue: hasQueue === true })),
    ...(limits === undefined ? {} : { limits }),
    ...(reservations === undefined
      ? {}
      : {
          reservations: reservations.map(({ machines, fromSeconds, untilSeconds, ...rest }) => ({
            ...rest,
            machines: machines.map((machine) => pools[rest.pool]!.machines[machine]!.name),
            from: { since: "1970" as const, seconds: fromSeconds },
            seconds: untilSeconds - fromSeconds,
          })),
        }),
    preemption: { keepsMemory: pools.every(({ suspend }) => suspend !== "full"), victim },
    rescheduling: {
      strategy,
      waitThresholdSeconds: plain.waitThresholdSeconds,
      checkSeconds: plain.checkSeconds,
      maxRestarts: plain.maxRestarts ?? Infinity,
      candidates: restartPools,
      checkpointSeconds: null,
    },
  };
}

/** Equal machines beside each other are a group: the order of all stays. */
function groupsOf(machines: readonly PlainMachine[], hasGpus: boolean): MachineGroup[] {
  const groups: (MachineGroup & { count: number; names: string[] })[] = [];
  let lastTraits = "";
  for (const { name, count: _count, gpuMilli, ...traits } of machines) {
    const alike = { ...traits, gpuMilli: hasGpus ? gpuMilli : null };
    const key = JSON.stringify(alike);
    const last = groups.at(-1);
    if (last !== undefined && key === lastTraits) {
      last.count++;
      last.names.push(name);
    } else groups.push({ ...alike, count: 1, names: [name] });
    lastTraits = key;
  }
  return groups;
}
