import type { Booking, BookingSettings } from "../../core/index.ts";
import {
  InputError,
  machineNames,
  reservedMachines,
  type Farm,
  type Workload,
} from "../../workload/index.ts";
import type { FarmSpec, ReservationSpec } from "./farm-spec.ts";
import { coversProject, type Account } from "./limits.ts";

/** A live farm's clock rings some milliseconds late. Simulations count as little, so that they start what it would. */
const LATE_SECONDS = 0.5;

/**
 * The reservations of a farm on a log's clock. Times since the log are since its first job.
 *
 * @throws InputError for a date where the log does not tell its own
 */
export function reservationSpecs({ reservations = [], pools }: Farm, workload: Workload): ReservationSpec[] {
  const { submitSeconds, farm } = workload;
  return reservations.map(({ from, seconds, machines, ...rest }): ReservationSpec => {
    const start = farm?.unixStartSeconds;
    if (from.since === "1970" && start === undefined)
      throw new InputError(
        `reservation ${rest.name} begins at a date, and the log does not tell when it begins: give a time since its first job, such as 36h`,
      );
    const fromSeconds = from.seconds + (from.since === "log" ? (submitSeconds[0] ?? 0) : -start!);
    const numbers = reservedMachines({ ...rest, machines }, machineNames(pools[rest.pool]));
    return { ...rest, machines: numbers, fromSeconds, untilSeconds: fromSeconds + seconds };
  });
}

/** The reservations of a pool as the decision core has them, by their numbers in the farm, from 1. */
export function bookingSettings(
  { reservations = [] }: FarmSpec,
  pool: number,
  accountOf: (number: number) => Account,
): BookingSettings | null {
  if (!reservations.some((each) => each.pool === pool)) return null;
  const known = reservations.map(() => new Map<number, boolean>());
  return {
    admits(people, account) {
      const answers = known[people - 1];
      let isOfThem = answers.get(account);
      if (isOfThem === undefined) {
        isOfThem = isFor(reservations[people - 1], accountOf(account));
        answers.set(account, isOfThem);
      }
      return isOfThem;
    },
    lateSeconds: LATE_SECONDS,
    first: reservations.flatMap(({ pool: own, machines, fromSeconds, untilSeconds }, at): Booking[] =>
      own === pool
        ? [{ number: at + 1, machines, from: fromSeconds, until: untilSeconds, people: at + 1 }]
        : [],
    ),
  };
}

/** Whether a job that counts against an account may start on the machines. */
export function isFor(
  { users, groups, projects }: Pick<ReservationSpec, "users" | "groups" | "projects">,
  { user, group, project }: Account,
): boolean {
  return (
    (user !== "" && users.includes(user)) ||
    (group !== "" && groups.includes(group)) ||
    (project !== "" && projects.some((name) => coversProject(name, project)))
  );
}
