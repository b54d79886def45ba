import { InputError } from "../errors.ts";
import type { MachineAttributes } from "../farm/farm.ts";
import { nodeParts } from "../node-list.ts";
import { orderBySubmit } from "../order-by-submit.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import { AttributeSet } from "./attributes.ts";
import { MachineList } from "./machine-list.ts";
import type { Machines } from "./machines.ts";

/** The machines found in a log, and the jobs that could not be used. */
export interface InferredMachines extends Machines {
  /** Jobs that do not say where they ran, or when they started. */
  readonly jobsWithoutPlace: number;
}

/**
 * The machines that jobs ran on, each with the most cores, memory and GPUs that jobs held on it at once, and with the
 * queues whose jobs ran on it. The real machines have at least that.
 *
 * They are ordered by name, with numbers in names by value. Memory and GPUs are null if the log does not tell them.
 *
 * @throws InputError if no job says where it ran and when it started
 */
export function inferredMachines(workload: Workload): InferredMachines {
  const { nodes, recordedWaitSeconds } = workload;
  if (nodes === undefined || recordedWaitSeconds === null) {
    throw new InputError(
      `workload ${workload.name} ${nodes === undefined ? "does not say where its jobs ran" : "says where its jobs ran, but not when they started"}: ` +
        "give its machines in a file, or as in 1024x8c12g",
    );
  }
  const places = new Places(nodes.names);
  const held = new Held(places, workload);
  const placed = eachChange(workload, nodes, recordedWaitSeconds, places, held);
  return { ...held.machines(), jobsWithoutPlace: workload.count - placed };
}

/** What is told of each start and end of a job. */
export interface Holder {
  /** @param sign 1 if the job of the row starts in that place, -1 if it ends */
  change(row: number, place: Place, sign: 1 | -1): void;
}

/**
 * Tells all starts and ends in order of time.
 *
 * @returns the number of jobs that say where they ran and when they started
 */
export function eachChange(
  workload: Workload,
  nodes: CodedColumn,
  recordedWaitSeconds: Float64Array,
  places: Places,
  holder: Holder,
): number {
  const { submitSeconds, runtimeSeconds, count } = workload;
  const change = (row: number, sign: 1 | -1): void => holder.change(row, places.of(nodes.codes[row]!)!, sign);
  const startSeconds = submitSeconds.map((submit, row) => submit + recordedWaitSeconds[row]!);
  const endSeconds = startSeconds.map((start, row) => start + runtimeSeconds[row]!);
  const placed = placedRows(
    count,
    (row) => !Number.isNaN(startSeconds[row]) && places.of(nodes.codes[row]!) !== null,
  );
  const starts = inOrder(placed, startSeconds, endSeconds);
  const ends = inOrder(placed, endSeconds, startSeconds);

  for (let started = 0, ended = 0; started < starts.length; started++) {
    const row = starts[started]!;
    // A job that ends when another starts has left.
    for (; endSeconds[ends[ended]!]! <= startSeconds[row]!; ended++) {
      const over = ends[ended]!;
      if (runtimeSeconds[over] !== 0) change(over, -1);
    }
    change(row, 1);
    if (runtimeSeconds[row] === 0) change(row, -1);
  }
  return placed.length;
}

/** The machines' numbers by name, and those of each entry of the column of nodes. */
export class Places {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly entries: readonly string[];
  private readonly known: (Place | null | undefined)[] = [];

  constructor(entries: readonly string[]) {
    this.entries = entries;
  }

  /** Null if the entry names no machine. */
  of(code: number): Place | null {
    const known = this.known[code];
    if (known !== undefined) return known;
    const parts = nodeParts(this.entries[code]!);
    const place: Place | null =
      parts.length === 0
        ? null
        : {
            machines: Int32Array.from(parts, ({ name }) => this.numberOf(name)),
            shares: parts.some(({ cores }) => cores !== null)
              ? shares(parts.map(({ cores }) => cores ?? 0))
              : null,
          };
    this.known[code] = place;
    return place;
  }

  private numberOf(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) this.numbers.set(name, (number = this.names.push(name) - 1));
    return number;
  }
}

/** Where a job ran. `shares` are the parts of its cores, null if they are equal. */
export interface Place {
  readonly machines: Int32Array;
  readonly shares: Float64Array | null;
}

