import { Type, type TSchema } from "typebox";

import { ExplanationAnswer, ReasonsAnswer } from "./explanation-answer.ts";
import { JobForecastAnswer, StartForecastAnswer } from "./forecast-answer.ts";
import { AttemptAnswer, DoingAnswer, JobAnswer, jobState } from "./job-answer.ts";
import { MachineAnswer, PauseAnswer, PoolAnswer, ReservationAnswer, SharesAnswer } from "./pool-answer.ts";
import { listOf, nullable, number, text, time, integer, oneOf } from "./schema-parts.ts";
import { FitsAnswer, ReloadTrialAnswer } from "./trial-answer.ts";
import { roles } from "../identity.ts";

/**
 * What is answered, for the OpenAPI document. Answers are not made by these schemas, so that a field that is missing
 * here is sent nevertheless; `document.test.ts` holds real answers against them.
 */

const role = oneOf(roles);
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

const submittedJob = {
  id: JobAnswer.properties.id,
  number: JobAnswer.properties.number,
  state: jobState,
  reason: text(),
};

/** Each answer that has a name, by that name: `components.schemas` of the document. */
export const answerSchemas = {
  Job: JobAnswer,
  ListedJob: Type.Object({ ...JobAnswer.properties, forecast: keptForecast }),
  JobInFull: Type.Object({
    ...JobAnswer.properties,
    attempts: listOf(AttemptAnswer),
    forecast: keptForecast,
    doing: nullable(DoingAnswer),
  }),
  JobForecast: JobForecastAnswer,
  SubmittedJob: Type.Object(submittedJob),
  Fits: FitsAnswer,
  ReloadTrial: ReloadTrialAnswer,
  Event,
  Explanation: ExplanationAnswer,
  Reasons: ReasonsAnswer,
  Pool: PoolAnswer,
  Shares: SharesAnswer,
  Machine: MachineAnswer,
  Reservation: ReservationAnswer,
  Farm: Type.Object({
    name: text(),
    version: text("of Croft"),
    jobs: integer("that are not over"),
    pools: listOf(text()),
    paused: PauseAnswer,
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

/** An answer in JSON. */
export function json(schema: TSchema): Readonly<Record<string, TSchema>> {
  return { "application/json": schema };
}
