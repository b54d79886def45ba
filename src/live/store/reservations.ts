import type { Connection, Write } from "./database.ts";

/** Machines of a pool that an operator keeps for some people for a time; for nobody if it names none. */
export interface MadeReservation {
  /** Unlike any other reservation's. */
  readonly name: string;
  readonly pool: string;
  /** By name; null: all of the pool. */
  readonly machines: readonly string[] | null;
  /** Both in seconds since 1970. */
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  /** Each with those below it. */
  readonly projects: readonly string[];
  readonly reason: string | null;
  /** Who made it. */
  readonly actor: string;
}

/** Those that were made while the farm ran, in the order of their names. */
export function madeReservations(connection: Connection): MadeReservation[] {
  return connection
    .all("SELECT text FROM reservation ORDER BY name")
    .map(({ text }) => JSON.parse(String(text)) as MadeReservation);
}

export function reservationWrite(reservation: MadeReservation): Write {
  const { name, untilSeconds } = reservation;
  return {
    sql: "INSERT INTO reservation (name, until, text) VALUES (?, ?, ?)",
    values: [name, untilSeconds, JSON.stringify(reservation)],
  };
}

export function unreservationWrite(name: string): Write {
  return { sql: "DELETE FROM reservation WHERE name = ?", values: [name] };
}

/** Forgets those that are over. */
export function overReservationsWrite(unixSeconds: number): Write {
  return { sql: "DELETE FROM reservation WHERE until <= ?", values: [unixSeconds] };
}
