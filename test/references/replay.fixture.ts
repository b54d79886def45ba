import { countOn } from "./place.fixture.ts";
import { plus, type Farm, type Job, type Run, type Size } from "./farm.fixture.ts";

/** What a policy is told in its pass: all events of the instant have been taken. */
export interface Moment {
  readonly now: number;
  /** Jobs that came since the last pass; they wait as well. */
  readonly come: readonly Job[];
  /** Jobs that ended since the last pass, in the order in which they were started. */
  readonly ended: readonly Run[];
  /** In the queue's order. */
  readonly waiting: readonly Job[];
  /** In the order in which they were started. */
  readonly running: readonly Run[];
}

export interface Reference {
  /** The jobs that start now. */
  pass(moment: Moment): Run[];
  /** When it wants a pass though nothing comes or ends; absent: never. */
  wakesAt?(): number;
}

export type MakeReference = (farm: Farm) => Reference;

export const endOf = (run: Run): number => run.start + run.job.runtime;

/** What is free now beside the running jobs. */
export function freeBeside(machines: readonly Size[], running: readonly Run[]): Size[] {
  return machines.map((size, machine) =>
    running.reduce((free, run) => plus(free, run.job.task, -countOn(run.machines, machine)), size),
  );
}

/** Runs all jobs of a farm under a policy. Returns them in the order in which they were started. */
export function replay(farm: Farm, make: MakeReference): Run[] {
  const reference = make(farm);
  const runs: Run[] = [];
  const coming = [...farm.jobs];
  let waiting: Job[] = [];
  let running: Run[] = [];
  let last = -Infinity;
  for (;;) {
    const now = Math.min(
      coming[0]?.submit ?? Infinity,
      ...running.map(endOf),
      reference.wakesAt?.() ?? Infinity,
    );
    if (now === Infinity) break;
    if (now < last) throw new Error(`time goes back from ${last} to ${now}`);
    last = now;
    const come: Job[] = [];
    while (coming.length > 0 && coming[0].submit === now) come.push(coming.shift()!);
    const ended = running.filter((run) => endOf(run) === now);
    running = running.filter((run) => endOf(run) !== now);
    waiting.push(...come);
    const started = reference.pass({ now, come, ended, waiting, running });
    waiting = waiting.filter((job) => !started.some((run) => run.job === job));
    running.push(...started);
    runs.push(...started);
  }
  if (waiting.length > 0)
    throw new Error(`jobs wait for ever: ${waiting.map(({ number }) => number).join()}`);
  return runs;
}
