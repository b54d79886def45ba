import { InputError } from "../../errors.ts";
import type { Farm } from "../../farm/farm.ts";
import type { Workload } from "../../workload.ts";
import { LogQuantiles } from "../quantiles.ts";
import { Balanced, Random, Weighted } from "../random.ts";
import { drawBursts, type Burst } from "./bursts.ts";
import { JobColumns } from "./job-columns.ts";
import { ownedPools, powerOf, weekFarm, weekPools } from "./pools.ts";
import { projectsOf } from "./projects.ts";
import {
  coresShare,
  jobsPerWeek,
  memoryShare,
  requirementShare,
  runtimeMinutes,
  type WeekScenario,
} from "./scenarios.ts";

export interface WeekOptions {
  /** How many jobs; with fewer the farm is the smaller, so that it is as busy. */
  readonly jobs?: number;
  /** A whole number; the same seed gives the same jobs on every machine. */
  readonly seed?: number;
}

const minutesPerWeek = 10_080;
const hoursPerWeek = 168;
const fewestJobs = 1000;
const mostJobs = 50_000_000;
/** Of jobs that may suspend the others, whose priority is 0. */
const highPriority = 10;

/** Campaigns: like jobs that a project submits within an hour. */
const campaignJobs = new LogQuantiles([
  [0, 1],
  [0.5, 12],
  [0.9, 80],
  [1, 250],
]);
/** Run times fall in equal strata of the distribution, a campaign's jobs mostly in one. */
const strata = 10;
const inStratum = 0.7;
/** A wave's jobs, and a campaign's, are submitted within this. */
const waveMinutes = 60;

const runtimes = new LogQuantiles(runtimeMinutes);
const coresMean = coresShare.reduce((sum, [cores, share]) => sum + cores * share, 0);
const anyCores = new Weighted(coresShare.map(([, share]) => share));
const anyMemory = new Weighted(memoryShare.map(([, share]) => share));
const anyRequirement = new Weighted(requirementShare.map(([, share]) => share));

/** The farm that so many jobs in so many weeks are made for. */
export function netbatchWeekFarm(name: string, scenario: WeekScenario, weeks: number, jobs: number): Farm {
  return weekFarm(name, scaleOf(scenario, weeks, jobs));
}

function scaleOf({ farm }: WeekScenario, weeks: number, jobs: number): number {
  return (farm * jobs) / (jobsPerWeek * weeks);
}

/**
 * Some weeks of a farm where bursts of high priority suspend other jobs: a stand-in for the
 * trace of Zhang 2010, which was not published. Synthetic, and says so.
 *
 * @throws InputError where the number of jobs or the seed cannot be used
 */
export function generateWeeks(
  name: string,
  scenario: WeekScenario,
  weeks: number,
  { jobs = jobsPerWeek * weeks, seed = 1 }: WeekOptions = {},
): Workload {
  if (!(Number.isInteger(jobs) && jobs >= fewestJobs && jobs <= mostJobs)) {
    throw new InputError(`jobs must be a whole number from ${fewestJobs} to ${mostJobs}, not ${jobs}`);
  }
  if (!Number.isInteger(seed)) throw new InputError(`the seed must be a whole number, not ${seed}`);
  const columns = new JobColumns(jobs);
  const scale = scaleOf(scenario, weeks, jobs);
  addBursts(columns, scenario, weeks, scale, new Random(seed ^ 0x2545f491));
  addQuiet(columns, scenario, weeks, scale, new Random(seed ^ 0x5bd1e995));
  addCampaigns(columns, scenario, weeks, scale, new Random(seed));
  return columns.workload(`${name} (synthetic)`, [
    { what: `generated with seed ${seed}, after Zhang 2010; not a recorded trace`, count: jobs },
  ]);
}

function addBursts(
  columns: JobColumns,
  scenario: WeekScenario,
  weeks: number,
  scale: number,
  random: Random,
): void {
  for (const burst of drawBursts(scenario.bursts, weeks, random)) {
    const waves = wavesOf(burst, scenario.waveMinutes, random);
    for (const pool of burst.pools) {
      const jobs = urgentJobs(scenario, burst.demand, pool, burst.minutes, scale);
      for (let i = 0; i < jobs; i++) {
        const wave = waves[Math.floor((i * waves.length) / jobs)]!;
        addUrgent(columns, pool, scenario, wave + waveMinutes * random.unit(), weeks, random);
      }
    }
  }
}

