/** What a machine has, and what a task asks for: whole cores, MiB, whole GPUs. */
export interface Size {
  readonly cores: number;
  readonly memory: number;
  readonly gpus: number;
}

/** A job; its tasks start together, each on a machine with room for it. Times are seconds. */
export interface Job {
  /** Its place in the queue: jobs are ordered by submit time, ties by their order in the log. From 1. */
  readonly number: number;
  readonly submit: number;
  readonly runtime: number;
  readonly estimate: number;
  readonly tasks: number;
  /** What each task asks for. */
  readonly task: Size;
}

/** One pool: machines in the pool's order, jobs in the queue's. */
export interface Farm {
  readonly machines: readonly Size[];
  /** Whether memory counts; GPUs count if a machine has any. */
  readonly hasMemory: boolean;
  readonly jobs: readonly Job[];
}

/** A job that was started. */
export interface Run {
  readonly job: Job;
  readonly start: number;
  /** The machine of each task, by its place in the pool. */
  readonly machines: readonly number[];
  /** The first start that the job was promised; null if it was promised none. */
  readonly promised: number | null;
}

export const plus = (a: Size, b: Size, times = 1): Size => ({
  cores: a.cores + times * b.cores,
  memory: a.memory + times * b.memory,
  gpus: a.gpus + times * b.gpus,
});

/** The number of tasks that fit into what is free. */
export function tasksIn(free: Size, task: Size): number {
  let most = Infinity;
  if (task.cores > 0) most = Math.min(most, Math.floor(free.cores / task.cores));
  if (task.memory > 0) most = Math.min(most, Math.floor(free.memory / task.memory));
  if (task.gpus > 0) most = Math.min(most, Math.floor(free.gpus / task.gpus));
  return Math.max(0, most);
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Whether the machines hold all tasks of a job when nothing else runs. */
export const canHold = (machines: readonly Size[], job: Job): boolean =>
  sum(machines.map((machine) => tasksIn(machine, job.task))) >= job.tasks;
