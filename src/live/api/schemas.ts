import { Type, type Static } from "typebox";

import {
  LONGEST_COMMENT,
  LONGEST_TAG_KEY,
  LONGEST_TAG_VALUE,
  MOST_AFTER,
  MOST_CHANNELS,
  MOST_JOBS,
  MOST_TAGS,
  PRIORITIES,
} from "../limits.ts";
import { jobStates } from "../store/job-states.ts";
import { usageKeys } from "../store/usage.ts";
import { sortKeys } from "../store/sort-keys.ts";
import { oneOf } from "./schema-parts.ts";
import { warningSignals } from "../engines/engine.ts";
import { roles } from "../identity.ts";
import { notifyMoments, retryCauses } from "../store/job-request.ts";

/** What comes in over the network: each field in its range, and no other field. */

const most32 = 2 ** 31 - 1;
const exact = { additionalProperties: false };

export const MAX_LIST = MOST_JOBS;
/** Of an `Idempotency-Key`. */
export const MAX_KEY_LENGTH = 200;
/** A pattern, and its form in words for those who miss it. */
const form = (pattern: string, words: string) => ({ pattern, "x-form": words });
/**
 * No NUL: a C string ends there. Half a surrogate pair and the replacement character stand for what was no text in UTF-8:
 * the job would get something else than what was meant.
 */
const noNul = form(
  "^[^\\u0000\\uFFFD\\uD800-\\uDFFF]*$",
  "text in UTF-8, without NUL and without \u{FFFD}, which stands for bytes that are no text",
);
const text = (most: number, what: string) => Type.String({ ...noNul, maxLength: most, description: what });
/** The shortest time that is told apart from none. */
const LEAST_SECONDS = 0.001;
const path = (what: string) =>
  Type.String({
    ...form(
      "^/[^\\u0000\\uFFFD\\uD800-\\uDFFF]*$",
      "a path that begins with /, in UTF-8, without NUL and without \u{FFFD}, which stands for bytes that are no text",
    ),
    maxLength: 4096,
    description: what,
  });

