import { stringify } from "yaml";

import { channelsEntry } from "./file/channels.ts";
import { limitsEntry } from "./file/limits.ts";
import { reservationEntry } from "./file/reservations.ts";
import { writeFileAtomically } from "../atomic-file.ts";
import {
  GPU_KIND,
  type Farm,
  type MachineGroup,
  type PhysicalPool,
  type PoolGpus,
  type PoolHooks,
  type UserGroup,
} from "./farm.ts";

/**
 * Writes a farm file: JSON if the name ends so, otherwise YAML. `readFarm` returns an equal farm, except for the names
 * of machines that came from a list: the file has their sizes only.
 *
 * @throws InputError if the path cannot be written to
 */
export async function writeFarm(farm: Farm, path: string, comment = ""): Promise<void> {
  const file = fileOf(farm);
  const text = path.endsWith(".json")
    ? `${JSON.stringify(file, null, 2)}\n`
    : `${comment === "" ? "" : `# ${comment}\n`}${stringify(file, { lineWidth: 0 })}`;
  await writeFileAtomically(path, [text]);
}

/** The farm in the form that `farm-shape.ts` describes, with amounts as plain numbers. */
function fileOf({
  name,
  sites,
  transferSeconds,
  pools,
  virtualPools,
  preemption,
  rescheduling,
  userGroups = [],
  channels = [],
  outputMiB,
  retentionSeconds,
  limits = [],
  reservations = [],
}: Farm): object {
  const several = sites.length > 1;
  const transfers = sites.flatMap((from, i) =>
    sites.flatMap((to, k) => (i === k ? [] : [{ from, to, delay: transferSeconds[i]![k]! }])),
  );
  const { victim, keepsMemory } = preemption;
  const { maxRestarts, candidates, checkpointSeconds } = rescheduling;
  return {
    name,
    sites,
    ...(several ? { transfers } : {}),
    pools: pools.map((pool) => poolOf(pool, sites)),
    virtualPools: virtualPools.map((each) => ({
      name: each.name,
      site: sites[each.site],
      pools: each.pools.map((pool) => pools[pool]!.name),
      routing: each.routing,
      viewAge: each.viewAgeSeconds,
      queue: each.hasQueue,
    })),
    preemption: victim === null ? { victim: "none" } : { victim, keepsMemory },
    rescheduling: {
      strategy: rescheduling.strategy,
      waitThreshold: rescheduling.waitThresholdSeconds,
      check: rescheduling.checkSeconds,
      ...(maxRestarts === Infinity ? {} : { maxRestarts }),
      ...(candidates === null ? {} : { candidates: candidates.map((pool) => pools[pool]!.name) }),
      ...(checkpointSeconds === null ? {} : { checkpoint: checkpointSeconds }),
    },
    ...(limits.length === 0 ? {} : { limits: limitsEntry(limits) }),
    ...(reservations.length === 0
      ? {}
      : { reservations: reservations.map((each) => reservationEntry(each, pools)) }),
    ...(userGroups.length === 0
      ? {}
      : { groups: Object.fromEntries(userGroups.map((group) => [group.name, userGroupOf(group)])) }),
    ...(channels.length === 0 ? {} : { notify: channelsEntry(channels) }),
    ...(outputMiB === undefined ? {} : { output: { most: outputMiB } }),
    ...(retentionSeconds === undefined ? {} : { retention: retentionSeconds }),
  };
}

function userGroupOf({ users, unixGroups, maxPriority, projects, role }: UserGroup): object {
  return {
    ...(users.length === 0 ? {} : { users }),
    ...(unixGroups.length === 0 ? {} : { unixGroups }),
    ...(maxPriority === null ? {} : { maxPriority }),
    ...(projects.length === 0 ? {} : { projects }),
    ...(role === undefined ? {} : { role }),
  };
}

function poolOf(pool: PhysicalPool, sites: readonly string[]): object {
  const { name, site, groups, policy, maxJobsList, intervalSeconds, reserving, shares, engine } = pool;
  const { licences, usage, gpus, hooks } = pool;
  return {
    name,
    site: sites[site],
    policy,
    ...(maxJobsList.length === 0 ? {} : { maxJobs: maxJobsList }),
    ...(intervalSeconds === null ? {} : { interval: intervalSeconds }),
    reservations: reserving === Infinity ? "all" : reserving,
    ...(shares === null
      ? {}
      : { shares: Object.fromEntries(shares.map(({ path, share }) => [path, share])) }),
    ...(usage === undefined
      ? {}
      : { fairShare: "usage", halfLife: usage.halfLifeSeconds, fairShareOf: usage.of }),
    ...(licences === undefined
      ? {}
      : { licences: Object.fromEntries(licences.map((each) => [each.name, each.count])) }),
    ...(gpus === undefined
      ? {}
      : {
          gpus: {
            ...(gpus.devices === null ? {} : { devices: gpus.devices }),
            ...(gpus.kind === null ? {} : { kind: gpus.kind }),
            parts: gpus.parts,
          },
        }),
    ...(hooks === undefined ? {} : { hooks: hooksOf(hooks) }),
    ...(groups.length === 0
      ? {}
      : { machines: groups.map((group) => groupOf(gpus === undefined ? group : withoutGpus(group, gpus))) }),
    ...(engine === undefined ? {} : { engine: { kind: engine.kind, ...engine.settings } }),
  };
}

function hooksOf({ limitSeconds: limit, ...paths }: PoolHooks): object {
  return Object.fromEntries(Object.entries({ ...paths, limit }).filter(([, value]) => value !== null));
}

/** The devices of the pool say how many it has, and of what kind. */
function withoutGpus(group: MachineGroup, { kind }: PoolGpus): MachineGroup {
  const { [GPU_KIND]: _, ...attributes } = group.attributes;
  return { ...group, gpuMilli: null, attributes: kind === null ? group.attributes : attributes };
}

function groupOf({ count, coresMilli, memoryMiB, gpuMilli, speed, owner, attributes }: MachineGroup): object {
  return {
    count,
    cores: coresMilli / 1000,
    ...(memoryMiB === null ? {} : { memory: memoryMiB }),
    ...(gpuMilli === null ? {} : { gpus: gpuMilli / 1000 }),
    speed,
    ...(owner === null ? {} : { owner }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}
