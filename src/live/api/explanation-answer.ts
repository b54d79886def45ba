import { Type } from "typebox";

import { delayNames } from "../../core/index.ts";
import { tokenNames } from "../../simulation/index.ts";
import { StartForecastAnswer } from "./forecast-answer.ts";
import { DoingAnswer } from "./job-answer.ts";
import { listOf, nullable, number, numbers, text, time, oneOf } from "./schema-parts.ts";

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
    Type.Object({ kind: oneOf(["too small", "refused it", "other families"]), machines }),
    Type.Object({
      kind: oneOf(["spared"]),
      jobs: number("running jobs of lower priority that are not to be suspended for now"),
    }),
    Type.Object({
      kind: oneOf(["drained"]),
      machines,
      closed: Type.Optional(
        listOf(
          Type.Object({
            machine: text(),
            why: text("as the operator or the engine says; empty: nobody says"),
          }),
          "the first of them",
        ),
      ),
    }),
    Type.Object({
      kind: oneOf(["licence"]),
      licence: text(),
      asked: number(),
      inUse: number(),
      count: number(),
      by: Type.Optional(numbers("the first jobs that have it")),
    }),
    Type.Object({
      kind: oneOf(["limit"]),
      of: oneOf(["user", "group", "project"]),
      name: text("whose limit it is"),
      what: oneOf(["jobs", "cores"]),
      asked: number(),
      inUse: number(),
      most: number(),
    }),
    Type.Object({ kind: oneOf(["no pool has room"]), pools: listOf(text()) }),
    Type.Object({
      kind: oneOf(["too full"]),
      machines,
      nearest: Type.Object({
        machine: text("the one that lacks least"),
        coresShort: number(),
        memoryShortMiB: number(),
        gpusShort: number(),
        gpuKind: nullable(text("what its GPUs are; null: it does not tell")),
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
      startSeconds: nullable(
        number("when that is promised to start at the latest, since 1970; null: unknown"),
      ),
    }),
    Type.Object({
      kind: oneOf(["promised"]),
      policy: text("which policy promises it"),
      machines,
      startSeconds: nullable(number("when it is promised to start at the latest, since 1970; null: unknown")),
      firstSeconds: nullable(number("what it was promised first, since 1970; null: unknown")),
      awaits: nullable(
        Type.Union(
          [
            Type.Object({ kind: oneOf(["jobs"]) }),
            Type.Object({
              kind: oneOf(["machines"]),
              machines: listOf(text(), "the first of those that could hold it and take no jobs"),
              count: number("how many they are; 0: those that could hold it have refused it"),
            }),
          ],
          {
            description:
              "why the time is not known: for want of jobs' ends, or of machines; null: it is known",
          },
        ),
      ),
      on: nullable(listOf(text(), "the machines that it is promised; null: any that have room then")),
      delay: nullable(oneOf(delayNames.filter((name) => name !== "none"))),
      by: Type.Optional(numbers("the jobs that put it off, where they are known")),
    }),
    Type.Object({
      kind: oneOf(["would delay promises"]),
      machines,
      jobs: listOf(number(), "the first of the jobs that it would delay"),
      count: number("how many it would delay"),
      startSeconds: nullable(
        number("when the first is promised to start at the latest, since 1970; null: unknown"),
      ),
    }),
    Type.Object({
      kind: oneOf(["reserved"]),
      machines,
      reservation: text("that keeps it off these machines"),
      fromSeconds: number("when that begins, since 1970"),
      untilSeconds: number("when it is over, since 1970"),
      hasBegun: Type.Boolean(),
      hasLimit: Type.Boolean({ description: "whether the job has one: without, it reaches into any" }),
    }),
    Type.Object({ kind: oneOf(["not examined"]), examined: number("how many jobs a cycle looks at") }),
  ],
  { description: "what kept it from starting in its pool's last cycle; each machine counts once" },
);

const token = oneOf(tokenNames);

const Dominant = Type.Object(
  {
    token: oneOf(tokenNames, "stays the same from version to version: docs/explain.md has what each means"),
    sentence: text(),
  },
  { description: "what to tell first" },
);

const Group = Type.Object(
  {
    machines: number(),
    example: text("one of them"),
    cores: number(),
    memoryMiB: number(),
    unmet: nullable(Type.Object({ part: text(), has: text() })),
    tooSmall: number(),
    drained: number(),
    refused: number(),
    otherFamilies: number(),
    reserved: number("by reservations, for others, before the job's limit is over"),
    tooFull: number(),
    nearest: nullable(
      Type.Object({
        machine: text("of those that are too full, the one that lacks least"),
        coresShort: number(),
        memoryShortMiB: number(),
        gpusShort: number(),
        gpuKind: nullable(text("what its GPUs are; null: it does not tell")),
      }),
    ),
    withRoom: number(),
  },
  { description: "machines that are alike, by why the job cannot use them: each counts once" },
);

