import type { Workload } from "../../workload/index.ts";
import { boundedSlowdown } from "../../simulation/figures/job-figures.ts";
import type { FractionalFigures } from "../../simulation/result.ts";
import { endOf, type Schedule } from "../../simulation/schedule.ts";
import type { NodeNeeds } from "./synthetic-needs.ts";
import { stretchBound } from "./stretch-bound.ts";

/** The bounded slowdown, by its name in this field; of all jobs that ran, as their bound is. */
export function stretchFigures(
  { runtimeSeconds, count }: Workload,
  schedule: Schedule,
  needs: NodeNeeds,
  nodes: number,
): Pick<FractionalFigures, "stretchMean" | "stretchMax" | "stretchBound"> {
  let sum = 0;
  let ran = 0;
  let most = 1;
  for (let row = 0; row < count; row++) {
    const flow = endOf(schedule, runtimeSeconds, row) - schedule.submitSeconds[row];
    if (Number.isNaN(flow)) continue;
    const stretch = boundedSlowdown(flow, runtimeSeconds[row]);
    sum += stretch;
    ran++;
    if (stretch > most) most = stretch;
  }
  return {
    stretchMean: ran === 0 ? 0 : sum / ran,
    stretchMax: most,
    stretchBound: stretchBound(schedule, runtimeSeconds, needs, nodes),
  };
}
