import type { ReadOptions } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import { isOnOneMachine } from "./category.ts";
import type { Requests } from "./category.ts";

/** A job's index in its array and its number, as one number. */
const ARRAY_PLACES = 2 ** 22;

/** What Grid Engine records of a job. The row's names are set separately. NaN stands for unknown. */
interface GridEngineJob {
  number: number;
  /** -1: not in an array. */
  index: number;
  submitSeconds: number;
  startSeconds: number;
  endSeconds: number;
  slots: number;
  /** The parallel environment; empty: none. */
  environment: string;
  /** Where it began, as a code of the lists of nodes. */
  host: number;
  /** 0: it started and ended without a failure. */
  failed: number;
  exitStatus: number;
  requests: Requests;
}

export function emptyJob(): GridEngineJob {
  return {
    number: Number.NaN,
    index: UNKNOWN,
    submitSeconds: Number.NaN,
    startSeconds: Number.NaN,
    endSeconds: Number.NaN,
    slots: Number.NaN,
    environment: "",
    host: EMPTY_NAME,
    failed: Number.NaN,
    exitStatus: Number.NaN,
    requests: { limitSeconds: Number.NaN, memoryMiB: Number.NaN, gpus: Number.NaN, unread: [] },
  };
}

/** Adds jobs, each with the machines that it ran on. */
export class GridEngineJobs {
  private readonly jobs: RecordedJobs;
  private readonly memoryIsOfJob: boolean;
  /** By job: the hosts of the tasks that it started on other hosts, as codes. */
  private readonly hosts = new Map<number, Set<number>>();
  private readonly environments = new Map<string, boolean>();
  private readonly states = new Map<number, number>();

  constructor(jobs: RecordedJobs, { memoryScope }: ReadOptions) {
    this.jobs = jobs;
    this.memoryIsOfJob = memoryScope === "per-job";
  }

  /** A task that a parallel job started on a host. It belongs to the job's own record, which comes later. */
  addTask(number: number, index: number, host: number, line: number): void {
    this.jobs.builder.notes.add(
      "left out: tasks of parallel jobs, which are in their jobs' own records",
      line,
    );
    const key = keyOf(number, index);
    const hosts = this.hosts.get(key);
    if (hosts === undefined) this.hosts.set(key, new Set([host]));
    else hosts.add(host);
  }

  add(job: GridEngineJob, line: number): void {
    const { jobs } = this;
    const { builder } = jobs;
    const { row } = builder;
    if (!Number.isInteger(job.number)) {
      builder.bad("no job number", line);
      return;
    }
    // A time that never came is 0.
    const startSeconds = job.startSeconds > 0 ? job.startSeconds : Number.NaN;
    const endSeconds = job.endSeconds > 0 ? job.endSeconds : Number.NaN;
    const submitSeconds = job.submitSeconds > 0 ? job.submitSeconds : Number.NaN;
    if (Number.isNaN(startSeconds)) {
      builder.notes.add("dropped: it never started", line);
      return;
    }
    if (!(job.slots >= 1)) {
      builder.bad("no slots", line);
      return;
    }
    if (Number.isNaN(endSeconds)) {
      // Grid Engine writes a job when it ends.
      builder.bad("no time of its end", line);
      return;
    }
    if (!jobs.setTimes(submitSeconds, startSeconds, endSeconds, line)) return;
    const { limitSeconds, unread } = job.requests;
    for (const what of unread) builder.notes.add(what, line);
    const isOneMachine = this.setTasks(job, line);
    row.jobNumber = job.number;
    row.arrayIndex = job.index;
    row.estimateSeconds = limitSeconds > 0 ? limitSeconds : UNKNOWN;
    row.state = this.stateCode(job);
    row.nodes = this.nodesOf(job, isOneMachine);
    jobs.add(line);
  }

  /** @returns whether all its slots are on one machine */
  private setTasks({ slots, environment, requests }: GridEngineJob, line: number): boolean {
    const { notes } = this.jobs.builder;
    const memoryMiB =
      requests.memoryMiB > 0 ? requests.memoryMiB * (this.memoryIsOfJob ? 1 : slots) : UNKNOWN;
    const gpus = requests.gpus > 0 ? requests.gpus : 0;
    if (slots === 1 || environment === "" || this.isOnOneMachine(environment)) {
      if (slots > 1 && this.jobs.shapeIsOpen) {
        notes.add(
          "kept on one machine: slots of a parallel environment whose name says so, such as smp",
          line,
        );
      }
      this.jobs.setTasks(1, slots, memoryMiB, gpus);
      return true;
    }
    if (this.jobs.shapeIsOpen) {
      notes.add(
        "kept as one-core tasks: slots of a parallel environment whose name does not say that they are on one machine",
        line,
      );
    }
    this.jobs.setTasks(slots, 1, memoryMiB === UNKNOWN ? UNKNOWN : memoryMiB / slots, gpus / slots);
    return false;
  }

  private isOnOneMachine(environment: string): boolean {
    let is = this.environments.get(environment);
    if (is === undefined) this.environments.set(environment, (is = isOnOneMachine(environment)));
    return is;
  }

  /** The code of the list of nodes. For a job that may span machines, only if its tasks tell them. */
  private nodesOf({ number, index, host }: GridEngineJob, isOneMachine: boolean): number {
    const others = this.hosts.size === 0 ? undefined : this.hosts.get(keyOf(number, index));
    if (others === undefined) return isOneMachine ? host : EMPTY_NAME;
    this.hosts.delete(keyOf(number, index));
    const { nodeLists } = this.jobs.builder.columns;
    return nodeLists.codeOf([...others.add(host)].map((code) => nodeLists.list[code]).join(","));
  }

  /** `exit 0`, or `failed 100`: Grid Engine does not record more of how a job ended. */
  private stateCode({ failed, exitStatus }: GridEngineJob): number {
    const isFailure = failed !== 0 && !Number.isNaN(failed);
    const number = isFailure ? failed : exitStatus;
    if (Number.isNaN(number)) return EMPTY_NAME;
    const key = 2 * number + (isFailure ? 1 : 0);
    let code = this.states.get(key);
    if (code === undefined) {
      const { states } = this.jobs.builder.columns;
      this.states.set(key, (code = states.codeOf(`${isFailure ? "failed" : "exit"} ${number}`)));
    }
    return code;
  }
}

function keyOf(number: number, index: number): number {
  return number * ARRAY_PLACES + index + 1;
}
