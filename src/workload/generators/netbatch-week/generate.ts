import { InputError } from "../../errors.ts";
import type { Farm } from "../../farm/farm.ts";
import type { Workload } from "../../workload.ts";
import { LogQuantiles } from "../quantiles.ts";
import { Balanced, Random, Weighted } from "../../random.ts";
import { burstsIn, drawBursts, minutesPerWeek, type Burst } from "./bursts.ts";
import { JobColumns, type GeneratedJob } from "./job-columns.ts";
import {
  coresShare,
  jobsPerWeek,
  memoryShare,
  requirementShare,
  type OwnerDemand,
  type WeekModel,
} from "./models.ts";
import { weekFarm, weekPools, type WeekPool } from "./pools.ts";

export interface WeekOptions {
  /** The number of jobs. With fewer the farm is smaller, so that it is as busy. */
  readonly jobs?: number;
  /** A whole number; the same seed gives the same jobs on every machine. */
  readonly seed?: number;
}

const hoursPerWeek = 168;
const fewestJobs = 1000;
const mostJobs = 50_000_000;
/** The priority of jobs that may suspend the others, whose priority is 0. */
const highPriority = 10;

/** A campaign: similar jobs that a project submits within an hour. */
const campaignJobs = new LogQuantiles([
  [0, 1],
  [0.5, 12],
  [0.9, 80],
  [1, 250],
]);
const projects = 12;
/** Run times fall into equal strata of the distribution; those of a campaign mostly into one. */
const strata = 10;
const inStratum = 0.7;
/** The jobs that come at once, and those of a campaign, are submitted within this time. */
const atOnceMinutes = 60;

const coresMean = coresShare.reduce((sum, [cores, share]) => sum + cores * share, 0);
const anyCores = new Weighted(coresShare.map(([, share]) => share));
const anyMemory = new Weighted(memoryShare.map(([, share]) => share));
const anyRequirement = new Weighted(requirementShare.map(([, share]) => share));

/** The farm for this many jobs in this many weeks. */
export function netbatchWeekFarm(name: string, model: WeekModel, weeks: number, jobs: number): Farm {
  return weekFarm(name, model, powerFor(model, weeks, jobs));
}

/**
 * The power, as cores times speed, of a farm on which this many jobs are the model's load.
 *
 * @throws InputError if the owners' jobs alone are more than the load
 */
function powerFor(model: WeekModel, weeks: number, jobs: number): number {
  const { bursts, tiny } = model;
  const minutes = weeks * minutesPerWeek;
  const burstMinutes = 60 * new LogQuantiles(bursts.hours).mean();
  // The work of each kind of job for each unit of power.
  const inBursts = model.largeShare * burstsIn(bursts, weeks) * workOf(bursts, burstMinutes);
  const inTiny = model.tinyShare * workOf(tiny, minutes);
  const low = model.load * minutes - inBursts - inTiny;
  if (low <= 0) throw new InputError(`the owners' jobs alone are more than a load of ${model.load}`);
  const jobsOf = (work: number, { runtimeMinutes }: Pick<WeekModel, "runtimeMinutes">): number =>
    work / new LogQuantiles(runtimeMinutes).mean();
  return jobs / (jobsOf(inBursts, bursts) + jobsOf(inTiny, tiny) + jobsOf(low, model) / coresMean);
}

/** What an owner's jobs of some minutes bring to a pool of power 1. */
function workOf({ fill, stream, runtimeMinutes }: OwnerDemand, minutes: number): number {
  return fill * new LogQuantiles(runtimeMinutes).mean() + stream * minutes;
}

/**
 * Some weeks of a farm on which bursts of high priority suspend other jobs: a stand-in for the trace of Zhang 2010,
 * which was not published. Synthetic, and marked so.
 *
 * @throws InputError if the number of jobs or the seed cannot be used
 */
export function generateWeeks(
  name: string,
  model: WeekModel,
  weeks: number,
  { jobs = jobsPerWeek * weeks, seed = 1 }: WeekOptions = {},
): Workload {
  if (!(Number.isInteger(jobs) && jobs >= fewestJobs && jobs <= mostJobs)) {
    throw new InputError(`jobs must be a whole number from ${fewestJobs} to ${mostJobs}, not ${jobs}`);
  }
  if (!Number.isInteger(seed)) throw new InputError(`the seed must be a whole number, not ${seed}`);
  const columns = new JobColumns(jobs);
  const power = powerFor(model, weeks, jobs);
  addOwners(columns, model, weeks, power, new Random(seed ^ 0x2545f491));
  addCampaigns(columns, model, weeks, new Random(seed));
  return columns.workload(`${name} (synthetic)`, [
    { what: `generated with seed ${seed}, after Zhang 2010; not a recorded trace`, count: jobs },
  ]);
}

