import { Type } from "typebox";

import { listOf, nullable, number, numbers, text, integer, oneOf } from "./schema-parts.ts";

/** What is answered about what was tried on a copy of the farm: the shapes of `Fits` and `ReloadTrial`. */

export const FitsAnswer = Type.Object({
  never: nullable(
    text(
      "why none starts as the farm is: no machine could hold one, or all that could are closed; null: some may start",
    ),
  ),
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

export const ReloadTrialAnswer = Type.Union([
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
    stranded: listOf(
      Type.Object({ job: integer(), user: text(), pool: text(), machines: listOf(text()) }),
      "suspended jobs that could never go on: their machines would be too small for them",
    ),
    startNow: numbers("of jobs that would start at once, and would not without"),
    later: otherStarts("jobs that are expected to start later, the most changed first"),
    sooner: otherStarts("jobs that are expected to start sooner"),
    isCutShort: Type.Boolean({ description: "whether the look ahead ended before its time" }),
  }),
]);