const Change = Type.Object(
  {
    cores: Type.Optional(number()),
    memoryMiB: Type.Optional(number()),
    gpus: Type.Optional(number()),
    timeSeconds: Type.Optional(number()),
    priority: Type.Optional(number()),
    pool: Type.Optional(text()),
    requires: Type.Optional(oneOf([""], "it is submitted again, and asks nothing of machines")),
  },
  { description: "what is different about the job: fields of PATCH /v1/jobs/:job, or of a new job" },
);

/** What is found out on a copy of the farm, and what the farm has kept. */
const more = {
  ahead: nullable(
    Type.Object(
      {
        jobs: number("that wait before it"),
        coreHours: number("that they ask for, by their limits"),
        withoutLimit: number("how many have no limit, and are not in the core-hours"),
        first: numbers("the first of them, in the order in which they are served"),
      },
      { description: "null: it does not wait in a pool, or that was not found out" },
    ),
  ),
  when: nullable(StartForecastAnswer),
  helps: nullable(
    Type.Object(
      {
        startsAsItIs: Type.Boolean({ description: "it starts in the next cycle in any case" }),
        changes: listOf(
          Type.Object({
            change: Change,
            machines: number("with room for it then"),
            sentence: text(),
            isForOperators: Type.Boolean({ description: "who asks has no right to it, and an operator has" }),
          }),
          "each was tried on a copy of the farm, and the job started in the next cycle",
        ),
        trials: number("how many were made"),
        isCutShort: Type.Boolean({ description: "there was more to try than time" }),
      },
      { description: "null: it does not wait, or nothing was tried: `notTried` says why" },
    ),
  ),
  notTried: nullable(text("why nothing was tried")),
  changes: listOf(
    Type.Object({
      token,
      sentence: text("as it was when this began"),
      from: time(),
      to: nullable(time("null: it is so")),
    }),
    "what kept it waiting so far, as it was noted about once a minute",
  ),
  lost: listOf(
    Type.Object({
      attempt: number(),
      machines: listOf(text()),
      from: time(),
      to: time(),
      seconds: number("that it had run, and has to run again"),
      suspendedSeconds: number("that it stood still between"),
    }),
    "attempts before the last one: what they did is lost unless the job keeps it itself",
  ),
  lastStartAt: nullable(
    time(
      "by when it has to have started, or it is cancelled for its deadline; null: it has none, or has started",
    ),
  ),
  runs: nullable(
    Type.Object(
      {
        pool: text(),
        machines: listOf(text()),
        policy: text("which chose the machines"),
        routing: nullable(text("which chose the pool; null: there was none to choose")),
        suspends: oneOf(["full", "cpu-only", "none"], "what it gives back while it is suspended"),
      },
      { description: "why it is where it is; null: it is nowhere" },
    ),
  ),
};

export const ExplanationAnswer = Type.Object({
  job: number(),
  state: text(),
  reason: text(),
  dominant: nullable(Dominant),
  waits: nullable(
    Type.Object(
      {
        pool: nullable(text("null: it waits at its virtual pool")),
        policy: nullable(text()),
        reasons: nullable(listOf(Reason, "null: the pool has had no cycle since the question")),
        groups: listOf(Group, "those that come nearest to having room first, 20 at most"),
        ahead: numbers("the first jobs that the cycle passed by before it came to this one"),
        aheadCount: number("how many they are"),
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
  doing: nullable(DoingAnswer),
  ...more,
});

/** Why the jobs of a farm wait: `WaitingAnswer`. */
export const ReasonsAnswer = Type.Object({
  waiting: number("jobs that do not run and are not over, of those that the user may see"),
  examined: number("those of them that were looked at"),
  reasons: listOf(
    Type.Object({
      token,
      meaning: text(),
      jobs: number(),
      first: numbers("a few of them"),
    }),
    "the most frequent first",
  ),
  culprits: listOf(
    Type.Object({
      token,
      what: text("what or whom they wait for"),
      jobs: number(),
      first: numbers("a few of them"),
      machines: listOf(text(), "where they wait for machines: a few of them"),
    }),
    "what most jobs wait for first, 20 at most",
  ),
  notTold: nullable(text("why jobs that wait in pools were not looked at")),
});
