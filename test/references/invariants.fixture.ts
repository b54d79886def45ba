import { tasksIn, type Farm, type Run, type Size } from "./farm.fixture.ts";
import { endOf, freeBeside } from "./replay.fixture.ts";

/** What is wrong with a schedule whatever the policy: lost jobs, starts before submission, machines beyond capacity. */
export function violations(farm: Farm, runs: readonly Run[]): string[] {
  const found: string[] = [];
  for (const job of farm.jobs) {
    const times = runs.filter((run) => run.job === job).length;
    if (times !== 1) found.push(`job ${job.number} runs ${times} times`);
  }
  for (const { job, start, machines } of runs) {
    if (start < job.submit) found.push(`job ${job.number} starts before it comes`);
    if (machines.length !== job.tasks)
      found.push(`job ${job.number} has ${machines.length} tasks of ${job.tasks}`);
  }
  // What is used grows only where a job starts.
  for (const { start } of runs) {
    const running = runs.filter((run) => run.start <= start && start < endOf(run));
    for (const [machine, free] of freeBeside(farm.machines, running).entries())
      if (isOverfull(free)) found.push(`machine m${machine + 1} is overfull at ${start}`);
  }
  return found;
}

const isOverfull = ({ cores, memory, gpus }: Size): boolean => cores < 0 || memory < 0 || gpus < 0;

/** Whether the jobs fit on machines of which only is known that each has at least one task. */
export function violationsOfSets(
  farm: Farm,
  starts: readonly { readonly start: number; readonly machines: readonly number[] }[],
): string[] {
  const found: string[] = [];
  for (const [row, job] of farm.jobs.entries()) {
    const { start, machines } = starts[row];
    if (!(start >= job.submit)) found.push(`job ${job.number} starts at ${start} and comes at ${job.submit}`);
    if (machines.length === 0 || machines.length > job.tasks)
      found.push(`job ${job.number} has ${job.tasks} tasks on ${machines.length} machines`);
  }
  for (const { start } of starts) {
    const running = farm.jobs.flatMap((job, row) =>
      starts[row].start <= start && start < starts[row].start + job.runtime
        ? [{ job, machines: starts[row].machines }]
        : [],
    );
    // One task on each of its machines, and the others where there is room when all of those are in place.
    let free = [...farm.machines];
    for (const { job, machines } of running)
      for (const machine of machines) {
        const { cores, memory, gpus } = job.task;
        const left = free[machine];
        free = free.with(machine, {
          cores: left.cores - cores,
          memory: left.memory - memory,
          gpus: left.gpus - gpus,
        });
      }
    for (const [machine, left] of free.entries())
      if (isOverfull(left)) found.push(`machine m${machine + 1} is overfull at ${start}`);
    for (const { job, machines } of running) {
      let more = job.tasks - machines.length;
      for (const machine of machines) more -= Math.max(0, tasksIn(free[machine], job.task));
      if (more > 0) found.push(`job ${job.number} has no room for ${more} tasks at ${start}`);
    }
  }
  return found;
}
