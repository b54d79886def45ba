import { Type } from "typebox";

import { tokenNames } from "../../simulation/index.ts";
import { warningSignals } from "../engines/engine.ts";
import { notifyMoments, retryCauses } from "../store/job-request.ts";
import { jobStates } from "../store/job-states.ts";
import { listOf, nullable, number, text, time, integer, oneOf } from "./schema-parts.ts";

/** What is answered about a job and its attempts: the shapes of `JobView` and `AttemptView`. */

export const jobState = oneOf(jobStates);

export const JobAnswer = Type.Object({
  id: Type.String({ format: "uuid" }),
  number: integer("its short name, for people"),
  name: text(),
  user: text(),
  state: jobState,
  reason: text("why it is in this state; empty where there is nothing to say"),
  waitsFor: nullable(
    oneOf(
      tokenNames,
      "of a job that waits: the reason that was noted last; of one that is held: `held` by hand, else `after-job`, `begin-time` or `array-limit`; null: it is neither, or none was noted yet",
    ),
  ),
  pool: nullable(text("null: it waits at its virtual pool")),
  machines: listOf(text(), "where it runs, or ran last"),
  submittedAt: time(),
  beginAt: nullable(time("before when it does not start; null: it has no such time, or that is over")),
  deadlineAt: nullable(time("by when it has to be over, if it runs as long as it may")),
  startedAt: nullable(time("of its last attempt")),
  suspendedSeconds: number(
    "how long it has stood still since then in all, without the time since `suspendedAt`",
  ),
  suspendedAt: nullable(time("since when it stands still; null: it does not")),
  endedAt: nullable(time()),
  exitStatus: nullable(integer("null: it has not ended, or its end was not seen")),
  exitSignal: nullable(integer("the signal that a status above 128 may stand for")),
  attempt: integer("how often it was started"),
  cores: number(),
  memoryMiB: integer("0: none is counted, and there is no limit"),
  gpus: number(),
  timeSeconds: nullable(number("how long it may run; null: as long as it takes")),
  priority: integer(),
  project: text(),
  group: text(),
  requires: text(),
  licences: text(),
  command: listOf(text()),
  directory: text(),
  signal: nullable(Type.Object({ name: oneOf(warningSignals), secondsBefore: number() })),
  retries: integer("how often it is run again after it has failed or was lost"),
  retryOn: nullable(listOf(oneOf(retryCauses), "for which causes; null: for any")),
  retryDelaySeconds: number("how long it waits before that"),
  notify: listOf(
    Type.Object({ channel: text(), on: listOf(oneOf(notifyMoments)) }),
    "the channels that are told of it",
  ),
  after: listOf(Type.Object({ job: integer(), condition: oneOf(["ok", "failed", "any"]) })),
  input: nullable(text("a path for its standard input; null: it is empty")),
  output: nullable(text("null: the farm keeps it")),
  errorOutput: nullable(text("null: it goes with the output")),
  array: nullable(
    Type.Object({
      first: integer("the number of the array's first job"),
      index: integer("its own place"),
      most: Type.Optional(integer("how many of the array may run at once; absent: all")),
    }),
  ),
  rerunOf: nullable(integer("the job that was submitted again as this one; null: none")),
  comment: text(),
  tags: Type.Record(Type.String(), Type.String()),
});

export const DoingAnswer = Type.Object(
  { text: text("a sentence about the job, with what ends it"), since: time() },
  {
    description:
      "what is done about it on its machine beside its command: a prolog, an epilog, reading what it has printed; null: nothing that is known of",
  },
);

const attemptId = Type.Object({ job: Type.String({ format: "uuid" }), attempt: integer() });

const Outcome = Type.Union([
  Type.Object({
    kind: oneOf(["exited"]),
    id: attemptId,
    status: nullable(integer()),
    signal: nullable(integer()),
    cause: oneOf(["itself", "never-ran", "asked", "memory", "cores", "time", "output", "outside"]),
    left: Type.Optional(integer("how many processes the command left running, which were ended")),
    usage: Type.Object({
      elapsedSeconds: nullable(number()),
      cpuSeconds: nullable(number()),
      memoryPeakMiB: nullable(number()),
    }),
    unixSeconds: nullable(number("when it ended; null: unknown")),
  }),
  Type.Object({ kind: oneOf(["lost"]), id: attemptId, reason: text() }),
  Type.Object({
    kind: oneOf(["start-failed"]),
    id: attemptId,
    fault: oneOf(["machine", "job", "transient"]),
    reason: text(),
  }),
]);

export const AttemptAnswer = Type.Object({
  attempt: integer("from 1"),
  pool: text(),
  machines: listOf(text()),
  gpus: listOf(text(), "the names of the devices that it was given; empty: none by name"),
  state: oneOf(["starting", "running", "suspended", "over"]),
  startedAt: nullable(time()),
  suspendedSeconds: number("how long it has stood still in all, without the time since `suspendedAt`"),
  suspendedAt: nullable(time("since when it stands still; null: it does not")),
  endedAt: nullable(time()),
  outcome: nullable(Outcome),
});
