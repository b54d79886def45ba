import { InputError } from "../errors.ts";
import type { Farm } from "../farm/farm.ts";
import type { Workload } from "../workload.ts";
import { generateWeeks, netbatchWeekFarm, type WeekOptions } from "./netbatch-week/generate.ts";
import {
  highSuspensionWeek,
  jobsPerWeek,
  normalWeek,
  year,
  type WeekScenario,
} from "./netbatch-week/scenarios.ts";

/** Makes a workload for a farm of many pools, and that farm. */
export interface FarmGenerator {
  readonly name: string;
  readonly summary: string;
  /** How many jobs it makes unless told otherwise. */
  readonly defaultJobs: number;
  generate(options?: WeekOptions): Workload;
  /** The farm for so many jobs: with fewer it is smaller and as busy. */
  farm(jobs?: number): Farm;
}

/** Every generator of a farm's workload, in the order that the command line lists them. */
export const farmGenerators: readonly FarmGenerator[] = [
  weeks("netbatch-week", "like the busy week of Zhang 2010: bursts suspend 1 % of the jobs", normalWeek, 1),
  weeks(
    "netbatch-week-suspended",
    "the same with bursts in nearly all pools: 14 % of the jobs are suspended",
    highSuspensionWeek,
    1,
  ),
  weeks("netbatch-year", "like the year of Zhang 2010, Figures 2 and 4", year, 50),
];

/** @throws InputError where there is none of that name. */
export function farmGenerator(name: string): FarmGenerator {
  const generator = farmGenerators.find((each) => each.name === name);
  if (generator !== undefined) return generator;
  throw new InputError(`no generator "${name}": choose ${farmGenerators.map(({ name }) => name).join(", ")}`);
}

function weeks(name: string, summary: string, scenario: WeekScenario, count: number): FarmGenerator {
  const defaultJobs = jobsPerWeek * count;
  return {
    name,
    summary,
    defaultJobs,
    generate: (options) => generateWeeks(name, scenario, count, options),
    farm: (jobs = defaultJobs) => netbatchWeekFarm(name, scenario, count, jobs),
  };
}
