import { plus, type Job, type Size } from "./farm.fixture.ts";

/** What a machine with so much free is worth: the least is taken, of equals the first in the pool. */
export type Heuristic = (free: Size) => number;

export const heuristics: Readonly<Record<string, Heuristic>> = {
  "first-fit": () => 0,
  "best-fit-cores": (free) => free.cores,
  "worse-fit-cores": (free) => -free.cores,
  "best-fit-memory": (free) => free.memory,
  "worse-fit-memory": (free) => -free.memory,
};

/**
 * Puts a job's tasks on machines one after another. Each goes to the machine that the heuristic prefers, by what is free
 * less the job's own tasks, among the machines that `mayTake` one more task besides those that it has got.
 *
 * @returns the machine of each task; null if one has none
 */
export function placeTasks(
  job: Job,
  free: readonly Size[],
  heuristic: Heuristic,
  mayTake: (machine: number, placed: readonly number[]) => boolean,
): number[] | null {
  const left = [...free];
  const placed: number[] = [];
  while (placed.length < job.tasks) {
    let choice = -1;
    for (let machine = 0; machine < left.length; machine++) {
      if (!mayTake(machine, placed)) continue;
      if (choice < 0 || heuristic(left[machine]) < heuristic(left[choice])) choice = machine;
    }
    if (choice < 0) return null;
    placed.push(choice);
    left[choice] = plus(left[choice], job.task, -1);
  }
  return placed;
}

/** How many of the tasks placed are on a machine. */
export const countOn = (placed: readonly number[], machine: number): number =>
  placed.filter((other) => other === machine).length;