const instant = (what: string) =>
  Type.String({
    ...form(
      String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$`,
      "a time such as 2026-10-01T22:00:00Z",
    ),
    description: what,
  });

/** With `propertyNames`: what makes the OpenAPI document drops the pattern of `patternProperties`. */
export const Environment = Type.Unsafe<Record<string, string>>({
  type: "object",
  propertyNames: {
    type: "string",
    ...form(
      "^[^=\\u0000\\uFFFD\\uD800-\\uDFFF]{1,1024}$",
      "the name of a variable: 1 to 1024 characters in UTF-8, without =, NUL and \u{FFFD}, which stands for bytes that are no text",
    ),
  },
  additionalProperties: Type.String({ ...noNul, maxLength: 131_071 }),
  maxProperties: 10_000,
  description: "the job's variables; CROFT_SIMULATED_… tell a simulated machine what to pretend",
});

const tagKey = form(
  `^[A-Za-z0-9_][A-Za-z0-9_.-]{0,${LONGEST_TAG_KEY - 1}}$`,
  `a tag's name: 1 to ${LONGEST_TAG_KEY} letters, digits and _ . -`,
);

/** Lines of a column: see `tagsText`. */
const Tags = Type.Unsafe<Record<string, string>>({
  type: "object",
  propertyNames: { type: "string", ...tagKey },
  additionalProperties: Type.String({
    ...form(
      "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\uFFFD\\uD800-\\uDFFF]*$",
      "text in one line, without control characters",
    ),
    maxLength: LONGEST_TAG_VALUE,
  }),
  maxProperties: MOST_TAGS,
  description: "by which jobs can be found again",
});

const after = Type.Object(
  {
    job: Type.Integer({ minimum: 1, description: "the number of a job" }),
    condition: Type.Optional(
      oneOf(["ok", "failed", "any"], "on what end of it this one starts: ok unless given"),
    ),
    of: Type.Optional(
      oneOf(
        ["job", "array", "index"],
        "what is waited for: that job (unless given), all jobs of the array of which it is one, or the one of that array that has the same index",
      ),
    ),
  },
  exact,
);

const notify = Type.Object(
  {
    channel: text(100, "the name of one of the farm's channels"),
    on: Type.Optional(
      Type.Array(oneOf([...notifyMoments]), {
        minItems: 1,
        maxItems: notifyMoments.length,
        description:
          "when: at each start, when it is over, when it has failed, was lost or rejected; end unless given",
      }),
    ),
  },
  exact,
);

export const JobBody = Type.Object(
  {
    command: Type.Array(Type.String({ ...noNul, maxLength: 131_071 }), {
      minItems: 1,
      maxItems: 100_000,
      description: "the program and its arguments; no shell reads them",
    }),
    directory: Type.Optional(path("the working directory (/)")),
    name: Type.Optional(text(200, "display name: the program's name unless given")),
    cores: Type.Optional(Type.Number({ minimum: 0.001, maximum: most32 / 1000, description: "(1)" })),
    memoryMiB: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: most32,
        description: "(0: none is counted, and there is no limit)",
      }),
    ),
    gpus: Type.Optional(Type.Number({ minimum: 0, maximum: most32 / 1000, description: "(0)" })),
    gpuKind: Type.Optional(
      Type.String({
        ...form("^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$", "the name of a kind of GPU, such as a100"),
        description: "what its GPUs must be: machines with the attribute gpuKind; any unless given",
      }),
    ),
    timeSeconds: Type.Optional(
      Type.Union([Type.Number({ minimum: LEAST_SECONDS, maximum: 1e9 }), Type.Null()], {
        description: "how long it may run; null: as long as it takes",
      }),
    ),
    signal: Type.Optional(
      Type.Object(
        {
          name: oneOf([...warningSignals]),
          secondsBefore: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
        },
        { ...exact, description: "which signal its command gets, and how long before its time is over" },
      ),
    ),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: PRIORITIES - 1, description: "(50)" })),
    pool: Type.Optional(text(100, "a pool, or a virtual pool; the first virtual pool unless given")),
    requires: Type.Optional(text(10_000, "an expression over machines' attributes")),
    licences: Type.Optional(
      text(10_000, "the licences of its pool that it holds while it runs: matlab=2; vcs"),
    ),
    project: Type.Optional(text(1000, "whose share it counts against")),
    group: Type.Optional(text(100, "the group whose machines it comes first on")),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description: "how often it runs again after it failed or was lost (0)",
      }),
    ),
    retryOn: Type.Optional(
      Type.Array(oneOf([...retryCauses]), {
        minItems: 1,
        maxItems: retryCauses.length,
        description: "for which causes it runs again; for all unless given",
      }),
    ),
    retryDelaySeconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1e9, description: "how long it waits before it runs again (0)" }),
    ),
    notify: Type.Optional(
      Type.Array(notify, {
        maxItems: MOST_CHANNELS,
        description: "the farm's channels that are told of it",
      }),
    ),
    hold: Type.Optional(Type.Boolean({ description: "whether it waits to be released" })),
    beginAt: Type.Optional(instant("before when it does not start")),
    deadlineAt: Type.Optional(
      instant(
        "by when it has to be over, if it runs for timeSeconds: it is cancelled when it cannot start in time any more",
      ),
    ),
    after: Type.Optional(
      Type.Array(after, { maxItems: MOST_AFTER, description: "jobs whose end it waits for" }),
    ),
    output: Type.Optional(
      path(
        "where its output goes; kept by the farm unless given. %j is its number, %A its array's, %a its index there, %t the attempt, %u the user, %x the name, %% a percent sign",
      ),
    ),
    errorOutput: Type.Optional(path("where its error output goes; with its output unless given")),
    input: Type.Optional(path("the file that is its standard input; it is empty unless given")),
    makeFolders: Type.Optional(Type.Boolean({ description: "whether the folders of these files are made" })),
    umask: Type.Optional(
      Type.String({
        ...form("^0?[0-7]{3}$", "three octal digits, such as 027"),
        description: "with which it makes files; the service's own unless given",
      }),
    ),
    comment: Type.Optional(
      Type.String({ ...noNul, maxLength: LONGEST_COMMENT, description: "a note for people" }),
    ),
    tags: Type.Optional(Tags),
  },
  exact,
);
export type JobBody = Static<typeof JobBody>;

