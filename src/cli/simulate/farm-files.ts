import { join } from "node:path";

import {
  chosenFrames,
  farmSvg,
  framesNear,
  renderFarmPage,
  slotStates,
  tabulate,
} from "../../report/index.ts";
import type { RunResult } from "../../simulation/index.ts";
import { makeFolder, writeFileAtomically } from "../../workload/index.ts";

/**
 * Writes the pictures of the farm: `farm.html`, with a slider over time, and a
 * folder `frames` of SVG files. Returns the page's path, or null where there are none.
 *
 * @param times seconds from the beginning at which pictures are wanted; undefined: a few
 */
export async function writeFarmFiles(
  folder: string,
  runs: readonly RunResult[],
  times: readonly number[] | undefined,
  title: string,
  synthetic: boolean,
): Promise<string | null> {
  const page = renderFarmPage(runs, title, synthetic);
  if (page === null) return null;
  const path = join(folder, "farm.html");
  await writeFileAtomically(path, [page]);
  const frames = join(folder, "frames");
  makeFolder(frames);
  const isOneLoad = tabulate(runs).loads.length === 1;
  for (const load of tabulate(runs).loads) {
    for (const { run, policy } of load.runs) {
      const farm = run.farmFrames;
      if (farm === undefined) continue;
      const states = slotStates(run);
      const name = isOneLoad ? policy : `${policy} beta ${run.beta}`;
      for (const frame of times === undefined ? chosenFrames(farm) : framesNear(farm, times)) {
        const file = `${fileName(name)}-${String(Math.round(frame.timeSeconds)).padStart(8, "0")}s.svg`;
        const heading = `${name}${synthetic ? " (synthetic workload)" : ""}`;
        await writeFileAtomically(join(frames, file), [farmSvg(farm, frame, states, heading)]);
      }
    }
  }
  return path;
}

function fileName(name: string): string {
  return name.replace(/[^\w.]+/g, "-");
}
