import { Type } from "typebox";

import { jobStates } from "../store/job-states.ts";
import { integer, nullable, number, oneOf, text, time } from "./schema-parts.ts";

/** The answer to when a job starts: `JobForecast`. */

const between = (part: number) =>
  Type.Object(
    { from: nullable(time("null: beyond what is foreseen")), to: nullable(time()) },
    { description: `between when it starts with a likelihood of ${part} %` },
  );

export const StartForecastAnswer = Type.Object({
  madeAt: time(),
  pool: nullable(
    text("that it waits in, or would go to if it were submitted now; null: it waits at its virtual pool"),
  ),
  futures: integer("of how many possible futures it is made; 0: of none, where it never starts"),
  isRough: Type.Boolean({
    description: "whether it is not to be relied on: it is cut short, or fewer than 30 such jobs have ended",
  }),
  isCutShort: Type.Boolean({
    description: "whether most of the futures ended before it starts, since so much waits",
  }),
  pastJobs: integer(
    "how many jobs have ended that run times are learnt from: with a limit or without, whichever is known less",
  ),
  never: nullable(text("why it does not start as long as the farm is as it is; null: it will start")),
  startsAt: nullable(time("as likely before as after; null: beyond what is foreseen")),
  isNow: Type.Boolean({ description: "whether its place is free and it starts at once" }),
  within50: between(50),
  within80: between(80),
  within95: between(95),
  jobsAhead: integer("that come before it in its queue; 0 while it is held, since it is in none"),
  coreHoursAhead: number("which those are expected to take"),
  cores: number("that it waits for"),
  memoryMiB: integer(),
  gpus: number(),
  licences: text("which it asks for, as matlab=1,vcs=2; empty: none"),
  limits: Type.Array(text(), {
    description: "limits that it would be above if it started now, in words; it waits until there are none",
  }),
  assumed: text(
    "what is taken for granted of the jobs that it waits for (`--after`): how they end, and that none of them is tried again; empty: nothing is",
  ),
});

export const JobForecastAnswer = Type.Object({
  job: nullable(integer("its number; null: it is not submitted")),
  state: nullable(oneOf(jobStates, "null: it is not submitted")),
  reason: text("why it is in this state; empty where there is nothing to say"),
  startedAt: nullable(time("null: it has not started")),
  lastStartAt: nullable(
    time(
      "by when it has to have started, or it is cancelled for its deadline; null: it has none, or has started",
    ),
  ),
  /** Null: it does not wait to be started, or waits for what cannot be forecast. */
  forecast: nullable(StartForecastAnswer),
});
