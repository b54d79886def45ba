import type { FarmReservation, PhysicalPool } from "../farm.ts";
import type { ReservationEntry } from "./farm-shape.ts";
import { NameTable } from "./names.ts";

/** The reservations of a farm's machines, in the order of the file. */
export function reservationsOf(
  entries: readonly ReservationEntry[],
  pools: readonly PhysicalPool[],
  poolNames: NameTable,
): FarmReservation[] {
  // Only to find names that are used twice.
  void new NameTable(
    "reservation",
    entries.map(({ name }) => name),
  );
  return entries.map((entry): FarmReservation => {
    const pool = poolNames.numberOf(entry.pool);
    return {
      name: entry.name.value,
      pool,
      machines: machinesOf(entry, pools[pool]!),
      from: entry.from.value,
      seconds: secondsOf(entry),
      users: entry.users ?? [],
      groups: entry.groups ?? [],
      projects: entry.projects ?? [],
      reason: entry.reason,
    };
  });
}

/** How long it is. */
function secondsOf({ from, until, for: length, at }: ReservationEntry): number {
  if ((until === null) === (length === null)) at.refuse("give either until or for: when it is over");
  if (length !== null) return length.value > 0 ? length.value : length.at.refuse("it takes no time");
  if (until!.value.since !== from.value.since)
    until!.at.refuse("from and until should both be dates, or both be times since the log's first job");
  const seconds = until!.value.seconds - from.value.seconds;
  return seconds > 0 ? seconds : until!.at.refuse("it ends before it begins");
}

function machinesOf({ machines, count, pool: { at } }: ReservationEntry, pool: PhysicalPool): number[] {
  if (machines !== null && count !== null) count.at.refuse("give machines or count, not both");
  const names = machineNames(pool);
  if (names.length === 0)
    at.refuse(`the file does not list the machines of ${pool.name}: only a farm that runs knows them`);
  if (count !== null) {
    if (count.value > names.length)
      count.at.refuse(`the pool has ${names.length} machine${names.length === 1 ? "" : "s"}`);
    return Array.from({ length: count.value }, (_, machine) => machine);
  }
  if (machines === null) return [...names.keys()];
  const table = new NameTable(
    "machine",
    names.map((value) => ({ value, at })),
  );
  const numbers = machines.map((name) => table.numberOf(name));
  numbers.forEach((number, place) => {
    const { value, at: here } = machines[place]!;
    if (numbers.indexOf(number) < place) here.refuse(`"${value}" stands in this list twice`);
  });
  return numbers;
}

/** Those of lists have the lists' names; the others are called by their pool's name and a number, from 1. */
function machineNames({ name, groups }: PhysicalPool): string[] {
  let number = 0;
  return groups.flatMap(({ count, names }) =>
    Array.from({ length: count }, (_, i) => {
      number++;
      return names?.[i] ?? `${name}-${number}`;
    }),
  );
}

/** The same as a file has it. */
export function reservationEntry(
  { name, pool, machines, from, seconds, users, groups, projects, reason }: FarmReservation,
  pools: readonly PhysicalPool[],
): object {
  const poolName = pools[pool]!.name;
  return {
    name,
    pool: poolName,
    machines: machines.map((machine) => `${poolName}-${machine + 1}`),
    from:
      from.since === "log" ? from.seconds : `${new Date(from.seconds * 1000).toISOString().slice(0, 19)}Z`,
    for: seconds,
    ...(users.length === 0 ? {} : { users }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(projects.length === 0 ? {} : { projects }),
    ...(reason === null ? {} : { reason }),
  };
}
