import { formatCount } from "../../report/index.ts";
import { checkPolicy, simulateAll } from "../../simulation/index.ts";
import type { KeptRuns } from "../kept-runs.ts";
import { say, StatusLine } from "../terminal.ts";
import { keptText, type KeptRun } from "./kept-run.ts";
import { loadSource, type Source } from "./load-log.ts";
import { atPlace, type Sweep } from "./read-sweep.ts";
import type { Cell } from "./units.ts";
import { unseenOfLog } from "./unseen.ts";

/** What is left to do of one log at one seed: all runs over the same jobs. */
export interface Batch {
  readonly source: Source;
  readonly seed: number | null;
  /** One cell for each unit. */
  readonly cells: readonly Cell[];
}

type Loaded = Awaited<ReturnType<typeof loadSource>>;

interface RunOptions {
  readonly threads?: number;
  readonly quiet: boolean;
  /** Units that were there already. */
  readonly done: number;
}

/** What is left to do, without the units that are kept, and each unit once. */
export function batchesOf(
  cells: readonly Cell[],
  source: Source,
  isKept: (hash: string) => boolean,
): Batch[] {
  const bySeed = new Map<number | null, Map<string, Cell>>();
  for (const cell of cells) {
    if (isKept(cell.unit.hash)) continue;
    const ofSeed = bySeed.get(cell.seed) ?? new Map<string, Cell>();
    bySeed.set(cell.seed, ofSeed);
    if (!ofSeed.has(cell.unit.hash)) ofSeed.set(cell.unit.hash, cell);
  }
  return [...bySeed].map(([seed, units]) => ({ source, seed, cells: [...units.values()] }));
}

/**
 * Makes the runs, a batch after the other, and keeps each as soon as it has ended.
 *
 * @throws InputError before the first run where a policy does not go with a log
 */
export async function makeRuns(
  sweep: Sweep,
  batches: readonly Batch[],
  kept: KeptRuns<KeptRun>,
  { threads, quiet, done: before }: RunOptions,
): Promise<void> {
  // Checked first: otherwise a policy might be refused after all runs of the logs before it. The jobs are kept until used.
  const loaded = new Map<Batch, Loaded>();
  for (const batch of firstOfEach(batches)) loaded.set(batch, await loadFirst(sweep, batch));
  const total = before + batches.reduce((sum, { cells }) => sum + cells.length, 0);
  const line = new StatusLine(quiet);
  let done = before;
  try {
    for (const batch of batches) {
      const { source, seed, cells } = batch;
      const { workload, place } = loaded.get(batch) ?? (await loadChecked(sweep, batch));
      loaded.delete(batch);
      await simulateAll(
        workload,
        place,
        cells.map(({ unit }) => unit.settings),
        {
          ...(threads === undefined ? {} : { threads }),
          ...(sweep.plugin === null ? {} : { plugin: sweep.plugin.file }),
          onResult: async (result, run) => {
            const cell = cells[run]!;
            await kept.take(cell.unit.hash, keptText(cell, result));
            done++;
          },
          onProgress: ({ jobsSubmitted, jobs }) =>
            line.show(
              `${formatCount(done)} of ${formatCount(total)} runs done; ${source.log.name}${seed === null ? "" : `, seed ${seed}`}: ${formatCount(jobsSubmitted)} of ${formatCount(jobs)} jobs`,
            ),
        },
      );
    }
  } finally {
    line.clear();
  }
}

/**
 * Checks what can be without a run.
 *
 * @throws InputError where a policy does not go with a log
 */
export async function checkBatches(sweep: Sweep, batches: readonly Batch[]): Promise<void> {
  for (const batch of firstOfEach(batches)) await loadFirst(sweep, batch);
}

/** The first batch of each log: its jobs are others for another seed, and of the same kind. */
function firstOfEach(batches: readonly Batch[]): Batch[] {
  return batches.filter((batch) => batches.find(({ source }) => source === batch.source) === batch);
}

/** Loads the first batch of a log, and says once what its runs cannot see. */
async function loadFirst(sweep: Sweep, batch: Batch): Promise<Loaded> {
  const loaded = await loadChecked(sweep, batch);
  for (const sentence of unseenOfLog(sweep, batch, loaded.workload, loaded.place))
    say(`${batch.source.log.name}: ${sentence}`);
  return loaded;
}

/** @throws InputError where a policy does not go with the log, with the log's place in the file */
async function loadChecked(sweep: Sweep, { source, seed, cells }: Batch): Promise<Loaded> {
  const { workload, place } = await loadSource(sweep, source, seed ?? 1);
  atPlace(source.log.spec.at, () => {
    for (const { unit } of cells) checkPolicy(workload, place, unit.settings);
  });
  return { workload, place };
}
