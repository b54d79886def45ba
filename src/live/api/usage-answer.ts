import { Type } from "typebox";

import { usageKeys } from "../store/usage.ts";
import { listOf, nullable, number, text, time, integer, oneOf } from "./schema-parts.ts";

const efficiency = (what: string) =>
  Type.Object(
    {
      part: nullable(number("of 1; null: it is known of none")),
      known: integer("runs that have ended of which it is known"),
    },
    { description: what },
  );

/** What jobs have used in a period. */
export const UsageAnswer = Type.Object({
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
