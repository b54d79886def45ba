import { Type, type Static } from "typebox";

import { MOST_JOBS } from "../limits.ts";
import { JobBody } from "./job-schemas.ts";

/** What comes in of what is to be tried on a copy of the farm. */

const exact = { additionalProperties: false };
const MOST_FARM_CHARACTERS = 1_000_000;

const { cores, memoryMiB, gpus, gpuKind, timeSeconds, priority, pool, requires, licences, project, group } =
  JobBody.properties;
export const FitsBody = Type.Object(
  {
    cores,
    memoryMiB,
    gpus,
    gpuKind,
    timeSeconds,
    priority,
    pool,
    requires,
    licences,
    project,
    group,
    tasks: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: "tasks of a job, each of this size, which start together (1)",
      }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_JOBS, description: "how many are submitted (1000)" }),
    ),
  },
  exact,
);
export type FitsBody = Static<typeof FitsBody>;

export const TryReloadBody = Type.Object(
  {
    text: Type.String({
      maxLength: MOST_FARM_CHARACTERS,
      description: "of a farm's file, YAML or JSON, that names no lists of machines",
    }),
    name: Type.String({ maxLength: 200, description: "the file's, for messages" }),
  },
  exact,
);
export type TryReloadBody = Static<typeof TryReloadBody>;
