import { dictionary, list, located, mapping, optional, required, text } from "./shape.ts";
import { MAX_POOLS, namePattern, nameText, name, seconds } from "./shapes/parts.ts";
import { preemption, rescheduling, transfer, virtualPool } from "./shapes/moving-jobs.ts";
import { channel, channelName, output } from "./shapes/live.ts";
import { limits } from "./shapes/limits.ts";
import { pool } from "./shapes/pool.ts";
import { reservation } from "./shapes/reservation.ts";
import { userGroup } from "./shapes/user-groups.ts";

/**
 * The contents of a farm file: both the reader and the published JSON Schema are made from this. What must fit together
 * (names that exist, settings that go with one another) is checked in `resolve.ts`.
 */

const MAX_RESERVATIONS = 1000;
const MAX_CHANNELS = 100;
const MAX_SITES = 500;

export const farmShape = mapping({
  $schema: optional("where this schema is, for editors", text(/^.*$/u, "a path or address"), null),
  name: optional("what people call the farm; the file's name unless given", nameText, null),
  sites: optional("the sites' names; one unless given", list(name, 1, MAX_SITES), null),
  transferDelay: optional("between any two sites that transfers does not name (0)", seconds, null),
  transfers: optional(
    "what moving a job from site to site takes",
    list(transfer, 1, MAX_SITES * MAX_SITES),
    null,
  ),
  pools: required("the physical pools: machines with a queue", list(pool, 1, MAX_POOLS)),
  virtualPools: optional(
    "where users submit jobs; one at each site, connected to all pools, unless given",
    list(virtualPool, 1, MAX_POOLS),
    null,
  ),
  preemption: optional("who is suspended for more urgent jobs, and what it keeps", preemption, null),
  rescheduling: optional("when suspended and waiting jobs are restarted elsewhere", rescheduling, null),
  limits: optional("what the jobs of users, groups and projects may have at a time", limits, null),
  reservations: optional(
    "machines that are kept for some people for a time",
    list(reservation, 1, MAX_RESERVATIONS),
    null,
  ),
  groups: optional(
    "of a live farm: the groups of users, and what they may ask for beyond the default",
    dictionary(userGroup, { names: namePattern, problem: "this is no group's name", most: 10_000 }),
    null,
  ),
  notify: optional(
    "of a live farm: channels, by which users have themselves told what becomes of their jobs",
    dictionary(located(channel), {
      names: channelName,
      problem: "this is no channel's name",
      most: MAX_CHANNELS,
    }),
    null,
  ),
  output: optional("of a live farm: what it keeps of what jobs print", output, null),
  retention: optional(
    "of a live farm: how long after its month a job stays in the database, with what it printed (7d)",
    seconds,
    null,
  ),
});

/** A parsed farm file: shapes have been checked, names not yet looked up. */
export type FarmFile = ReturnType<typeof farmShape.read>;
export type PoolEntry = ReturnType<typeof pool.read>;
export type GroupEntry = ReturnType<typeof userGroup.read>;
export type ReservationEntry = ReturnType<typeof reservation.read>;
export type ChannelEntries = NonNullable<FarmFile["notify"]>;
export type LimitsEntry = ReturnType<typeof limits.read>;
export type MachinesEntry = NonNullable<PoolEntry["machines"]>[number];
export type Name = ReturnType<typeof name.read>;