/** The high-priority jobs: bursts in the large pools, and what keeps the tiny ones full. */
function addOwners(
  columns: JobColumns,
  model: WeekModel,
  weeks: number,
  power: number,
  random: Random,
): void {
  const always = { startMinute: 0, minutes: weeks * minutesPerWeek };
  for (const [number, pool] of weekPools(model).entries()) {
    if (pool.kind === "large") {
      const late = 0.2 + (0.9 * number) / model.largePools;
      for (const burst of drawBursts(model.bursts, weeks, late, random))
        addDemand(columns, pool, model.bursts, burst, weeks, power, random);
    }
    if (pool.kind === "tiny") addDemand(columns, pool, model.tiny, always, weeks, power, random);
  }
}

function addDemand(
  columns: JobColumns,
  pool: WeekPool,
  demand: OwnerDemand,
  { startMinute, minutes }: Burst,
  weeks: number,
  power: number,
  random: Random,
): void {
  const runtimes = new LogQuantiles(demand.runtimeMinutes);
  const jobsPerMinute = (pool.share * power) / runtimes.mean();
  const add = (minute: number): void => {
    if (columns.isFull || minute >= weeks * minutesPerWeek) return;
    columns.add({
      cores: 1,
      memoryMiB: memoryShare[anyMemory.draw(random)]![0],
      requires: "",
      minute,
      runtimeMinutes: runtimes.at(random.unit()),
      project: "/urgent",
      pools: pool.name,
      restartPools: "",
      priority: highPriority,
      group: pool.owner ?? "",
    });
  };
  const atOnce = Math.round(demand.fill * jobsPerMinute * runtimes.mean());
  for (let i = 0; i < atOnce; i++) add(startMinute + atOnceMinutes * random.unit());
  const later = Math.round(demand.stream * jobsPerMinute * minutes);
  for (let i = 0; i < later; i++) add(startMinute + minutes * random.unit());
}

/** What a job asks of a machine. */
function needs(random: Random): Pick<GeneratedJob, "cores" | "memoryMiB" | "requires"> {
  const cores = coresShare[anyCores.draw(random)]![0];
  return {
    cores,
    memoryMiB: cores * memoryShare[anyMemory.draw(random)]![0],
    requires: requirementShare[anyRequirement.draw(random)]![0],
  };
}

/** The low-priority jobs: as many as are still to be made. They may be sent to all pools but the tiny ones. */
function addCampaigns(columns: JobColumns, model: WeekModel, weeks: number, random: Random): void {
  const pools = weekPools(model);
  const anywhere = pools.map(({ name }) => name).join(";");
  const notTiny = pools.flatMap(({ kind, name }) => (kind === "tiny" ? [] : [name]));
  const places = (): Pick<GeneratedJob, "pools" | "restartPools"> =>
    model.pinnedShare > 0 && random.unit() < model.pinnedShare
      ? { pools: notTiny[random.index(notTiny.length)]!, restartPools: "" }
      : { pools: notTiny.join(";"), restartPools: anywhere };
  const runtimes = new LogQuantiles(model.runtimeMinutes);
  const byStratum = new Balanced(Array.from({ length: strata }, () => 1));
  const hours = new Weighted(Array.from({ length: weeks * hoursPerWeek }, (_, hour) => hourShare(hour)));
  while (!columns.isFull) {
    // A small farm has small campaigns; otherwise one would fill it.
    const small = Math.min(1, (4 * columns.most) / (jobsPerWeek * weeks));
    const size = Math.max(1, Math.round(campaignJobs.at(random.unit()) * small));
    const stratum = byStratum.draw(random);
    byStratum.credit(stratum, size);
    const start = 60 * (hours.draw(random) + random.unit());
    const alike = {
      ...needs(random),
      project: `/project-${random.index(projects) + 1}`,
      ...places(),
      priority: 0,
      group: "",
    };
    for (let i = 0; i < size && !columns.isFull; i++) {
      const rank = random.unit() < inStratum ? (stratum + random.unit()) / strata : random.unit();
      const minute = Math.min(weeks * minutesPerWeek - 1, start + atOnceMinutes * random.unit());
      columns.add({ ...alike, minute, runtimeMinutes: runtimes.at(rank) });
    }
  }
}

/** More by day than by night, and less at the weekend; the week begins on a Monday. */
function hourShare(hour: number): number {
  const isWeekend = Math.floor(hour / 24) % 7 >= 5;
  const isDay = hour % 24 >= 8 && hour % 24 < 20;
  return (isWeekend ? 0.6 : 1) * (isDay ? 1.3 : 0.7);
}
