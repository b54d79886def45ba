import { existsSync } from "node:fs";
import { resolve } from "node:path";

import type { KeptRuns } from "../kept-runs.ts";
import type { FarmAsked } from "../on-farm/flags.ts";
import { makeRunsOnFarm } from "../on-farm/make-runs.ts";
import { filesOfFarm } from "../on-farm/send-files.ts";
import type { KeptRun } from "./kept-run.ts";
import type { Batch } from "./make-runs.ts";
import type { Sweep, SweepLog } from "./read-sweep.ts";
import { seenFrom } from "./seen-from.ts";

/** What `croft sweep-unit` finds a sweep's units in: its file as it was then, and from where its paths are seen. */
export interface SweepWork {
  readonly name: string;
  readonly folder: string;
  readonly text: string;
}

interface OnFarmOptions extends FarmAsked {
  readonly work: SweepWork;
  readonly out: string;
  readonly most?: number;
  readonly quiet: boolean;
  readonly done: number;
  readonly lookSeconds?: number;
}

/**
 * Makes the runs of a sweep on a farm: see `makeRunsOnFarm`.
 *
 * @throws InputError before anything is sent where a file cannot be sent
 */
export async function makeSweepOnFarm(
  sweep: Sweep,
  batches: readonly Batch[],
  kept: KeptRuns<KeptRun>,
  options: OnFarmOptions,
): Promise<void> {
  const paths: Record<string, readonly string[]> = {};
  if (options.sends !== null)
    for (const { source } of batches) paths[source.log.name] ??= await filesOf(sweep, source.log);
  const units = batches.flatMap(({ cells }) =>
    cells.map(({ log, policy, unit }) => ({ hash: unit.hash, log, name: `${policy} on ${log}` })),
  );
  await makeRunsOnFarm(units, kept, {
    ...options,
    kind: "sweep",
    paths: options.sends === null ? null : paths,
  });
}

/** The whole paths of what a log's runs read. */
async function filesOf({ folder }: Sweep, { spec }: SweepLog): Promise<string[]> {
  const { machines, farm } = spec;
  const whole = (path: string): string => resolve(seenFrom(folder, path));
  return [
    ...("generate" in spec ? [] : [whole(spec.file.value)]),
    ...(machines !== null && existsSync(whole(machines.value)) ? [whole(machines.value)] : []),
    ...(farm === null ? [] : await filesOfFarm(whole(farm.value), (problem) => farm.at.refuse(problem))),
  ];
}
