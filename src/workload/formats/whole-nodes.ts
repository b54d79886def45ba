import { eachChange, Places, tasksHere } from "../machines/inferred.ts";
import type { Holder, Place } from "../machines/inferred.ts";
import { sharedInt32Array } from "../shared-arrays.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import type { JobShape } from "./format.ts";
import type { Notes } from "./notes.ts";

/** As many thousandths of a core a job may have in one task. More on one node is damage. */
const MAX_MILLI = 2 ** 31 - 1;

/**
 * Gives jobs that had their nodes for themselves all cores of them, as Slurm records it, so that a simulation lets no
 * other job beside them. A log that only tells what such a job asked for shows how large its nodes are by what other
 * jobs held there: the nodes of one job are considered alike, and as large as the most that ran on one of them at once
 * while no job had it for itself.
 *
 * @param isWhole for each job whether it had its nodes for itself
 */
export function giveWholeNodes(
  workload: Workload,
  isWhole: Int32Array,
  jobShape: JobShape | undefined,
  notes: Notes,
): Workload {
  const { nodes, recordedWaitSeconds, count } = workload;
  const unplaced = "kept as it asked: a job with whole nodes, as the log does not tell where and when it ran";
  if (nodes === undefined || recordedWaitSeconds === null) {
    notes.add(
      unplaced,
      null,
      isWhole.reduce((sum, each) => sum + each, 0),
    );
    return workload;
  }
  const places = new Places(nodes.names);
  const sizes = new NodeSizes(workload, isWhole);
  eachChange(workload, nodes, recordedWaitSeconds, places, sizes);
  const shape = new Shape(workload, nodes);
  for (let row = 0; row < count; row++) {
    if (isWhole[row] !== 1) continue;
    const machines = [...(places.of(nodes.codes[row]!)?.machines ?? [])];
    const names = machines.map((machine) => places.names[machine]!);
    const largest = (milli: readonly number[]): number =>
      machines.reduce((most, machine) => Math.max(most, milli[machine] ?? 0), 0);
    const sizeMilli = largest(sizes.mostMilli);
    const hasMoreBeside = largest(sizes.besideMilli) > sizeMilli;
    if (sizeMilli === 0) notes.add(unplaced, null);
    else if (names.length * sizeMilli > MAX_MILLI)
      notes.add("kept as it asked: a job with whole nodes, which have more cores than a job can have", null);
    else if (names.length * sizeMilli <= shape.heldMilli(row)) {
      const why = hasMoreBeside
        ? "as more ran on one of them only beside such a job"
        : "as no more ran on one of them at once";
      notes.add(`kept as it asked: a job with whole nodes, ${why}`, null);
    } else {
      const but = hasMoreBeside ? ", without what ran beside such a job" : "";
      notes.add(
        `raised: the cores of jobs with whole nodes, to the most that ran on one of them at once${but}`,
        null,
      );
      shape.set(row, names, sizeMilli, jobShape);
    }
  }
  return shape.workload();
}

/**
 * The most thousandths of a core that jobs held on each machine at once, or that one held that had it for itself. What
 * ran beside such a job is a contradiction, and shows nothing.
 */
class NodeSizes implements Holder {
  readonly mostMilli: number[] = [];
  /** The most that jobs held there at once of which one had the machine for itself and another not. */
  readonly besideMilli: number[] = [];
  private readonly nowMilli: number[] = [];
  private readonly wholeMilli: number[] = [];
  private readonly wholeJobs: number[] = [];
  private readonly workload: Workload;
  private readonly isWhole: Int32Array;

  constructor(workload: Workload, isWhole: Int32Array) {
    this.workload = workload;
    this.isWhole = isWhole;
  }

  change(row: number, place: Place, sign: 1 | -1): void {
    const { mostMilli, besideMilli, nowMilli, wholeMilli, wholeJobs } = this;
    const { tasks, coresMilli } = this.workload;
    for (let at = 0; at < place.machines.length; at++) {
      const machine = place.machines[at]!;
      const milli = Math.ceil(tasksHere(place, at, tasks === null ? 1 : tasks[row]!) * coresMilli[row]!);
      if (this.isWhole[row] === 1) {
        wholeJobs[machine] = (wholeJobs[machine] ?? 0) + sign;
        wholeMilli[machine] = (wholeMilli[machine] ?? 0) + sign * milli;
        mostMilli[machine] = Math.max(mostMilli[machine] ?? 0, milli);
      } else nowMilli[machine] = (nowMilli[machine] ?? 0) + sign * milli;
      const now = nowMilli[machine] ?? 0;
      if ((wholeJobs[machine] ?? 0) === 0) mostMilli[machine] = Math.max(mostMilli[machine] ?? 0, now);
      else besideMilli[machine] = Math.max(besideMilli[machine] ?? 0, now + wholeMilli[machine]!);
    }
  }
}

/** The columns of a workload that say what a job asks for, and where it ran. */
class Shape {
  private readonly of: Workload;
  private readonly nodes: CodedColumn;
  private readonly names: string[];
  private readonly codes = new Map<string, number>();
  private readonly tasks: Int32Array;

  constructor(workload: Workload, nodes: CodedColumn) {
    this.of = workload;
    this.nodes = nodes;
    this.names = [...nodes.names];
    nodes.names.forEach((name, code) => this.codes.set(name, code));
    this.tasks = workload.tasks ?? sharedInt32Array(workload.count).fill(1);
  }

  heldMilli(row: number): number {
    return this.tasks[row]! * this.of.coresMilli[row]!;
  }

  /** A task on each of the machines, with all cores; the memory and GPUs of the job divided among them. */
  set(row: number, machines: readonly string[], sizeMilli: number, jobShape: JobShape | undefined): void {
    const { coresMilli, memoryMiB, gpuMilli } = this.of;
    const before = this.tasks[row]!;
    let tasks = machines.length;
    if (jobShape === "machine") tasks = 1;
    else if (jobShape === "tasks") tasks = Math.ceil((machines.length * sizeMilli) / 1000);
    this.tasks[row] = tasks;
    coresMilli[row] = Math.ceil((machines.length * sizeMilli) / tasks);
    if (memoryMiB !== null) memoryMiB[row] = Math.ceil((memoryMiB[row]! * before) / tasks);
    if (gpuMilli !== null) gpuMilli[row] = Math.ceil((gpuMilli[row]! * before) / tasks);
    // All machines have the same part now.
    this.nodes.codes[row] = this.codeOf(machines.join(","));
  }

  workload(): Workload {
    const { nodes, names, tasks } = this;
    return {
      ...this.of,
      tasks: tasks.some((count) => count !== 1) ? tasks : null,
      nodes: { codes: nodes.codes, names },
    };
  }

  private codeOf(name: string): number {
    let code = this.codes.get(name);
    if (code === undefined) this.codes.set(name, (code = this.names.push(name) - 1));
    return code;
  }
}