/** The first wave comes at once, the others at about equal distances. */
function wavesOf({ startMinute, minutes }: Burst, apart: number, random: Random): number[] {
  const count = Math.max(1, Math.round(minutes / apart));
  const gap = minutes / count;
  return Array.from({ length: count }, (_, wave) => {
    const late = wave === 0 ? 0 : 0.6 * (random.unit() - 0.5);
    return startMinute + (wave + late) * gap;
  });
}

/** Jobs of high priority that their owner always has in the owned pools. */
function addQuiet(
  columns: JobColumns,
  scenario: WeekScenario,
  weeks: number,
  scale: number,
  random: Random,
): void {
  const minutes = weeks * minutesPerWeek;
  for (const pool of ownedPools) {
    const jobs = urgentJobs(scenario, scenario.quiet, pool, minutes, scale);
    for (let i = 0; i < jobs; i++) addUrgent(columns, pool, scenario, minutes * random.unit(), weeks, random);
  }
}

/** How many jobs of high priority are so much of what a pool can do in that time. */
function urgentJobs(
  { urgentRuntime }: WeekScenario,
  demand: number,
  pool: number,
  minutes: number,
  scale: number,
): number {
  const work = demand * scale * powerOf(weekPools[pool]!) * minutes;
  return Math.round(work / (coresMean * runtimes.mean() * urgentRuntime));
}

function addUrgent(
  columns: JobColumns,
  pool: number,
  { urgentRuntime }: WeekScenario,
  minute: number,
  weeks: number,
  random: Random,
): void {
  if (columns.isFull || minute >= weeks * minutesPerWeek) return;
  const { name, owner, kinds } = weekPools[pool]!;
  const cores = Math.min(coresShare[anyCores.draw(random)]![0], kinds.at(-1)!.cores);
  columns.add({
    minute,
    runtimeMinutes: urgentRuntime * runtimes.at(random.unit()),
    cores,
    memoryMiB: cores * memoryShare[anyMemory.draw(random)]![0],
    project: "/urgent",
    pools: name,
    priority: highPriority,
    group: owner ?? "",
    requires: requirementShare[anyRequirement.draw(random)]![0],
  });
}

/** Everybody's jobs, as many as are still to be had. */
function addCampaigns(
  columns: JobColumns,
  scenario: WeekScenario,
  weeks: number,
  scale: number,
  random: Random,
): void {
  const projects = projectsOf(scenario).map((project) => ({
    ...project,
    poolNames: project.pools.map((pool) => weekPools[pool]!.name).join(";"),
  }));
  const byWork = new Balanced(projects.map(({ part }) => part));
  const byStratum = new Balanced(Array.from({ length: strata }, () => 1));
  const hours = new Weighted(Array.from({ length: weeks * hoursPerWeek }, (_, hour) => hourShare(hour)));
  while (!columns.isFull) {
    const number = byWork.draw(random);
    const { name, poolNames, coresMost } = projects[number]!;
    // A small farm has small campaigns, or one would fill it.
    const size = Math.max(1, Math.round(campaignJobs.at(random.unit()) * Math.min(1, 4 * scale)));
    const stratum = byStratum.draw(random);
    byStratum.credit(stratum, size);
    const start = 60 * (hours.draw(random) + random.unit());
    const cores = Math.min(coresMost, coresShare[anyCores.draw(random)]![0]);
    const memoryMiB = cores * memoryShare[anyMemory.draw(random)]![0];
    const requires = requirementShare[anyRequirement.draw(random)]![0];
    for (let i = 0; i < size && !columns.isFull; i++) {
      const rank = random.unit() < inStratum ? (stratum + random.unit()) / strata : random.unit();
      const runtimeMinutes = runtimes.at(rank);
      columns.add({
        minute: Math.min(weeks * minutesPerWeek - 1, start + waveMinutes * random.unit()),
        runtimeMinutes,
        cores,
        memoryMiB,
        project: name,
        pools: poolNames,
        priority: 0,
        group: "",
        requires,
      });
      byWork.credit(number, cores * runtimeMinutes);
    }
  }
}

/** More by day than by night, and less at the weekend; the week begins on a Monday. */
function hourShare(hour: number): number {
  const isWeekend = Math.floor(hour / 24) % 7 >= 5;
  const isDay = hour % 24 >= 8 && hour % 24 < 20;
  return (isWeekend ? 0.6 : 1) * (isDay ? 1.3 : 0.7);
}
