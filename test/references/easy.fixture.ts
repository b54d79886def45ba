import { plus, sum, tasksIn, type Job, type Run, type Size } from "./farm.fixture.ts";
import { placeNow } from "./matching.fixture.ts";
import { countOn, placeTasks, type Heuristic } from "./place.fixture.ts";
import { freeBeside, type MakeReference } from "./replay.fixture.ts";

export interface EasyRules {
  /** In which order the jobs behind the head are tried. */
  readonly candidates: "in queue order" | "shortest estimate first";
  /**
   * What the head is promised beside its time. `any`: as many of its tasks fit then, on whatever machines. `fixed`: the
   * machines that the heuristic gives it then.
   */
  readonly headMachines: "any" | "fixed";
  /** Where a task of a candidate may go: to each machine that leaves the head its promise, or to its first choice alone. */
  readonly candidateMachines: "all" | "first choice";
}

export const easyRules: EasyRules = {
  candidates: "in queue order",
  headMachines: "any",
  candidateMachines: "all",
};

/** EASY: the first waiting job that does not fit is promised a time, and those behind it may not delay it. */
export function easy(heuristic: Heuristic, given: Partial<EasyRules> = {}): MakeReference {
  const rules = { ...easyRules, ...given };
  return ({ machines }) => {
    const firstPromise = new Map<Job, number>();
    return {
      pass({ now, waiting, running }) {
        const started: Run[] = [];
        const freeNow = (): Size[] => freeBeside(machines, [...running, ...started]);
        const start = (job: Job, on: readonly number[]) =>
          started.push({ job, start: now, machines: on, promised: firstPromise.get(job) ?? null });

        const queue = [...waiting];
        while (queue.length > 0) {
          const placed = placeNow(queue[0], freeNow(), heuristic);
          if (placed === null) break;
          start(queue.shift()!, placed);
        }
        const head = queue.shift();
        if (head === undefined) return started;

        // The promise. A job that has outlived its estimate is expected to end a second from now.
        const expectedEnd = (run: Run) =>
          run.start + run.job.estimate > now ? run.start + run.job.estimate : now + 1;
        const before = [...running, ...started];
        const freeAt = (time: number) =>
          freeBeside(
            machines,
            before.filter((run) => expectedEnd(run) > time),
          );
        const headFits = (free: readonly Size[]) =>
          sum(free.map((size) => tasksIn(size, head.task))) >= head.tasks;
        const ends = before.map(expectedEnd).sort((a, b) => a - b);
        const promise = ends.find((time) => headFits(freeAt(time)))!;
        if (!firstPromise.has(head)) firstPromise.set(head, promise);

        // What is free when the head is to start, beside the candidates that will still run; and for `fixed` the head.
        let then = freeAt(promise);
        if (rules.headMachines === "fixed")
          for (const machine of placeNow(head, then, heuristic)!)
            then = then.with(machine, plus(then[machine], head.task, -1));

        if (rules.candidates === "shortest estimate first") queue.sort((a, b) => a.estimate - b.estimate);
        for (const job of queue) {
          const free = freeNow();
          const isOver = now + job.estimate <= promise;
          const thenWith = (placed: readonly number[]) =>
            then.map((size, machine) => plus(size, job.task, -countOn(placed, machine)));
          const keepsPromise = (machine: number, placed: readonly number[]): boolean => {
            if (isOver) return true;
            const left = thenWith([...placed, machine]);
            return rules.headMachines === "fixed"
              ? tasksIn(then[machine], job.task) > countOn(placed, machine)
              : headFits(left);
          };
          const fits = (machine: number, placed: readonly number[]) =>
            countOn(placed, machine) < tasksIn(free[machine], job.task);
          let placed: readonly number[] | null;
          if (rules.candidateMachines === "all")
            placed = placeTasks(
              job,
              free,
              heuristic,
              (machine, placed) => fits(machine, placed) && keepsPromise(machine, placed),
            );
          else {
            placed = placeTasks(job, free, heuristic, fits);
            if (placed?.some((machine, task) => !keepsPromise(machine, placed!.slice(0, task))))
              placed = null;
          }
          if (placed === null) continue;
          start(job, placed);
          if (!isOver) then = thenWith(placed);
        }
        return started;
      },
    };
  };
}
