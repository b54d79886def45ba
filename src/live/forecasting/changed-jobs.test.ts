import { expect, it } from "vitest";

import { ChangedJobs } from "./changed-jobs.ts";

const madeAt = (unixSeconds: number) => ({ madeAt: new Date(1000 * unixSeconds).toISOString() });

it("a forecast holds until its job is changed", () => {
  const jobs = new ChangedJobs(() => true);
  jobs.changed(1, 100);
  expect([99, 100, 101].map((at) => jobs.holds(1, madeAt(at)))).toEqual([false, false, true]);
  expect(jobs.holds(2, madeAt(99))).toBe(true);
  jobs.forgetBefore(101);
  expect(jobs.size).toBe(0);
});

it("nothing is kept of jobs that are over, though nothing is forecast anew", () => {
  const present = new Set<number>();
  const jobs = new ChangedJobs((job) => present.has(job));
  for (let job = 1; job <= 1000; job++) {
    present.add(job);
    jobs.changed(job, job);
    present.delete(job);
    jobs.changed(job, job + 0.5);
  }
  expect(jobs.size).toBe(0);
});