/** How many of a job's tasks are on the machine that is `at` in its place. */
export function tasksHere({ machines, shares }: Place, at: number, tasks: number): number {
  const part = shares === null ? tasks / machines.length : tasks * shares[at]!;
  // Counts whole tasks, rounded up: a machine may really have had one fewer.
  return tasks === 1 ? part : Math.ceil(part - 1e-9);
}

function shares(cores: readonly number[]): Float64Array {
  const sum = cores.reduce((total, each) => total + each, 0);
  return Float64Array.from(cores, (each) => (sum === 0 ? 1 / cores.length : each / sum));
}

/** What jobs hold on each machine, and the most that they held so far. */
class Held implements Holder {
  private readonly places: Places;
  private readonly workload: Workload;
  private readonly cores = new Amounts();
  private readonly memory = new Amounts();
  private readonly gpus = new Amounts();
  /** By machine: the queues whose jobs ran on it, by number. */
  private readonly queues: Set<number>[] = [];

  constructor(places: Places, workload: Workload) {
    this.places = places;
    this.workload = workload;
  }

  change(row: number, place: Place, sign: 1 | -1): void {
    const { tasks, coresMilli, memoryMiB, gpuMilli } = this.workload;
    const { machines } = place;
    const queue = this.workload.queue?.codes[row];
    const taskCount = tasks === null ? 1 : tasks[row]!;
    for (let at = 0; at < machines.length; at++) {
      const machine = machines[at]!;
      const here = tasksHere(place, at, taskCount);
      this.cores.add(machine, sign * Math.ceil(here * coresMilli[row]!));
      if (queue !== undefined) (this.queues[machine] ??= new Set()).add(queue);
      if (memoryMiB !== null) this.memory.add(machine, sign * Math.ceil(here * memoryMiB[row]!));
      if (gpuMilli !== null) this.gpus.add(machine, sign * Math.ceil(here * gpuMilli[row]!));
    }
  }

  machines(): Machines {
    const { memoryMiB, gpuMilli } = this.workload;
    const { names } = this.places;
    const order = names.map((_, number) => number).sort((a, b) => compareNames(names[a]!, names[b]!));
    const list = new MachineList();
    for (const number of order) {
      const machine = {
        id: names[number]!,
        coresMilli: this.cores.most[number]!,
        memoryMiB: memoryMiB === null ? null : this.memory.most[number]!,
        gpuMilli: gpuMilli === null ? null : this.gpus.most[number]!,
        attributes: this.queuesOf(number),
      };
      if (machine.coresMilli > 0) list.add(machine, {});
    }
    return list.finish("inferred", {});
  }

  /** A single queue of all jobs says nothing. */
  private queuesOf(machine: number): MachineAttributes {
    const { queue } = this.workload;
    const attributes = new AttributeSet();
    if (queue !== null && queue.names.filter((name) => name !== "").length > 1)
      attributes.queues([...(this.queues[machine] ?? [])].map((code) => queue.names[code]!));
    return attributes.done();
  }
}

/** An amount for each machine, and its maximum so far. */
class Amounts {
  readonly most: number[] = [];
  private readonly now: number[] = [];

  add(machine: number, amount: number): void {
    const now = (this.now[machine] ?? 0) + amount;
    this.now[machine] = now;
    this.most[machine] = Math.max(this.most[machine] ?? 0, now);
  }
}

function placedRows(count: number, isPlaced: (row: number) => boolean): Int32Array {
  const rows = new Int32Array(count);
  let placed = 0;
  for (let row = 0; row < count; row++) if (isPlaced(row)) rows[placed++] = row;
  return rows.subarray(0, placed);
}

function inOrder(rows: Int32Array, first: Float64Array, second: Float64Array): Int32Array {
  const order = orderBySubmit(
    Float64Array.from(rows, (row) => first[row]!),
    Float64Array.from(rows, (row) => second[row]!),
  );
  return Int32Array.from(order, (at) => rows[at]!);
}

/** By characters, but with runs of digits by value: `n2` comes before `n10`. */
function compareNames(one: string, other: string): number {
  const [a, b] = [one, other].map((name) => name.split(/(\d+)/));
  for (let at = 0; at < Math.min(a!.length, b!.length); at++) {
    const [x, y] = [a![at]!, b![at]!];
    if (x === y) continue;
    const difference = at % 2 === 1 ? Number(x) - Number(y) : 0;
    return difference !== 0 ? difference : x < y ? -1 : 1;
  }
  return a!.length - b!.length;
}
