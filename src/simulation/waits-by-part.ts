import type { CodedColumn, Workload } from "../workload/index.ts";

/** The users, projects and queues that are told: those with the most jobs. */
export const NAMED = 20;

/** The waits of some of a run's jobs. */
export interface PartWaits {
  readonly name: string;
  readonly jobs: number;
  readonly waitMeanSeconds: number;
  readonly waitMaxSeconds: number;
}

/**
 * Waits by whose jobs they are and by their size, over jobs that started. Of names the 20 with the most jobs,
 * most first; absent where the log tells them of none, or knows a single one.
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

interface Class {
  readonly name: string;
  /** The largest that belongs to it. */
  readonly upTo: number;
}

const coreClasses: readonly Class[] = [
  { name: "1 core or less", upTo: 1000 },
  { name: "2 to 4 cores", upTo: 4000 },
  { name: "5 to 16 cores", upTo: 16_000 },
  { name: "17 to 64 cores", upTo: 64_000 },
  { name: "65 to 256 cores", upTo: 256_000 },
  { name: "more than 256 cores", upTo: Infinity },
];

const runtimeClasses: readonly Class[] = [
  { name: "up to 1 min", upTo: 60 },
  { name: "up to 10 min", upTo: 600 },
  { name: "up to 1 h", upTo: 3600 },
  { name: "up to 8 h", upTo: 28_800 },
  { name: "up to 1 d", upTo: 86_400 },
  { name: "more than 1 d", upTo: Infinity },
];

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
  const { count, user, project, queue, coresMilli, tasks, runtimeSeconds } = workload;
  const users = sumsOfNames(user);
  const projects = sumsOfNames(project);
  const queues = sumsOfNames(queue);
  const cores = new Sums(coreClasses.map(({ name }) => name));
  const runtimes = new Sums(runtimeClasses.map(({ name }) => name));
  for (let row = 0; row < count; row++) {
    const submit = submitSeconds[row];
    const wait = waitOf(row);
    if (Number.isNaN(wait) || submit < from || submit > until) continue;
    users?.add(user!.codes[row], wait);
    projects?.add(project!.codes[row], wait);
    queues?.add(queue!.codes[row], wait);
    cores.add(classOf(coreClasses, coresMilli[row] * (tasks === null ? 1 : tasks[row])), wait);
    runtimes.add(classOf(runtimeClasses, runtimeSeconds[row]), wait);
  }
  const named = (sums: Sums | null, key: "users" | "projects" | "queues"): Partial<WaitsByPart> => {
    const parts = sums === null ? [] : sums.parts();
    if (parts.length < 2) return {};
    return { [key]: parts.sort((a, b) => b.jobs - a.jobs || (a.name < b.name ? -1 : 1)).slice(0, NAMED) };
  };
  return {
    ...named(users, "users"),
    ...named(projects, "projects"),
    ...named(queues, "queues"),
    cores: cores.parts(),
    runtimes: runtimes.parts(),
  };
}

function sumsOfNames(column: CodedColumn | null): Sums | null {
  return column === null ? null : new Sums(column.names);
}

function classOf(classes: readonly Class[], value: number): number {
  let place = 0;
  while (value > classes[place].upTo) place++;
  return place;
}

class Sums {
  private readonly names: readonly string[];
  private readonly jobs: Float64Array;
  private readonly waits: Float64Array;
  private readonly longest: Float64Array;

  constructor(names: readonly string[]) {
    this.names = names;
    this.jobs = new Float64Array(names.length);
    this.waits = new Float64Array(names.length);
    this.longest = new Float64Array(names.length);
  }

  add(part: number, wait: number): void {
    this.jobs[part]++;
    this.waits[part] += wait;
    if (wait > this.longest[part]) this.longest[part] = wait;
  }

  /** Those that have jobs, in the order of their names' list. */
  parts(): PartWaits[] {
    return this.names.flatMap((name, part) =>
      this.jobs[part] === 0 || name === ""
        ? []
        : [
            {
              name,
              jobs: this.jobs[part],
              waitMeanSeconds: this.waits[part] / this.jobs[part],
              waitMaxSeconds: this.longest[part],
            },
          ],
    );
  }
}
