import { Type } from "typebox";

import { listOf, nullable, number, numbers, text, time, integer, oneOf } from "./schema-parts.ts";

/** The schemas of answers about pools and their machines, shares and reservations. */

export const PauseAnswer = nullable(
  Type.Object({
    actor: text(),
    reason: text(),
    since: time(),
    suspends: Type.Boolean({ description: "whether what ran was suspended, where its engine can" }),
    isOfFarm: Type.Boolean({ description: "whether the whole farm is paused" }),
  }),
);

/** In all and free. */
const amounts = {
  cores: number(),
  coresFree: number(),
  memoryMiB: integer(),
  memoryFreeMiB: integer(),
  gpus: number(),
  gpusFree: number(),
};

export const PoolAnswer = Type.Object({
  name: text(),
  engine: text("what runs its jobs"),
  policy: text(),
  machines: integer(),
  machinesClosed: integer("that take nothing new"),
  ...amounts,
  waiting: integer(),
  running: integer(),
  suspended: integer(),
  suspends: oneOf(
    ["full", "cpu-only", "none"],
    "what a suspended job gives back: cores and memory, only cores; or it cannot be suspended",
  ),
  unreachable: nullable(Type.Object({ reason: text(), since: time() })),
  paused: PauseAnswer,
});

export const SharesAnswer = Type.Object({
  pool: text(),
  fairShare: oneOf(
    ["running", "usage"],
    "who comes first: who uses the least cores now for its share, or has used the least",
  ),
  halfLifeSeconds: nullable(number("after which half of what was used counts; null: it is by cores now")),
  of: nullable(oneOf(["cores", "memory", "dominant"])),
  projects: listOf(
    Type.Object({
      project: text("empty: the jobs of no project"),
      due: number("the part of the pool that it is due, of 1"),
      usedHours: nullable(
        number(
          "what it has used that still counts: core-hours, of memory GiB-hours; null: it does not count",
        ),
      ),
      usedPart: nullable(number("that as a part of all that counts, of 1; null: nothing does")),
      coresRunning: number("of its jobs that run"),
      running: integer(),
      waiting: integer("in this pool, or on the way to it"),
    }),
  ),
});

export const ReservationAnswer = Type.Object({
  name: text(),
  pool: text(),
  machines: listOf(text()),
  from: time(),
  until: time(),
  users: listOf(text(), "whose jobs may start there; nobody's where users, groups and projects are empty"),
  groups: listOf(text()),
  projects: listOf(text(), "with those below"),
  reason: text(),
  actor: nullable(text("who made it; null: it is in the farm's file")),
});

export const MachineAnswer = Type.Object({
  pool: text(),
  name: text(),
  state: oneOf(["up", "closed", "drained"]),
  reason: text("why it takes nothing new"),
  since: nullable(time("since when; null: it does, or that is not known")),
  ...amounts,
  owner: nullable(text("the group whose jobs come first on it")),
  attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  jobs: numbers("that are on it"),
});
