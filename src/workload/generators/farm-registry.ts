import { InputError } from "../errors.ts";
import type { Farm } from "../farm/farm.ts";
import type { Workload } from "../workload.ts";
import { generateWeeks, netbatchWeekFarm, type WeekOptions } from "./netbatch-week/generate.ts";
import { highSuspensionWeek, jobsPerWeek, normalWeek, year, type WeekModel } from "./netbatch-week/models.ts";

/** Makes a workload for a farm of many pools, and the farm. */
export interface FarmGenerator {
  readonly name: string;
  readonly summary: string;
  /** The number of jobs by default. */
  readonly defaultJobs: number;
  generate(options?: WeekOptions): Workload;
  /** The farm for this many jobs: with fewer it is smaller, and as busy. */
  farm(jobs?: number): Farm;
}

/** Every generator of a farm's workload, in the order in which the command line lists them. */
export const farmGenerators: readonly FarmGenerator[] = [
  weeks("netbatch-week", "like the busy week of Zhang 2010: bursts suspend 1 % of the jobs", normalWeek, 1),
  weeks(
    "netbatch-week-suspended",
    "a busier one with bursts in most pools: they suspend 10 % of the jobs",
    highSuspensionWeek,
    1,
  ),
  weeks("netbatch-year", "like the year of Zhang 2010, Figures 2 and 4", year, 50),
];

/** @throws InputError if there is none of that name */
export function farmGenerator(name: string): FarmGenerator {
  const generator = farmGenerators.find((each) => each.name === name);
  if (generator !== undefined) return generator;
  throw new InputError(`no generator "${name}": choose ${farmGenerators.map(({ name }) => name).join(", ")}`);
}

/** A generator of so many weeks by a model, which may be one of your own. */
export function weeks(name: string, summary: string, model: WeekModel, count: number): FarmGenerator {
  const defaultJobs = jobsPerWeek * count;
  return {
    name,
    summary,
    defaultJobs,
    generate: (options) => generateWeeks(name, model, count, options),
    farm: (jobs = defaultJobs) => netbatchWeekFarm(name, model, count, jobs),
  };
}
