import { nodeParts } from "../node-list.ts";
import type { CodedColumn, Workload } from "../workload.ts";

/** Where jobs ran on the real farm. */
export interface MachineUse {
  /** The number of machines that jobs name. */
  readonly machines: number;
  /** Jobs that say where they ran: shares below are of these. */
  readonly jobs: number;
  /** The machines with the most jobs, at most ten. A job on several counts on each in part. */
  readonly largest: readonly PlaceUse[];
  /** The fewest machines that have nine tenths of the jobs, if that is hardly any of them; otherwise null. */
  readonly crowded: { readonly machines: number; readonly share: number } | null;
  /** By queue and by user, the ten with the most jobs; null where the log does not tell them. */
  readonly queues: readonly NameUse[] | null;
  readonly users: readonly NameUse[] | null;
}

export interface PlaceUse {
  readonly name: string;
  /** The part of the jobs, and of the core hours. */
  readonly jobShare: number;
  readonly workShare: number;
}

export interface NameUse extends PlaceUse {
  /** The machines that its jobs ran on. */
  readonly machines: number;
}

const LARGEST = 10;
/** So much of the jobs on so few of the machines, of so many, is a partition or a constraint rather than chance. */
const MOST = 0.9;
const FEW = 0.1;
const MANY_MACHINES = 5;

/** Null if no job says where it ran. */
export function machineUse(workload: Workload): MachineUse | null {
  const { nodes, count, coresMilli, tasks, runtimeSeconds, queue, user } = workload;
  if (nodes === undefined) return null;
  const numbers = new Map<string, number>();
  const places = nodes.names.map((entry) => {
    const names = [...new Set(nodeParts(entry).map(({ name }) => name))];
    return names.map((name) => {
      if (!numbers.has(name)) numbers.set(name, numbers.size);
      return numbers.get(name)!;
    });
  });
  const machines = new Uses(numbers.size);
  const queues = new UsesOfNames(queue);
  const users = new UsesOfNames(user);
  let placed = 0;
  let allWork = 0;
  for (let row = 0; row < count; row++) {
    const place = places[nodes.codes[row]!]!;
    if (place.length === 0) continue;
    const work = (tasks === null ? 1 : tasks[row]!) * coresMilli[row]! * runtimeSeconds[row]!;
    placed++;
    allWork += work;
    for (const machine of place) machines.add(machine, 1 / place.length, work / place.length);
    queues.add(row, work, place);
    users.add(row, work, place);
  }
  if (placed === 0) return null;
  const names = [...numbers.keys()];
  return {
    machines: numbers.size,
    jobs: placed,
    largest: machines.largest(names, placed, allWork),
    crowded: crowded(machines.jobs, placed),
    queues: queues.largest(placed, allWork),
    users: users.largest(placed, allWork),
  };
}

function crowded(jobs: Float64Array, placed: number): MachineUse["crowded"] {
  if (jobs.length < MANY_MACHINES) return null;
  let sum = 0;
  let machines = 0;
  for (const each of jobs.toSorted().toReversed()) {
    sum += each;
    machines++;
    if (sum >= MOST * placed) break;
  }
  return machines <= FEW * jobs.length ? { machines, share: sum / placed } : null;
}

/** Jobs and work by number. */
class Uses {
  readonly jobs: Float64Array;
  private readonly work: Float64Array;

  constructor(count: number) {
    this.jobs = new Float64Array(count);
    this.work = new Float64Array(count);
  }

  add(number: number, jobs: number, work: number): void {
    this.jobs[number]! += jobs;
    this.work[number]! += work;
  }

  /** The numbers with the most jobs. */
  order(): number[] {
    const used = [...this.jobs.keys()].filter((number) => this.jobs[number]! > 0);
    return used.sort((a, b) => this.jobs[b]! - this.jobs[a]! || a - b).slice(0, LARGEST);
  }

  largest(names: readonly string[], placed: number, allWork: number): PlaceUse[] {
    return this.order().map((number) => this.of(number, names[number]!, placed, allWork));
  }

  of(number: number, name: string, placed: number, allWork: number): PlaceUse {
    return {
      name,
      jobShare: this.jobs[number]! / placed,
      workShare: allWork === 0 ? 0 : this.work[number]! / allWork,
    };
  }
}

/** The same of a column's names, with the machines of each. */
class UsesOfNames {
  private readonly column: CodedColumn | null;
  private readonly uses: Uses;
  private readonly machines: Set<number>[];

  constructor(column: CodedColumn | null) {
    this.column = column;
    const names = column?.names ?? [];
    this.uses = new Uses(names.length);
    this.machines = names.map(() => new Set());
  }

  add(row: number, work: number, place: readonly number[]): void {
    if (this.column === null) return;
    const code = this.column.codes[row]!;
    this.uses.add(code, 1, work);
    for (const machine of place) this.machines[code]!.add(machine);
  }

  largest(placed: number, allWork: number): NameUse[] | null {
    const { column } = this;
    if (column === null) return null;
    return this.uses.order().map((code) => ({
      ...this.uses.of(code, column.names[code]!, placed, allWork),
      machines: this.machines[code]!.size,
    }));
  }
}
