import { Type, type TSchema } from "typebox";

import { tokenNames } from "../../simulation/index.ts";
import { warningSignals } from "../engines/engine.ts";
import { notifyMoments, retryCauses } from "../store/job-request.ts";
import { usageKeys } from "../store/usage.ts";
import { jobStates } from "../store/job-states.ts";
import { listOf, nullable, number, numbers, text, time, integer, oneOf } from "./schema-parts.ts";
import { ExplanationAnswer, ReasonsAnswer } from "./explanation-answer.ts";
import { JobForecastAnswer, StartForecastAnswer } from "./forecast-answer.ts";
import { roles } from "../identity.ts";

/**
 * What is answered, for the OpenAPI document. Answers are not made by these schemas, so that a field that is missing
 * here is sent nevertheless; `document.test.ts` holds real answers against them.
 */

const role = oneOf(roles);
const state = oneOf(jobStates);

const Job = Type.Object({
  id: Type.String({ format: "uuid" }),
  number: integer("its short name, for people"),
  name: text(),
  user: text(),
  state,
  reason: text("why it is in this state; empty where there is nothing to say"),
  waitsFor: nullable(
    oneOf(
      tokenNames,
      "of a job that waits: the reason that was noted last, and of one that is held until a time `begin-time`; null: it does not, or none yet",
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

const Attempt = Type.Object({
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

const Pause = nullable(
  Type.Object({
    actor: text(),
    reason: text(),
    since: time(),
    suspends: Type.Boolean({ description: "whether what ran was suspended, where its engine can" }),
    isOfFarm: Type.Boolean({ description: "whether the whole farm is paused" }),
  }),
);

const Pool = Type.Object({
  name: text(),
  engine: text("what runs its jobs"),
  policy: text(),
  machines: integer(),
  machinesClosed: integer("that take nothing new"),
  cores: number(),
  coresFree: number(),
  memoryMiB: integer(),
  memoryFreeMiB: integer(),
  gpus: number(),
  gpusFree: number(),
  waiting: integer(),
  running: integer(),
  suspended: integer(),
  suspends: oneOf(
    ["full", "cpu-only", "none"],
    "what a suspended job gives back: cores and memory, only cores; or it cannot be suspended",
  ),
  unreachable: nullable(Type.Object({ reason: text(), since: time() })),
  paused: Pause,
});

const Shares = Type.Object({
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

const Reservation = Type.Object({
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

const Machine = Type.Object({
  pool: text(),
  name: text(),
  state: oneOf(["up", "closed", "drained"]),
  reason: text("why it takes nothing new"),
  since: nullable(time("since when; null: it does, or that is not known")),
  cores: number(),
  coresFree: number(),
  memoryMiB: integer(),
  memoryFreeMiB: integer(),
  gpus: number(),
  gpusFree: number(),
  owner: nullable(text("the group whose jobs come first on it")),
  attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  jobs: numbers("that are on it"),
});

const Fits = Type.Object({
  never: nullable(text("why no machine could ever hold one; null: some could")),
  count: integer("how many are submitted"),
  within: listOf(
    Type.Object({ seconds: number("from now"), jobs: integer("that have started by then") }),
    "now, in half a day, in a week",
  ),
  nowByPool: Type.Record(Type.String(), Type.Integer(), { description: "those that start at once" }),
  isCutShort: Type.Boolean({
    description: "whether the look ahead ended before its time: more may have started",
  }),
});

const otherStarts = (what: string) =>
  listOf(
    Type.Object({
      job: integer(),
      user: text(),
      beforeSeconds: nullable(number("from now, as the farm is; null: not within a week")),
      afterSeconds: nullable(number("from now, with the file")),
    }),
    what,
  );

const ReloadTrial = Type.Union([
  Type.Object({ refused: text("why the farm would not take the file") }),
  Type.Object({
    refused: Type.Null(),
    changes: listOf(text(), "what the file says otherwise"),
    evicted: listOf(
      Type.Object({
        job: integer(),
        user: text(),
        pool: text(),
        machines: listOf(text()),
        becomes: oneOf(["suspended", "waits again", "moved"]),
        to: nullable(text("the pool that it goes to; null: it stays in its own")),
        lostSeconds: number("what it has run, and would lose"),
      }),
      "running jobs that would have to leave their machines",
    ),
    startNow: numbers("of jobs that would start at once, and would not without"),
    later: otherStarts("jobs that are expected to start later, the most changed first"),
    sooner: otherStarts("jobs that are expected to start sooner"),
    isCutShort: Type.Boolean({ description: "whether the look ahead ended before its time" }),
  }),
]);

const Event = Type.Object({
  seq: integer("its number: later events have higher ones"),
  at: time(),
  kind: text("what happened: submitted, started, moved, ended, drained …"),
  job: nullable(integer()),
  actor: nullable(text("who did it; null: the farm itself")),
  text: text(),
});

/** As it was made last; null: it does not wait, or none was made since it does. */
const keptForecast = nullable(StartForecastAnswer);

const submittedJob = { id: Job.properties.id, number: Job.properties.number, state, reason: text() };

/** Each answer that has a name, by that name: `components.schemas` of the document. */
export const answerSchemas = {
  Job,
  ListedJob: Type.Object({ ...Job.properties, forecast: keptForecast }),
  JobInFull: Type.Object({ ...Job.properties, attempts: listOf(Attempt), forecast: keptForecast }),
  JobForecast: JobForecastAnswer,
  SubmittedJob: Type.Object(submittedJob),
  Fits,
  ReloadTrial,
  Event,
  Explanation: ExplanationAnswer,
  Reasons: ReasonsAnswer,
  Pool,
  Shares,
  Machine,
  Reservation,
  Farm: Type.Object({
    name: text(),
    version: text("of Croft"),
    jobs: integer("that are not over"),
    pools: listOf(text()),
    paused: Pause,
    policy: nullable(text("under which all jobs of the history ran; null: several, or not known")),
    intervalSeconds: nullable(
      number("between cycles while they ran; 0: one at every event; null: not the same in all pools"),
    ),
  }),
  Identity: Type.Object({ user: text(), role }),
  Token: Type.Object({
    id: integer(),
    user: text(),
    role,
    comment: text(),
    createdAt: time(),
    expiresAt: nullable(time("null: never")),
  }),
  NewToken: Type.Object({ id: integer(), token: text("its text, which is told only here") }),
  SentFile: Type.Object({
    bytes: integer("that are there"),
    isWhole: Type.Boolean({ description: "whether all are, and have that hash" }),
  }),
  Error: Type.Object({ error: text("what is wrong, and what to do about it") }),
} as const;

/** The named answer. */
export function ref(name: keyof typeof answerSchemas): TSchema {
  return Type.Ref(`#/components/schemas/${name}`);
}

/** Several jobs at once were submitted. */
export const SubmittedJobs = Type.Object({ jobs: listOf(ref("SubmittedJob")) });

const refusedJobs = listOf(
  Type.Object({
    job: text("as it was asked for"),
    status: integer("as of a request for it alone"),
    error: text(),
  }),
);

/** Something was done to each job of a list. */
export const ActedOnJobs = Type.Object({
  jobs: listOf(ref("Job"), "those to which it was done"),
  refused: refusedJobs,
});

const withoutDeadline = integer(
  "how many have no deadline, since that of the job before could not be kept any more",
);

/** The jobs of a list were submitted again. */
export const SubmittedAgain = Type.Object({
  jobs: listOf(Type.Object({ rerunOf: integer("the job that was submitted again"), ...submittedJob })),
  withoutDeadline,
  refused: refusedJobs,
});

/** Something was done to all jobs of a choice. */
export const ActedOnSelection = Type.Object({
  selected: integer("that are of the choice"),
  users: integer("whose they are"),
  done: integer("to which it was done"),
  leftOut: integer("that were not of the choice any more when their turn came"),
  rerunBefore: integer("of a rerun: that are left out, since they were submitted again before"),
  withoutDeadline,
  refused: integer(),
  errors: listOf(
    Type.Object({ job: integer(), status: integer("as of a request for it alone"), error: text() }),
    "of the first that were refused",
  ),
  submitted: listOf(
    Type.Object({ first: integer(), last: integer() }),
    "the numbers of the jobs that were submitted again",
  ),
});

const efficiency = (what: string) =>
  Type.Object(
    {
      part: nullable(number("of 1; null: it is known of none")),
      known: integer("runs that have ended of which it is known"),
    },
    { description: what },
  );

/** What jobs have used in a period. */
export const Usage = Type.Object({
  by: oneOf(usageKeys),
  since: time(),
  until: time(),
  countedSince: nullable(
    time("jobs that ended before this are in the files of past months and not counted; null: all are"),
  ),
  rows: listOf(
    Type.Object({
      name: text("of the user, project or pool; empty: no project"),
      jobs: integer("that ran in the period"),
      runs: integer("of them: a job may run several times"),
      runsEnded: integer("in the period"),
      coreHours: number("cores that they had, by the hours in the period"),
      gpuHours: number(),
      memoryGiBHours: number(),
      waitMeanSeconds: nullable(number("to the first start; null: none started first in the period")),
      waitMaxSeconds: nullable(number()),
      coresUsed: efficiency("processor time, of that of the cores that they had"),
      memoryUsed: efficiency("the most memory that they took, of what they had asked for"),
      timeUsed: efficiency("how long they ran, of their time limits"),
    }),
    "those with the most core-hours first",
  ),
});

/** An answer in JSON. */
export function json(schema: TSchema): Readonly<Record<string, TSchema>> {
  return { "application/json": schema };
}
