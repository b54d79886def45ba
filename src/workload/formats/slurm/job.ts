import { UNKNOWN } from "../job-row.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";

/** What Slurm records of a job; NaN if unknown. The row's names are set separately. */
export interface SlurmJob {
  submitSeconds: number;
  eligibleSeconds: number;
  startSeconds: number;
  endSeconds: number;
  /** Less than from start to end if the job was suspended. */
  elapsedSeconds: number;
  limitSeconds: number;
  cpus: number;
  nodes: number;
  /** The tasks as the user counts them. */
  tasks: number;
  memoryMiB: number;
  gpus: number;
  /** Whether there is a list of nodes that it ran on. */
  hasNodes: boolean;
}

export function emptyJob(): SlurmJob {
  return {
    submitSeconds: Number.NaN,
    eligibleSeconds: Number.NaN,
    startSeconds: Number.NaN,
    endSeconds: Number.NaN,
    elapsedSeconds: Number.NaN,
    limitSeconds: Number.NaN,
    cpus: Number.NaN,
    nodes: Number.NaN,
    tasks: Number.NaN,
    memoryMiB: Number.NaN,
    gpus: Number.NaN,
    hasNodes: false,
  };
}

/** Adds the job, or counts why it does not. */
export function addSlurmJob(jobs: RecordedJobs, job: SlurmJob, line: number): void {
  const { builder } = jobs;
  const { row, notes } = builder;
  const { elapsedSeconds } = job;
  const { endSeconds } = job;
  let { startSeconds } = job;
  // A job that was cancelled while it waited has a start and an end in Slurm's records, but no node.
  if (!job.hasNodes && (startSeconds === endSeconds || elapsedSeconds === 0)) startSeconds = Number.NaN;
  if (Number.isNaN(startSeconds)) {
    notes.add("dropped: it never started", line);
    return;
  }
  if (!(job.cpus > 0)) {
    builder.bad("no CPUs", line);
    return;
  }
  if (!jobs.setTimes(job.submitSeconds, startSeconds, endSeconds, line)) return;
  if (elapsedSeconds < row.runtimeSeconds - 1) {
    notes.add("kept: from its start to its end, in which it was suspended for a time", line);
  } else if (elapsedSeconds > row.runtimeSeconds + 1) {
    notes.add("kept: from its start to its end, although it is said to have run longer", line);
  }
  jobs.noteEligible(job.submitSeconds, job.eligibleSeconds, line);
  row.estimateSeconds = job.limitSeconds > 0 ? job.limitSeconds : UNKNOWN;
  setShape(jobs, job, line);
  jobs.add(line);
}

/** One task for each node if all are alike; otherwise the user's tasks; otherwise tasks of one CPU. */
function setShape(jobs: RecordedJobs, job: SlurmJob, line: number): void {
  const { cpus, tasks } = job;
  const nodes = job.nodes >= 1 ? job.nodes : 1;
  const memoryMiB = job.memoryMiB > 0 ? job.memoryMiB : UNKNOWN;
  const gpus = job.gpus >= 0 ? job.gpus : 0;
  const userTasksFit = cpus % nodes !== 0 && tasks >= 1 && cpus % tasks === 0;
  jobs.setShape(userTasksFit ? tasks : nodes, cpus, memoryMiB, gpus, line);
}