const index = (what: string) => Type.Integer({ minimum: 0, maximum: most32, description: what });

const ArrayIndexes = Type.Object(
  {
    from: Type.Optional(index("the first index")),
    to: Type.Optional(index("the last index, with from")),
    step: Type.Optional(
      Type.Integer({ minimum: 1, maximum: most32, description: "from one index to the next (1)" }),
    ),
    indexes: Type.Optional(
      Type.Array(index("an index"), {
        minItems: 1,
        maxItems: MAX_LIST,
        description: "all indexes, in the place of from, to and step",
      }),
    ),
    most: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIST, description: "how many of them may run at once (all)" }),
    ),
  },
  { ...exact, description: "one job for each index; CROFT_JOB_INDEX tells a job its own" },
);
export type ArrayIndexes = Static<typeof ArrayIndexes>;

export const SubmitBody = Type.Object(
  {
    ...JobBody.properties,
    environment: Type.Optional(Environment),
    array: Type.Optional(ArrayIndexes),
  },
  exact,
);
export type SubmitBody = Static<typeof SubmitBody>;

/** What makes no difference to when a job starts. */
const notForecast = [
  "directory",
  "output",
  "errorOutput",
  "umask",
  "makeFolders",
  "input",
  "comment",
  "tags",
  "notify",
] as const satisfies (keyof typeof JobBody.properties)[];
export const ForecastBody = Type.Object(
  {
    ...Type.Omit(JobBody, notForecast).properties,
    command: Type.Optional(JobBody.properties.command),
  },
  exact,
);
export type ForecastBody = Static<typeof ForecastBody>;

export const SubmitListBody = Type.Object(
  {
    jobs: Type.Array(JobBody, { minItems: 1, maxItems: MAX_LIST }),
    environment: Type.Optional(Environment),
  },
  exact,
);
export type SubmitListBody = Static<typeof SubmitListBody>;

export const ChangeBody = Type.Object(
  {
    priority: JobBody.properties.priority,
    timeSeconds: JobBody.properties.timeSeconds,
    cores: JobBody.properties.cores,
    memoryMiB: JobBody.properties.memoryMiB,
    gpus: JobBody.properties.gpus,
    pool: JobBody.properties.pool,
    beginAt: Type.Optional(
      Type.Union([instant("before when it does not start"), Type.Null()], {
        description: "before when it does not start; null: it may start at any time",
      }),
    ),
    deadlineAt: Type.Optional(
      Type.Union([instant("by when it has to be over"), Type.Null()], {
        description: "by when it has to be over, if it runs for timeSeconds; null: it has no deadline",
      }),
    ),
  },
  { ...exact, minProperties: 1 },
);
export type ChangeBody = Static<typeof ChangeBody>;

export const DrainBody = Type.Object(
  { reason: Type.String({ ...noNul, minLength: 1, maxLength: 1000 }) },
  exact,
);
export type DrainBody = Static<typeof DrainBody>;

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

export const TokenBody = Type.Object(
  {
    user: Type.String({
      ...form(
        "^[A-Za-z_][A-Za-z0-9_.@-]{0,99}$",
        "a name: a letter or _, then letters, digits and _ . @ -, at most 100 characters",
      ),
      description: "whose it is; where the farm runs as root, whom jobs run as",
    }),
    role: oneOf(roles),
    comment: Type.Optional(text(200, "what it is for")),
    expiresSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: "for how long it is valid; for ever unless given",
      }),
    ),
  },
  exact,
);
export type TokenBody = Static<typeof TokenBody>;

