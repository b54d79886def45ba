import { expect, it } from "vitest";

import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { Claims } from "./claims.ts";
import type { Decision } from "./decisions.ts";
import type { PoolManager } from "./pool-manager.ts";

function claimsOf(count: number): { claims: Claims; blocked: Set<number>; looks: () => number } {
  const blocked = new Set(Array.from({ length: count }, (_, job) => job));
  let looks = 0;
  const suspensions = {
    isBlocked(job: number) {
      looks++;
      return blocked.has(job);
    },
  };
  const jobs = { unread: Float64Array.from({ length: count }, (_, job) => job) };
  const claims = new Claims(jobs as unknown as EngineJobs, [{ suspensions } as unknown as PoolManager]);
  for (let job = 0; job < count; job++) claims.add({ kind: 1, job, pool: 0 } as Decision, job);
  return { claims, blocked, looks: () => looks };
}

function taken(claims: Claims): number[] {
  const decision = {} as Decision;
  const jobs: number[] = [];
  while (claims.take(decision)) jobs.push(decision.job);
  return jobs;
}

it("gives those that can be read in the order in which they were decided", () => {
  const { claims, blocked } = claimsOf(5);
  expect(taken(claims)).toEqual([]);
  for (const job of [3, 1]) blocked.delete(job);
  expect(taken(claims)).toEqual([]);
  claims.changed();
  expect(taken(claims)).toEqual([1, 3]);
  blocked.clear();
  claims.changed();
  expect(claims.save((job) => job).map(({ job }) => job)).toEqual([0, 2, 4]);
  expect(taken(claims)).toEqual([0, 2, 4]);
});

it("goes on from the first when another job stops on the way", () => {
  const { claims, blocked } = claimsOf(4);
  blocked.delete(2);
  claims.changed();
  const decision = {} as Decision;
  expect([claims.take(decision), decision.job]).toEqual([true, 2]);
  blocked.clear();
  claims.changed();
  expect(taken(claims)).toEqual([0, 1, 3]);
});

it("looks at each once where thousands can be read at once", () => {
  const { claims, blocked, looks } = claimsOf(10_000);
  taken(claims);
  const before = looks();
  blocked.clear();
  claims.changed();
  expect(taken(claims)).toHaveLength(10_000);
  expect(looks() - before).toBe(10_000);
});
