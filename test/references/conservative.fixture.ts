import type { Job, Run } from "./farm.fixture.ts";
import type { Heuristic } from "./place.fixture.ts";
import type { MakeReference } from "./replay.fixture.ts";
import { Timeline, type Place } from "./timeline.fixture.ts";

/** What the definition leaves open, and faults that a comparison has to find. */
export interface PromiseRules {
  /** In which order jobs that end early at one instant give back what they would still have used. */
  readonly freed: "in order of start" | "latest start first";
  /** After which ends waiting jobs are placed again. The schedules that pyss published have it after each. */
  readonly placedAgainAfter: "early ends" | "each end";
  /** In which order they are placed again. */
  readonly placedAgain: "in queue order" | "last first";
  /** Whether a job that comes sees what jobs that end at the same instant give back. It does if no other job waits. */
  readonly come: "before what is freed" | "after what is freed";
  /** Whether a job that finds no earlier start may change its machines. */
  readonly stays: "where it was" | "on the machines of the new place";
}

export const promiseRules: PromiseRules = {
  freed: "in order of start",
  placedAgainAfter: "each end",
  placedAgain: "in queue order",
  come: "before what is freed",
  stays: "where it was",
};

/** Conservative backfilling: every job is promised a start when it comes, and is moved only to earlier ones. */
export function conservative(heuristic: Heuristic, given: Partial<PromiseRules> = {}): MakeReference {
  const rules = { ...promiseRules, ...given };
  return ({ machines }) => {
    const timeline = new Timeline(machines);
    const promises = new Map<Job, Place>();
    const firstPromise = new Map<Job, number>();

    const promise = (jobs: readonly Job[], now: number) => {
      for (const job of jobs) {
        const place = timeline.earliest(job, now, heuristic)!;
        timeline.add(job, place);
        promises.set(job, place);
        firstPromise.set(job, place.start);
      }
    };
    const placeAgain = (job: Job, now: number) => {
      const old = promises.get(job)!;
      timeline.remove(job);
      const limit = rules.stays === "where it was" ? old.start : old.start + 1;
      const place = timeline.earliest(job, now, heuristic, limit) ?? old;
      timeline.add(job, place);
      promises.set(job, place);
    };

    return {
      wakesAt: () => Math.min(...[...promises.values()].map(({ start }) => start)),
      pass({ now, come, ended, waiting }) {
        const isPromisedFirst = rules.come === "before what is freed" && waiting.length > come.length;
        if (isPromisedFirst) promise(come, now);
        for (const run of rules.freed === "in order of start" ? ended : ended.toReversed()) {
          timeline.remove(run.job);
          const { runtime, estimate } = run.job;
          if (runtime > estimate) throw new Error("a job that outlives its estimate breaks promises");
          if (runtime === estimate && rules.placedAgainAfter === "early ends") continue;
          const again = waiting.filter((job) => promises.has(job) && promises.get(job)!.start !== now);
          for (const job of rules.placedAgain === "in queue order" ? again : again.toReversed())
            placeAgain(job, now);
        }
        if (!isPromisedFirst) promise(come, now);

        const started: Run[] = [];
        for (const job of waiting) {
          const place = promises.get(job)!;
          if (place.start !== now) continue;
          started.push({ job, ...place, promised: firstPromise.get(job)! });
          promises.delete(job);
        }
        return started;
      },
    };
  };
}
