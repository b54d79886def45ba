import type { FarmReservation, PhysicalPool } from "../farm.ts";
import { InputError } from "../../errors.ts";
import type { ReservationEntry } from "./farm-shape.ts";
import { NameTable } from "./names.ts";

/** The reservations of a farm's machines, in the order of the file. */
export function reservationsOf(
  entries: readonly ReservationEntry[],
  pools: readonly PhysicalPool[],
  poolNames: NameTable,
  areMachinesKnown: boolean,
): FarmReservation[] {
  // Only to find names that are used twice.
  void new NameTable(
    "reservation",
    entries.map(({ name }) => name),
  );
  return entries.map((entry): FarmReservation => {
    const pool = poolNames.numberOf(entry.pool);
    checkMachines(entry, areMachinesKnown ? machineNames(pools[pool]!) : []);
    return {
      name: entry.name.value,
      pool,
      machines: entry.machines?.map(({ value }) => value) ?? entry.count?.value ?? null,
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

/** @param names of the pool's machines; none: only a live farm's engines know them */
function checkMachines({ machines, count, pool: { at } }: ReservationEntry, names: readonly string[]): void {
  if (machines !== null && count !== null) count.at.refuse("give machines or count, not both");
  machines?.forEach(({ value, at: here }, place) => {
    if (machines.findIndex((each) => each.value === value) < place)
      here.refuse(`"${value}" stands in this list twice`);
  });
  if (names.length === 0) return;
  if (count !== null && count.value > names.length)
    count.at.refuse(`the pool has ${names.length} machine${names.length === 1 ? "" : "s"}`);
  const table = new NameTable(
    "machine",
    names.map((value) => ({ value, at })),
  );
  for (const machine of machines ?? []) table.numberOf(machine);
}

/**
 * The numbers of the machines of a reservation.
 *
 * @param names of the pool's machines
 * @throws InputError where there is no such machine
 */
export function reservedMachines(
  { name, machines }: Pick<FarmReservation, "name" | "machines">,
  names: readonly string[],
): number[] {
  const refuse = (text: string): never => {
    throw new InputError(`reservation ${name}: ${text}`);
  };
  if (machines === null) return [...names.keys()];
  if (typeof machines === "number")
    return machines <= names.length
      ? Array.from({ length: machines }, (_, machine) => machine)
      : refuse(`it is of ${machines} machines, and the pool has ${names.length}`);
  return machines.map((machine) => {
    const number = names.indexOf(machine);
    return number >= 0 ? number : refuse(`the pool has no machine ${machine}: it has ${listed(names)}`);
  });
}

/** Machines that are named of many. */
const NAMED = 5;

function listed(names: readonly string[]): string {
  return `${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ", …" : ""}`;
}

/** Of machines that the file lists: those of lists have the lists' names; the others their pool's with a number, from 1. */
export function machineNames({ name, groups }: PhysicalPool): string[] {
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
  return {
    name,
    pool: pools[pool]!.name,
    ...(machines === null ? {} : typeof machines === "number" ? { count: machines } : { machines }),
    from:
      from.since === "log" ? from.seconds : `${new Date(from.seconds * 1000).toISOString().slice(0, 19)}Z`,
    for: seconds,
    ...(users.length === 0 ? {} : { users }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(projects.length === 0 ? {} : { projects }),
    ...(reason === null ? {} : { reason }),
  };
}
