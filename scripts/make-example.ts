/**
 * Makes the bundled example, `examples/data/synthetic-farm.parquet`: six weeks of a
 * small chip design farm. Synthetic: every number below is a choice.
 *
 * The farm (`examples/data/thirty-machines.csv`) has machines of three sizes, and the jobs
 * come in batches of like ones: most ask for a core or two, some for a machine's
 * whole memory, some for eight or twelve cores. That is where it matters which
 * machine a small job goes to, since a large one may find none left.
 *
 * `node scripts/make-example.ts` writes the same file again.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Random } from "../src/workload/random.ts";
import { workloadWriters, type Workload } from "../src/workload/index.ts";
import { workloadOf } from "../src/workload/workload-of.ts";

const SEED = 1;
const DAYS = 42;
const HOUR = 3600;

/** What a project's batches ask for, and how often it submits one. */
interface Project {
  readonly name: string;
  readonly weight: number;
  readonly cores: number;
  readonly memoryGiB: number;
  /** Fewest and most jobs of a batch. */
  readonly jobs: readonly [number, number];
  /** Shortest and longest typical run time of a batch, in minutes. */
  readonly minutes: readonly [number, number];
}

const projects: readonly Project[] = [
  { name: "/design/verification", weight: 8, cores: 1, memoryGiB: 4, jobs: [5, 40], minutes: [20, 240] },
  { name: "/design/rtl", weight: 6, cores: 2, memoryGiB: 8, jobs: [3, 20], minutes: [40, 360] },
  { name: "/design/layout", weight: 3, cores: 1, memoryGiB: 48, jobs: [1, 6], minutes: [240, 720] },
  { name: "/design/timing", weight: 4, cores: 8, memoryGiB: 48, jobs: [1, 5], minutes: [60, 360] },
  { name: "/tools/extraction", weight: 2, cores: 12, memoryGiB: 96, jobs: [1, 3], minutes: [120, 600] },
];

/** Batches that begin in an average hour of a working day. */
const BATCHES_AN_HOUR = 2.2;

/** A batch's shortest and longest run time, as parts of its typical one. */
const SHORTEST = 0.3;
const LONGEST = 1.7;

interface Job {
  readonly submitSeconds: number;
  readonly runtimeSeconds: number;
  readonly estimateSeconds: number;
  readonly project: number;
}

const random = new Random(SEED);
const between = (least: number, most: number): number => least + random.unit() * (most - least);

function chooseProject(): number {
  let left = random.unit() * projects.reduce((sum, { weight }) => sum + weight, 0);
  return projects.findIndex(({ weight }) => (left -= weight) < 0);
}

/** Fewer at night and on weekends; 1 in an average hour of a working day. */
function activity(hour: number): number {
  const day = Math.floor(hour / 24) % 7;
  const isDaytime = hour % 24 >= 8 && hour % 24 < 19;
  return (day < 5 ? 1 : 0.4) * (isDaytime ? 1.6 : 0.5);
}

const jobs: Job[] = [];
for (let hour = 0; hour < DAYS * 24; hour++) {
  // The whole part of the expected number, and one more with the probability of the rest.
  for (let expected = BATCHES_AN_HOUR * activity(hour); random.unit() < expected; expected--) {
    const project = chooseProject();
    const { jobs: size, minutes } = projects[project];
    const start = hour * HOUR + between(0, HOUR);
    const typical = between(...minutes) * 60;
    const count = Math.round(between(...size));
    // Users ask for whole hours, enough for the longest job of the batch and up to twice that.
    const estimateSeconds = Math.ceil((typical * LONGEST * between(1, 2)) / HOUR) * HOUR;
    for (let i = 0; i < count; i++) {
      jobs.push({
        submitSeconds: Math.round(start + i * between(1, 20)),
        runtimeSeconds: Math.round(typical * between(SHORTEST, LONGEST)),
        estimateSeconds,
        project,
      });
    }
  }
}
jobs.sort((a, b) => a.submitSeconds - b.submitSeconds);

const workload: Workload = workloadOf({
  name: "synthetic-farm",
  synthetic: true,
  submitSeconds: Float64Array.from(jobs, (job) => job.submitSeconds),
  runtimeSeconds: Float64Array.from(jobs, (job) => job.runtimeSeconds),
  coresMilli: Int32Array.from(jobs, ({ project }) => projects[project].cores * 1000),
  memoryMiB: Int32Array.from(jobs, ({ project }) => projects[project].memoryGiB * 1024),
  estimateSeconds: Float64Array.from(jobs, (job) => job.estimateSeconds),
  project: {
    codes: Int32Array.from(jobs, ({ project }) => project),
    names: projects.map(({ name }) => name),
  },
  notes: [
    {
      what: `generated with seed ${SEED} by scripts/make-example.ts; not a recorded log`,
      count: jobs.length,
    },
  ],
});

const folder = new URL("../examples/data/", import.meta.url);
mkdirSync(folder, { recursive: true });
const parquet = workloadWriters.find(({ name }) => name === "parquet")!;
await parquet.write(workload, fileURLToPath(new URL("synthetic-farm.parquet", folder)));
console.log(`examples/data/synthetic-farm.parquet: ${jobs.length} synthetic jobs`);
