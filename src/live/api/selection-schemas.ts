import { Type, type Static } from "typebox";

import { LONGEST_TAG_KEY, LONGEST_TAG_VALUE, MOST_JOBS, MOST_TAGS } from "../limits.ts";
import { jobStates } from "../store/job-states.ts";
import { sortKeys } from "../store/sort-keys.ts";
import { oneOf } from "./schema-parts.ts";
import { Tags, exact, form, text } from "./input-parts.ts";
import { ChangeBody, MAX_LIST } from "./job-schemas.ts";

/** What comes in of jobs that are there: which are meant, and how much of them. */

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

export const ChangeListBody = Type.Object({ ...JobListBody.properties, change: ChangeBody }, exact);
export type ChangeListBody = Static<typeof ChangeListBody>;

export const JobParams = Type.Object({ job: jobName });
export type JobParams = Static<typeof JobParams>;

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
