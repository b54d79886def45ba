import { promiseRules, type PromiseRules } from "./conservative.fixture.ts";
import type { Job, Run } from "./farm.fixture.ts";
import type { Heuristic } from "./place.fixture.ts";
import type { MakeReference } from "./replay.fixture.ts";
import { Timeline, type Place } from "./timeline.fixture.ts";

/** `backfill:N`: the first N waiting jobs hold promises; those behind start only where they delay none of these. */
export function backfill(
  depth: number,
  heuristic: Heuristic,
  given: Partial<PromiseRules> = {},
): MakeReference {
  const rules = { ...promiseRules, ...given };
  return ({ machines }) => {
    const timeline = new Timeline(machines);
    /** Of the waiting jobs that hold one. */
    const promises = new Map<Job, Place>();
    const firstPromise = new Map<Job, number>();

    return {
      wakesAt: () => Math.min(...[...promises.values()].map(({ start }) => start)),
      pass({ now, come, ended, waiting }) {
        let queue = [...waiting];
        const started: Run[] = [];
        const start = (job: Job, place: Place) => {
          started.push({ job, ...place, promised: firstPromise.get(job) ?? null });
          promises.delete(job);
          queue = queue.filter((other) => other !== job);
        };
        const promise = (job: Job) => {
          const place = timeline.earliest(job, now, heuristic)!;
          timeline.add(job, place);
          promises.set(job, place);
          firstPromise.set(job, place.start);
        };
        const promiseToFirst = () => {
          for (const job of queue) if (promises.size < depth && !promises.has(job)) promise(job);
        };

        // 1. Promises, beside the windows of the jobs that have ended since the last pass.
        const isPromisedFirst = rules.come === "before what is freed" && waiting.length > come.length;
        if (isPromisedFirst) promiseToFirst();

        // 2. What has ended early is free: those that hold promises are placed again.
        for (const { job: gone } of rules.freed === "in order of start" ? ended : ended.toReversed()) {
          timeline.remove(gone);
          if (gone.runtime > gone.estimate)
            throw new Error("a job that outlives its estimate breaks promises");
          if (gone.runtime === gone.estimate && rules.placedAgainAfter === "early ends") continue;
          const holders = queue.filter((job) => promises.has(job));
          if (rules.placedAgain === "last first") holders.reverse();
          for (const job of holders) {
            const old = promises.get(job)!;
            if (old.start === now) continue;
            timeline.remove(job);
            const limit = rules.stays === "where it was" ? old.start : old.start + 1;
            const place = timeline.earliest(job, now, heuristic, limit) ?? old;
            timeline.add(job, place);
            promises.set(job, place);
          }
        }
        if (!isPromisedFirst) promiseToFirst();

        // 3. Those start that are promised this instant. Then the next in the queue come among the first N.
        for (const [job, place] of [...promises].sort(([a], [b]) => a.number - b.number))
          if (place.start === now) start(job, place);
        for (;;) {
          const next = queue.find((job) => !promises.has(job));
          if (next === undefined || promises.size >= depth) break;
          promise(next);
          const place = promises.get(next)!;
          if (place.start === now) start(next, place);
        }

        // 4. The jobs behind them are tried once.
        for (const job of queue.filter((job) => !promises.has(job))) {
          const place = timeline.placeAt(job, now, heuristic);
          if (place === null) continue;
          timeline.add(job, place);
          start(job, place);
        }
        return started;
      },
    };
  };
}
