import { availableParallelism } from "node:os";

import { shareWorkload, simulateAll, type SimulateAllOptions } from "../../../../simulation/index.ts";
import { farmGenerator, InputError, type Farm, type Workload } from "../../../../workload/index.ts";
import { halfOf, type Scenario } from "../rescheduling.ts";
import { chapterScenarios, type Chapter, type NamedVariant, type TriedChapter } from "./chapter.ts";
import { compare, type ComparedFigure } from "./compare.ts";
import { figuresOf, type ChapterFigure, type ChapterFigures } from "./figures.ts";
import { farmOfVariant, settingsOfVariant, workloadOfVariant } from "./place.ts";
import { taskFigures, tasksOf, type TaskFigures } from "./tasks.ts";

export interface ChaptersOptions extends Pick<SimulateAllOptions, "threads" | "signal"> {
  /** In the order of the result. */
  readonly chapters: readonly Chapter[];
  /** Of the first week, and of what strategies draw. */
  readonly seed?: number;
  readonly onProgress?: (done: number, of: number) => void;
}

export interface WeekChaptersOptions extends ChaptersOptions {
  /** Jobs of a week. */
  readonly jobs?: number;
  /** So many weeks, of seeds counting up. */
  readonly seeds?: number;
}

/** One line of a chapter: a variant under a load, compared with the baseline under the same load. */
interface ChapterRow {
  readonly scenario: Scenario;
  readonly variant: string;
  readonly isBaseline: boolean;
  /** By figure of the chapter, in its order. */
  readonly figures: Readonly<Partial<Record<ChapterFigure, ComparedFigure>>>;
}

export interface ChapterResult {
  readonly name: string;
  readonly question: string;
  readonly source: string;
  /** Why there are no rows; null: it was tried. */
  readonly notTried: string | null;
  readonly limits: string;
  readonly rows: readonly ChapterRow[];
}

export interface ChaptersResult {
  /** Of a week, or of the log. */
  readonly jobs: number;
  /** The number of weeks; 1 for a log. */
  readonly weeks: number;
  readonly chapters: readonly ChapterResult[];
}

/** What the chapters are run on. */
interface Place {
  readonly workload: Workload;
  readonly farm: Farm;
  readonly seed: number;
}

/**
 * What Zhang 2010 left for later, on synthetic weeks.
 *
 * @throws InputError where the number of jobs or the seed cannot be used
 */
export async function studyChapters(options: WeekChaptersOptions): Promise<ChaptersResult> {
  const generator = farmGenerator("netbatch-week");
  const { jobs = generator.defaultJobs, seed = 1, seeds = 1, chapters } = options;
  const farm = generator.farm(jobs);
  const weeks: RunFigures[] = [];
  for (let week = 0; week < seeds; week++) {
    const workload = generator.generate({ jobs, seed: seed + week });
    weeks.push(await runAll(chapters, { workload, farm, seed: seed + week }, options, week, seeds));
  }
  return { jobs, weeks: seeds, chapters: chapters.map((chapter) => resultOf(chapter, weeks)) };
}

/**
 * The same on a log and its farm.
 *
 * @throws InputError where the farm has one pool
 */
export async function studyChaptersOf(
  workload: Workload,
  farm: Farm,
  { seed = 1, ...options }: ChaptersOptions,
): Promise<ChaptersResult> {
  if (farm.pools.length < 2)
    throw new InputError(`farm ${farm.name} has one pool: to study rescheduling it needs several`);
  const chapters = options.chapters.map((chapter): Chapter => {
    if (!("baseline" in chapter) || chapter.onlyWeeks === undefined) return chapter;
    const { name, question, source, onlyWeeks } = chapter;
    return { name, question, source, notTried: onlyWeeks };
  });
  const run = await runAll(chapters, { workload, farm, seed }, options, 0, 1);
  return { jobs: workload.count, weeks: 1, chapters: chapters.map((chapter) => resultOf(chapter, [run])) };
}

/** The figures of each different run of a week, by `keyOf`. */
type RunFigures = ReadonlyMap<string, ChapterFigures>;

/** Runs that are the same have the same key, whatever they are called. */
function keyOf(scenario: Scenario, variant: NamedVariant): string {
  const { strategy, routing } = settingsOfVariant(variant, 0);
  return JSON.stringify([strategy, routing, placeKeyOf({ scenario, variant })]);
}

/** The key without what is a setting of the run: the same for runs on one farm with the same jobs. */
function placeKeyOf({ scenario, variant }: { scenario: Scenario; variant: NamedVariant }): string {
  const { name: _name, strategy: _strategy, routing: _routing, ...place } = variant;
  return JSON.stringify([scenario, place]);
}

/** Makes every run that the chapters need, once. Those on one farm with the same jobs share a thread. */
async function runAll(
  chapters: readonly Chapter[],
  { workload, farm, seed }: Place,
  { threads = availableParallelism(), signal, onProgress }: ChaptersOptions,
  week: number,
  weeks: number,
): Promise<RunFigures> {
  const runs = new Map(
    chapters.filter(isTried).flatMap(({ baseline, variants }) =>
      [baseline, ...variants].flatMap((variant) =>
        chapterScenarios.map((scenario) => {
          const key = keyOf(scenario, variant);
          return [key, { key, scenario, variant }] as const;
        }),
      ),
    ),
  );
  const shared = shareWorkload(workload);
  const tasks = tasksOf(workload);
  const half = halfOf(farm);
  const found = new Map<string, ChapterFigures>();
  const waiting = [...Map.groupBy(runs.values(), placeKeyOf).values()];
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const { scenario, variant } = group[0]!;
      const place = scenario === "high-load" ? half : farm;
      const ofTasks: TaskFigures[] = [];
      const results = await simulateAll(
        workloadOfVariant(shared, place, variant),
        farmOfVariant(place, variant),
        group.map((each) => settingsOfVariant(each.variant, seed)),
        {
          threads: 1,
          ...(signal === undefined ? {} : { signal }),
          onSchedule: (schedule) => {
            ofTasks.push(taskFigures(tasks, schedule, workload.runtimeSeconds));
          },
        },
      );
      results.forEach((result, i) => found.set(group[i]!.key, figuresOf(result, ofTasks[i]!)));
      onProgress?.(week * runs.size + found.size, weeks * runs.size);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(threads, waiting.length) }, work));
  } finally {
    // Where a run failed the others are not begun.
    waiting.length = 0;
  }
  return found;
}

function isTried(chapter: Chapter): chapter is TriedChapter {
  return "baseline" in chapter;
}

function resultOf(chapter: Chapter, weeks: readonly RunFigures[]): ChapterResult {
  const { name, question, source } = chapter;
  if (!isTried(chapter)) return { name, question, source, notTried: chapter.notTried, limits: "", rows: [] };
  const { baseline, variants, figures, limits } = chapter;
  const rows = chapterScenarios.flatMap((scenario) =>
    [baseline, ...variants].map((variant): ChapterRow => {
      const valuesOf = (each: NamedVariant, figure: ChapterFigure): (number | null)[] =>
        weeks.map((runs) => runs.get(keyOf(scenario, each))![figure]);
      return {
        scenario,
        variant: variant.name,
        isBaseline: variant === baseline,
        figures: Object.fromEntries(
          figures.map((figure) => [figure, compare(valuesOf(variant, figure), valuesOf(baseline, figure))]),
        ),
      };
    }),
  );
  return { name, question, source, notTried: null, limits, rows };
}
