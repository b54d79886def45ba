import { Type, type Static } from "typebox";

import { LONGEST_MACHINE_NAME } from "../limits.ts";
import { usageKeys } from "../store/usage.ts";
import { oneOf } from "./schema-parts.ts";
import { exact, form, instant, noNul, path, text } from "./input-parts.ts";

/** What comes in of the farm: its pools, machines, reservations, events and use. */

export const DrainBody = Type.Object(
  { reason: Type.String({ ...noNul, minLength: 1, maxLength: 1000 }) },
  exact,
);
export type DrainBody = Static<typeof DrainBody>;

export const MachineListBody = Type.Object(
  {
    machines: Type.Array(text(401, "POOL/MACHINE, or a pool for all of its machines"), {
      minItems: 1,
      maxItems: 10_000,
    }),
  },
  exact,
);
export type MachineListBody = Static<typeof MachineListBody>;

export const DrainListBody = Type.Object({ ...MachineListBody.properties, ...DrainBody.properties }, exact);
export type DrainListBody = Static<typeof DrainListBody>;

export const PauseBody = Type.Object(
  {
    reason: Type.Optional(text(1000, "why, for those who ask")),
    suspend: Type.Optional(
      Type.Boolean({ description: "whether what runs is suspended, where its engine can (false)" }),
    ),
  },
  exact,
);
export type PauseBody = Static<typeof PauseBody>;

/** As in a farm file. */
const reservationName = form(
  String.raw`^[^;\s\u0000-\u001F\u007F\uFFFD\uD800-\uDFFF]([^;\u0000-\u001F\u007F\uFFFD\uD800-\uDFFF]{0,98}[^;\s\u0000-\u001F\u007F\uFFFD\uD800-\uDFFF])?$`,
  "a name of at most 100 characters, without semicolons or blanks at its ends",
);

const people = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ ...noNul, minLength: 1, maxLength: 1000 }), {
      maxItems: 1000,
      description: what,
    }),
  );

export const ReservationBody = Type.Object(
  {
    name: Type.String({ ...reservationName, description: "unlike any other reservation's" }),
    pool: Type.String({ ...noNul, maxLength: 100, description: "the pool of its machines" }),
    machines: Type.Optional(
      Type.Array(Type.String({ ...noNul, maxLength: 255 }), {
        minItems: 1,
        maxItems: 10_000,
        description: "its machines; all of the pool unless given",
      }),
    ),
    from: Type.Optional(instant("when it begins (now)")),
    until: instant("when it is over"),
    users: people("whose jobs may start there; nobody's unless users, groups or projects are given"),
    groups: people("whose jobs may start there"),
    projects: people("whose jobs may start there, with those of projects below"),
    reason: Type.Optional(
      Type.String({ ...noNul, minLength: 1, maxLength: 200, description: "what it is for" }),
    ),
  },
  exact,
);
export type ReservationBody = Static<typeof ReservationBody>;

export const ReservationParams = Type.Object({ reservation: Type.String({ maxLength: 100 }) });
export type ReservationParams = Static<typeof ReservationParams>;

export const PoolParams = Type.Object({ pool: Type.String({ maxLength: 100 }) });
export type PoolParams = Static<typeof PoolParams>;

export const BackupBody = Type.Object({ path: path("where to, on the farm's machine") }, exact);
export type BackupBody = Static<typeof BackupBody>;

export const MachineParams = Type.Object({
  pool: Type.String({ maxLength: 100 }),
  machine: Type.String({ maxLength: LONGEST_MACHINE_NAME }),
});
export type MachineParams = Static<typeof MachineParams>;

export const UsageQuery = Type.Object(
  {
    by: Type.Optional(oneOf(usageKeys, "what a row is of (user)")),
    since: Type.Optional(text(40, "from this time on, in ISO 8601")),
    lastSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: "in so many seconds until now (30 days), where there is no since",
      }),
    ),
  },
  exact,
);
export type UsageQuery = Static<typeof UsageQuery>;

export const EventsQuery = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0, description: "only those after this number" })),
    job: Type.Optional(Type.Integer({ minimum: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    follow: Type.Optional(
      Type.Boolean({ description: "goes on as server-sent events; from now on unless after is given" }),
    ),
  },
  exact,
);
export type EventsQuery = Static<typeof EventsQuery>;