export const TokenParams = Type.Object({
  token: Type.String(form("^[1-9][0-9]{0,9}$", "the number of a token")),
});
export type TokenParams = Static<typeof TokenParams>;

const jobName = Type.String({
  ...form(
    "^([1-9][0-9]{0,14}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
    "the number of a job, or its UUID",
  ),
  description: "its number, or its UUID",
});

export const JobListBody = Type.Object(
  { jobs: Type.Array(jobName, { minItems: 1, maxItems: MAX_LIST, description: "as texts" }) },
  exact,
);
export type JobListBody = Static<typeof JobListBody>;

export const JobParams = Type.Object({ job: jobName });
export type JobParams = Static<typeof JobParams>;

export const MachineParams = Type.Object({
  pool: Type.String({ maxLength: 100 }),
  machine: Type.String({ maxLength: 300 }),
});
export type MachineParams = Static<typeof MachineParams>;

/** By which jobs are chosen, in an address and in a body. */
const chosenBy = {
  user: Type.Optional(text(100, "only this user's")),
  pool: Type.Optional(text(100, "only in this pool")),
  name: Type.Optional(text(200, "only of this name; * stands for any characters, ? for one")),
  project: Type.Optional(text(1000, "only of this project")),
  array: Type.Optional(
    Type.Integer({ minimum: 1, description: "only of the array of which this job is one" }),
  ),
};

export const JobsQuery = Type.Object(
  {
    ...chosenBy,
    state: Type.Optional(text(200, "only in these states, with commas between them")),
    tag: Type.Optional(
      Type.Array(
        Type.String({
          ...form("^[A-Za-z0-9_][A-Za-z0-9_.-]*=.*$", "a tag, such as experiment=e17"),
          maxLength: LONGEST_TAG_KEY + 1 + LONGEST_TAG_VALUE,
        }),
        { maxItems: MOST_TAGS, description: "only with this tag: experiment=e17; several may be given" },
      ),
    ),
    above: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "only jobs after this one in the order, and of them the first; by number, unless there is another order",
      }),
    ),
    sort: Type.Optional(
      oneOf(
        sortKeys.flatMap((key) => [key, `-${key}`] as const),
        "from the first in this order on; with - from the last. What has no such time comes last",
      ),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_JOBS,
        description: "the last so many (1000), and no more than are described by 64 MiB",
      }),
    ),
  },
  exact,
);
export type JobsQuery = Static<typeof JobsQuery>;

export const SelectionBody = Type.Object(
  {
    ...chosenBy,
    states: Type.Optional(
      Type.Array(oneOf(jobStates), {
        minItems: 1,
        maxItems: jobStates.length,
        description: "only in these states; unless given, in those in which it can be done",
      }),
    ),
    tags: Type.Optional(Tags),
    countOnly: Type.Optional(Type.Boolean({ description: "only counts them, and does nothing (false)" })),
  },
  exact,
);
export type SelectionBody = Static<typeof SelectionBody>;

export const ChangeSelectionBody = Type.Object({ ...SelectionBody.properties, change: ChangeBody }, exact);
export type ChangeSelectionBody = Static<typeof ChangeSelectionBody>;

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

export const WaitQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 60,
        description: "seconds to wait for its end before it is answered",
      }),
    ),
  },
  exact,
);
export type WaitQuery = Static<typeof WaitQuery>;

export const OutputQuery = Type.Object(
  {
    stream: Type.Optional(oneOf(["stdout", "stderr"])),
    from: Type.Optional(Type.Integer({ minimum: 0, description: "the first byte" })),
    attempt: Type.Optional(Type.Integer({ minimum: 1, description: "the last unless given" })),
  },
  exact,
);
export type OutputQuery = Static<typeof OutputQuery>;

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
