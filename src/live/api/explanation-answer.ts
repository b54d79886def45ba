import { Type } from "typebox";

import { listOf, nullable, number, numbers, text, oneOf } from "./schema-parts.ts";

/** The answer to why a job does not run: `LiveExplanation`, whose parts are those of the simulator's explanations. */

const Rank = Type.Union(
  [
    Type.Object({ kind: oneOf(["owner"]), group: text() }),
    Type.Object({ kind: oneOf(["priority"]), priority: number(), ownPriority: number() }),
    Type.Object({ kind: oneOf(["earlier", "share"]) }),
  ],
  {
    description:
      "why one job comes before another: its group owns machines there; its priority is higher; it was submitted earlier; its project uses, or has used, less for its share",
  },
);

const machines = number("how many of the pool's machines this is about");

const Reason = Type.Union(
  [
    Type.Object({ kind: oneOf(["requirement"]), machines, part: text(), has: text() }),
    Type.Object({ kind: oneOf(["too small", "drained", "refused it", "other families"]), machines }),
    Type.Object({
      kind: oneOf(["licence"]),
      licence: text(),
      asked: number(),
      inUse: number(),
      count: number(),
    }),
    Type.Object({ kind: oneOf(["no pool has room"]), pools: listOf(text()) }),
    Type.Object({
      kind: oneOf(["too full"]),
      machines,
      nearest: Type.Object({
        machine: text("the one that lacks least"),
        coresShort: number(),
        memoryShortMiB: number(),
        running: numbers("jobs there"),
        suspended: numbers("jobs there"),
      }),
    }),
    Type.Object({
      kind: oneOf(["kept free"]),
      machines,
      tasksWithRoom: number(),
      tasks: number(),
      before: numbers("the first jobs before it"),
      beforeCount: number(),
      rank: Type.Optional(Rank),
    }),
    Type.Object({
      kind: oneOf(["share used"]),
      project: text("the job's, or the part of the path above it that sets it apart; empty: of no project"),
      of: oneOf(["cores", "memory", "dominant"]),
      usedHours: number("what it has used that still counts: core-hours, of memory GiB-hours"),
      dueHours: number("what its share would be of all that was used in the pool"),
      before: numbers("the first of the later jobs that came before it"),
    }),
    Type.Object({ kind: oneOf(["behind"]), job: number() }),
    Type.Object({
      kind: oneOf(["would delay"]),
      machines,
      job: number("the first in the queue"),
      startSeconds: nullable(number("when that is expected to start, since 1970; null: unknown")),
    }),
    Type.Object({
      kind: oneOf(["promised"]),
      policy: text("which policy promises it"),
      machines,
      startSeconds: nullable(number("when it is promised to start, since 1970; null: unknown")),
      firstSeconds: nullable(number("what it was promised first, since 1970; null: unknown")),
      on: nullable(listOf(text(), "the machines that it is promised; null: any that have room then")),
      delay: nullable(oneOf(["overrun", "machine lost", "higher rank", "resumed", "late cycle", "refused"])),
    }),
    Type.Object({
      kind: oneOf(["would delay promises"]),
      machines,
      jobs: listOf(number(), "the first of the jobs that it would delay"),
      count: number("how many it would delay"),
      startSeconds: nullable(number("when the first is promised to start, since 1970; null: unknown")),
    }),
    Type.Object({ kind: oneOf(["not examined"]), examined: number("how many jobs a cycle looks at") }),
  ],
  { description: "what kept it from starting in its pool's last cycle; each machine counts once" },
);

export const ExplanationAnswer = Type.Object({
  job: number(),
  state: text(),
  reason: text(),
  waits: nullable(
    Type.Object(
      {
        pool: nullable(text("null: it waits at its virtual pool")),
        policy: nullable(text()),
        reasons: nullable(listOf(Reason, "null: the pool has had no cycle since the question")),
        ahead: numbers("the first jobs that the cycle passed by before it came to this one"),
        rank: nullable(Rank),
        intervalSeconds: number("between cycles; 0: there is one whenever something happens"),
        isOnItsWay: Type.Boolean({ description: "it has not arrived at the pool yet" }),
        unreachable: nullable(text("why the pool starts nothing at all")),
        writeError: nullable(text("why nothing can be written, and so nothing is decided")),
      },
      { description: "null: it does not wait" },
    ),
  ),
  suspended: nullable(
    Type.Object(
      { kind: oneOf(["suspended"]), by: numbers(), rank: Type.Optional(Rank) },
      { description: "the jobs that it was suspended for; null: it is not, or by hand" },
    ),
  ),
});
