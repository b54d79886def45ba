import type { CodedColumn, Workload } from "../../workload/index.ts";

/** The users, projects and queues that are told: those with the most jobs. A log may name any number of them. */
export const NAMED = 1000;

/** The waits of some of a run's jobs. */
export interface PartWaits {
  readonly name: string;
  readonly jobs: number;
  readonly waitMeanSeconds: number;
  readonly waitMaxSeconds: number;
}

/**
 * Waits by whose jobs they are and by their size, over jobs that started. Of names the 1,000 with the most
 * jobs, most first; absent where the log tells them of none, or knows a single one.
 */
export interface WaitsByPart {
  readonly users?: readonly PartWaits[];
  readonly projects?: readonly PartWaits[];
  readonly queues?: readonly PartWaits[];
  /** By the cores of all tasks together, smallest first. */
  readonly cores: readonly PartWaits[];
  /** By run time, shortest first. */
  readonly runtimes: readonly PartWaits[];
}

export const coreClasses: readonly string[] = [
  "1 core or less",
  "2 to 4 cores",
  "5 to 16 cores",
  "17 to 64 cores",
  "65 to 256 cores",
  "more than 256 cores",
];
/** The upper limit of each class but the last, in thousandths of a core. */
const coreLimits: readonly number[] = [1000, 4000, 16_000, 64_000, 256_000];

export const runtimeClasses: readonly string[] = [
  "up to 1 min",
  "up to 10 min",
  "up to 1 h",
  "up to 8 h",
  "up to 1 d",
  "more than 1 d",
];
/** The upper limit of each class but the last, in seconds. */
const runtimeLimits: readonly number[] = [60, 600, 3600, 28_800, 86_400];

/**
 * @param waitOf of a row, in seconds; NaN where it never started or that is unknown
 * @param submitSeconds in the time of `from` and `until`: jobs submitted outside are not counted
 */
export function waitsByPart(
  workload: Workload,
  waitOf: (row: number) => number,
  submitSeconds: Float64Array,
  from: number,
  until: number,
): WaitsByPart {
  const { count } = workload;
  const sums = new SumsByPart(workload);
  for (let row = 0; row < count; row++) {
    const submit = submitSeconds[row];
    const wait = waitOf(row);
    if (!Number.isNaN(wait) && submit >= from && submit <= until) sums.add(row, wait);
  }
  return sums.figures();
}

/** The waits so far. A class, since its `add` is compiled once, and the body of a long loop anew in each run. */
class SumsByPart {
  private readonly workload: Workload;
  private readonly users: Sums | null;
  private readonly projects: Sums | null;
  private readonly queues: Sums | null;
  private readonly cores = new Sums(coreClasses);
  private readonly runtimes = new Sums(runtimeClasses);

  constructor(workload: Workload) {
    this.workload = workload;
    this.users = sumsOfNames(workload.user);
    this.projects = sumsOfNames(workload.project);
    this.queues = sumsOfNames(workload.queue);
  }

  add(row: number, wait: number): void {
    const { user, project, queue } = this.workload;
    if (user !== null) this.users!.add(user.codes[row], wait);
    if (project !== null) this.projects!.add(project.codes[row], wait);
    if (queue !== null) this.queues!.add(queue.codes[row], wait);
    this.cores.add(coreClassOf(this.workload, row), wait);
    this.runtimes.add(runtimeClassOf(this.workload, row), wait);
  }

  figures(): WaitsByPart {
    return {
      ...named(this.users, "users"),
      ...named(this.projects, "projects"),
      ...named(this.queues, "queues"),
      cores: this.cores.parts(),
      runtimes: this.runtimes.parts(),
    };
  }
}

function named(sums: Sums | null, key: "users" | "projects" | "queues"): Partial<WaitsByPart> {
  const parts = sums === null ? [] : sums.parts();
  if (parts.length < 2) return {};
  return { [key]: parts.sort((a, b) => b.jobs - a.jobs || (a.name < b.name ? -1 : 1)).slice(0, NAMED) };
}

function sumsOfNames(column: CodedColumn | null): Sums | null {
  return column === null ? null : new Sums(column.names);
}

/** The number of a job's class in `coreClasses`. */
export function coreClassOf({ coresMilli, tasks }: Workload, row: number): number {
  return classOf(coreLimits, coresMilli[row] * (tasks === null ? 1 : tasks[row]));
}

/** The number of a job's class in `runtimeClasses`. */
export function runtimeClassOf({ runtimeSeconds }: Workload, row: number): number {
  return classOf(runtimeLimits, runtimeSeconds[row]);
}

function classOf(limits: readonly number[], value: number): number {
  // Sums of comparisons instead of a search: which class comes next cannot be predicted, and this needs no branches.
  return (
    Number(value > limits[0]) +
    Number(value > limits[1]) +
    Number(value > limits[2]) +
    Number(value > limits[3]) +
    Number(value > limits[4])
  );
}

/** For each part three numbers, side by side: how many jobs it has, the sum of their waits, and the longest wait. */
class Sums {
  private readonly names: readonly string[];
  private readonly sums: Float64Array;

  constructor(names: readonly string[]) {
    this.names = names;
    this.sums = new Float64Array(names.length * 3);
  }

  add(part: number, wait: number): void {
    const { sums } = this;
    const at = part * 3;
    sums[at]++;
    sums[at + 1] += wait;
    if (wait > sums[at + 2]) sums[at + 2] = wait;
  }

  /** Those that have jobs, in the order of their names' list. */
  parts(): PartWaits[] {
    return this.names.flatMap((name, part) => {
      const [jobs, waits, longest] = this.sums.subarray(part * 3);
      return jobs === 0 || name === ""
        ? []
        : [{ name, jobs, waitMeanSeconds: waits / jobs, waitMaxSeconds: longest }];
    });
  }
}
