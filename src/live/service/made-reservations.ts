import { MOST_RESERVATIONS } from "../limits.ts";
import type { MadeReservation } from "../store/reservations.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { listed, Refusal } from "../refusal.ts";

/** A reservation, as clients see it. */
export interface ReservationView {
  readonly name: string;
  readonly pool: string;
  readonly machines: readonly string[];
  readonly from: string;
  readonly until: string;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly projects: readonly string[];
  readonly reason: string;
  /** Who made it; null: it is in the farm's file. */
  readonly actor: string | null;
}

/** Those that are not over: the farm's file's, and those that were made. */
export function reservationViews(
  { pools, reservations = [] }: PlainFarm,
  made: readonly MadeReservation[],
  unixSeconds: number,
): ReservationView[] {
  const actors = new Map(made.map(({ name, actor }) => [name, actor]));
  return reservations
    .filter(({ untilSeconds }) => untilSeconds > unixSeconds)
    .map(({ name, pool, machines, fromSeconds, untilSeconds, users, groups, projects, reason }) => ({
      name,
      pool: pools[pool]!.name,
      machines: machines.map((machine) => pools[pool]!.machines[machine]!.name),
      from: new Date(fromSeconds * 1000).toISOString(),
      until: new Date(untilSeconds * 1000).toISOString(),
      users,
      groups,
      projects,
      reason: reason ?? "",
      actor: actors.get(name) ?? null,
    }));
}

/** @throws Refusal where it cannot be */
export function checkReservation(
  { name, pool, machines, fromSeconds, untilSeconds }: MadeReservation,
  { pools, reservations = [] }: PlainFarm,
  unixSeconds: number,
): void {
  const its = pools.find((each) => each.name === pool);
  if (its === undefined)
    throw new Refusal(
      404,
      `there is no pool ${JSON.stringify(pool)}: ${listed(pools.map((each) => each.name))}`,
    );
  const known = new Set(its.machines.map((each) => each.name));
  const missing = machines?.find((machine) => !known.has(machine));
  if (missing !== undefined) throw new Refusal(404, `pool ${pool} has no machine ${JSON.stringify(missing)}`);
  if (untilSeconds <= fromSeconds) throw new Refusal(422, "the reservation ends before it begins");
  if (untilSeconds <= unixSeconds) throw new Refusal(422, "the reservation is over already");
  if (reservations.some((each) => each.name === name))
    throw new Refusal(409, `there is a reservation ${JSON.stringify(name)} already: give another name`);
  if (reservations.length >= MOST_RESERVATIONS)
    throw new Refusal(
      409,
      `there are ${reservations.length} reservations: no more than ${MOST_RESERVATIONS} can be`,
    );
}
