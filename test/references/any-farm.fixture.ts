import { canHold, type Farm, type Job, type Size } from "./farm.fixture.ts";

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws from one seed. */
export class Draws {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  /** A whole number, both ends included. */
  from(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  of<T>(values: readonly T[]): T {
    return values[this.from(0, values.length - 1)];
  }

  isTrue(probability: number): boolean {
    return this.random() < probability;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.random());
  }
}

/** How large random farms are, and how many jobs come in a run time. */
export interface FarmSizes {
  readonly machines: readonly [least: number, most: number];
  readonly kinds: number;
  readonly jobs: readonly [least: number, most: number];
  readonly tasksMost: number;
  readonly gapPart: number;
}

export const small: FarmSizes = { machines: [1, 5], kinds: 3, jobs: [3, 14], tasksMost: 5, gapPart: 1 };
export const medium: FarmSizes = { machines: [8, 16], kinds: 4, jobs: [50, 100], tasksMost: 8, gapPart: 0.2 };
export const large: FarmSizes = {
  machines: [30, 60],
  kinds: 4,
  jobs: [200, 400],
  tasksMost: 12,
  gapPart: 0.05,
};

/** A random farm of unlike machines, the same for the same seed. */
export function anyFarm(seed: number, sizes: FarmSizes = small): Farm {
  const draw = new Draws(seed);
  const hasMemory = draw.isTrue(0.6);
  const hasGpus = draw.isTrue(0.2);
  const kinds = Array.from({ length: draw.from(1, sizes.kinds) }, (): Size => ({
    cores: draw.from(1, 8),
    memory: hasMemory ? draw.from(1, 8) : 0,
    gpus: hasGpus ? draw.from(0, 2) : 0,
  }));
  const machines = Array.from({ length: draw.from(...sizes.machines) }, () => draw.of(kinds));

  const jobCount = draw.from(...sizes.jobs);
  // Short times make many ties; the gaps decide whether a queue grows.
  const runtimeMost = draw.of([3, 10, 30, 1000]);
  const gapMost = Math.ceil(runtimeMost * draw.of([0, 0.1, 0.3, 1]) * sizes.gapPart);
  const estimates = draw.of(["exact", "within", "factor", "few values"] as const);
  const estimateOf = (runtime: number): number => {
    if (estimates === "exact" || draw.isTrue(0.2)) return runtime;
    if (estimates === "within") return draw.from(runtime, 2 * runtimeMost);
    if (estimates === "factor") return runtime * draw.of([1, 2, 10]);
    return [3, 10, 30, 100, 1000].find((value) => value >= runtime)!;
  };
  const jobs: Job[] = [];
  for (let number = 1, submit = 0; number <= jobCount; number++) {
    if (!draw.isTrue(0.3)) submit += draw.from(0, gapMost);
    const runtime = draw.from(1, runtimeMost);
    // What a task asks for fits on some machine; small tasks are more frequent.
    const model = draw.of(machines);
    const part = (most: number) =>
      draw.isTrue(0.5) ? draw.from(1, Math.ceil(most / 2)) : draw.from(1, most);
    const task: Size = {
      cores: part(model.cores),
      memory: hasMemory && draw.isTrue(0.7) ? part(model.memory) : 0,
      gpus: model.gpus > 0 && draw.isTrue(0.4) ? draw.from(1, model.gpus) : 0,
    };
    let job: Job = { number, submit, runtime, estimate: estimateOf(runtime), tasks: 1, task };
    const tasks = draw.isTrue(0.5) ? 1 : draw.from(2, sizes.tasksMost);
    for (let more = 2; more <= tasks && canHold(machines, { ...job, tasks: more }); more++)
      job = { ...job, tasks: more };
    jobs.push(job);
  }
  return { machines, hasMemory, jobs };
}
