import { tasksIn, type Job, type Run, type Size } from "./farm.fixture.ts";
import { countOn, placeTasks, type Heuristic } from "./place.fixture.ts";
import { freeBeside, type MakeReference } from "./replay.fixture.ts";

/** Where a job's tasks go by what is free now; null if they do not fit. */
export function placeNow(job: Job, free: readonly Size[], heuristic: Heuristic): number[] | null {
  return placeTasks(
    job,
    free,
    heuristic,
    (machine, placed) => countOn(placed, machine) < tasksIn(free[machine], job.task),
  );
}

/** A pool's cycle without reservations: in the queue's order, each job that fits now starts. */
export function matching(heuristic: Heuristic): MakeReference {
  return ({ machines }) => ({
    pass({ now, waiting, running }) {
      const started: Run[] = [];
      for (const job of waiting) {
        const placed = placeNow(job, freeBeside(machines, [...running, ...started]), heuristic);
        if (placed !== null) started.push({ job, start: now, machines: placed, promised: null });
      }
      return started;
    },
  });
}
