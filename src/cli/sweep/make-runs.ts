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

/** A log that was read and goes with its policies. */
export interface CheckedLog {
  /** What its runs cannot see, in sentences. */
  readonly unseen: readonly string[];
  /** The jobs of its first seed, kept until used; null where no runs are left to make of them. */
  readonly first: { readonly batch: Batch; readonly loaded: Loaded } | null;
}

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
 * Reads a log at its first seed, whether runs of it are left to make or not: what they cannot see is the same whichever
 * call made them. The jobs are others for another seed, and of the same kind.
 *
 * @param cells all of the log
 * @throws InputError where a policy does not go with the log
 */
export async function checkLog(
  sweep: Sweep,
  source: Source,
  cells: readonly Cell[],
  batches: readonly Batch[],
): Promise<CheckedLog> {
  const whole = batchesOf(cells, source, () => false)[0]!;
  const loaded = await loadChecked(sweep, whole);
  const unseen = unseenOfLog(sweep, whole, loaded.workload, loaded.place);
  const left = batches.filter((batch) => batch.source === source);
  if (left.length > 0) for (const sentence of unseen) say(`${source.log.name}: ${sentence}`);
  const batch = left.find(({ seed }) => seed === whole.seed);
  return { unseen, first: batch === undefined ? null : { batch, loaded } };
}

/** Makes the runs, a batch after the other, and keeps each as soon as it has ended. */
export async function makeRuns(
  sweep: Sweep,
  batches: readonly Batch[],
  logs: readonly CheckedLog[],
  kept: KeptRuns<KeptRun>,
  { threads, quiet, done: before }: RunOptions,
): Promise<void> {
  const loaded = new Map(logs.flatMap(({ first }) => (first === null ? [] : [[first.batch, first.loaded]])));
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

/** @throws InputError where a policy does not go with the log, with the log's place in the file */
async function loadChecked(sweep: Sweep, { source, seed, cells }: Batch): Promise<Loaded> {
  const { workload, place } = await loadSource(sweep, source, seed ?? 1);
  atPlace(source.log.spec.at, () => {
    for (const { unit } of cells) checkPolicy(workload, place, unit.settings);
  });
  return { workload, place };
}
