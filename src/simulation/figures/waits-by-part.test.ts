import * as fc from "fast-check";
import { expect, it } from "vitest";

import { waitsByPart } from "./waits-by-part.ts";
import { aWorkload } from "../workload.fixture.ts";

it("tells every part's waits, by looking at each job", () => {
  const job = fc.record({
    submit: fc.nat(100),
    cores: fc.constantFrom(500, 1000, 4000, 5000, 300_000),
    tasks: fc.integer({ min: 1, max: 3 }),
    run: fc.constantFrom(0, 60, 61, 90_000),
    queue: fc.constantFrom("day", "night", "weekend"),
    wait: fc.oneof(fc.nat(1000), fc.constant(Number.NaN)),
  });
  fc.assert(
    fc.property(fc.array(job, { minLength: 1, maxLength: 40 }), (specs) => {
      const jobs = specs.toSorted((a, b) => a.submit - b.submit);
      const workload = aWorkload(jobs);
      const waits = waitsByPart(workload, (row) => jobs[row].wait, workload.submitSeconds, 10, 90);
      const counted = jobs.filter(({ submit, wait }) => submit >= 10 && submit <= 90 && !Number.isNaN(wait));
      const sizes: Readonly<Record<string, (cores: number) => boolean>> = {
        "1 core or less": (cores) => cores <= 1,
        "2 to 4 cores": (cores) => cores > 1 && cores <= 4,
        "5 to 16 cores": (cores) => cores > 4 && cores <= 16,
        "17 to 64 cores": (cores) => cores > 16 && cores <= 64,
        "65 to 256 cores": (cores) => cores > 64 && cores <= 256,
        "more than 256 cores": (cores) => cores > 256,
      };
      for (const [name, holds] of Object.entries(sizes)) {
        const members = counted.filter(({ cores, tasks }) => holds((cores * tasks) / 1000));
        expect(waits.cores.find((part) => part.name === name)?.jobs ?? 0).toBe(members.length);
      }
      const queues = new Set(counted.map(({ queue }) => queue));
      expect(waits.queues === undefined).toBe(queues.size < 2);
      for (const { name, jobs: count, waitMeanSeconds, waitMaxSeconds } of waits.queues ?? []) {
        const members = counted.filter(({ queue }) => queue === name).map(({ wait }) => wait);
        expect(count).toBe(members.length);
        expect(waitMeanSeconds).toBeCloseTo(members.reduce((sum, wait) => sum + wait, 0) / count, 9);
        expect(waitMaxSeconds).toBe(Math.max(...members));
      }
      expect(waits.runtimes.reduce((sum, part) => sum + part.jobs, 0)).toBe(counted.length);
      expect(waits.users).toBeUndefined();
    }),
  );
});

it("names the thousand with the most jobs", () => {
  const jobs = Array.from({ length: 300 }, (_, i) => ({
    submit: i,
    project: `p${Math.floor(Math.sqrt(i))}`,
  }));
  const workload = aWorkload(jobs);
  const { projects } = waitsByPart(workload, () => 1, workload.submitSeconds, 0, 300);
  expect(projects).toHaveLength(18);
  const more = aWorkload(
    Array.from({ length: 1050 }, (_, i) => ({ submit: i, project: `p${Math.min(i, 1040)}` })),
  );
  const named = waitsByPart(more, () => 1, more.submitSeconds, 0, 1050).projects!;
  expect(named).toHaveLength(1000);
  expect(named[0]).toMatchObject({ name: "p1040", jobs: 10 });
});
