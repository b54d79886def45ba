import { Type, type Static } from "typebox";

import { LONGEST_COMMENT, MOST_AFTER, MOST_CHANNELS, MOST_JOBS, PRIORITIES } from "../limits.ts";
import { oneOf } from "./schema-parts.ts";
import { notifyMoments, retryCauses } from "../store/job-request.ts";
import { Tags, exact, form, instant, most32, noNul, path, text } from "./input-parts.ts";
import { warningSignals } from "../engines/engine.ts";

/** What comes in of jobs: to submit, to forecast, to change. */

export const MAX_LIST = MOST_JOBS;

/** Of an `Idempotency-Key`. */
export const MAX_KEY_LENGTH = 200;

/** The shortest time that is told apart from none. */
const LEAST_SECONDS = 0.001;

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

const gpuKind = Type.String(
  form("^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$", "the name of a kind of GPU, such as a100"),
);

const softLimit = (what: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1 }), Type.Null()], { description: what }),
  );

const SoftLimits = Type.Object(
  {
    coreBytes: softLimit("of a core file"),
    cpuSeconds: softLimit("of processor time, of each process"),
    dataBytes: softLimit("of a process's data"),
    fileBytes: softLimit("of a file that it writes"),
    openFiles: softLimit("open at once, of each process"),
    stackBytes: softLimit("of a stack"),
    addressBytes: softLimit("of a process's address space"),
  },
  { ...exact, description: "with which it runs (ulimit -S); null: none; the service's own unless given" },
);

/** Linux takes no longer one. */
const LONGEST_WORD = 131_071;

const program = Type.String({
  ...form(
    "^[^\\u0000\\uFFFD\\uD800-\\uDFFF]+$",
    "the program to run: text in UTF-8 that is not empty, without NUL and without \u{FFFD}, which stands for bytes that are no text",
  ),
  maxLength: LONGEST_WORD,
});

export const JobBody = Type.Object(
  {
    command: Type.Array(Type.String({ ...noNul, maxLength: LONGEST_WORD }), {
      prefixItems: [program],
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
        ...gpuKind,
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
      text(10_000, "the licences of its pool that it holds while it runs, as a text: matlab=2,vcs"),
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
    softLimits: Type.Optional(SoftLimits),
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
  "softLimits",
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
    gpuKind: Type.Optional(
      Type.Union([gpuKind, Type.Null()], {
        description: "what its GPUs must be; null: of any kind. With gpus 0 it is taken away too",
      }),
    ),
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
