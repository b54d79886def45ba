import { describe, expect, it } from "vitest";

import { shareTree, type JobRequest, type UseMeasure } from "../index.ts";
import { aJob, aPool, equalMachines, startedOf, type DrivenPool } from "../pool/pool.fixture.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A half-life after which nothing here has decayed. */
const NEVER = 1e15;
const paths = ["/a", "/b", "/c/x", "/c/y", "/c"];
const [A, B, X, Y, C] = [0, 1, 2, 3, 4];

/** A pool of a hundred cores and 1,000 MiB whose projects are served by what they used, halved every week. */
function aSharedPool(
  shares: readonly { path: string; share: number }[] = [],
  of: UseMeasure = "cores",
  halfLifeSeconds = 7 * DAY,
): DrivenPool {
  return aPool("first-fit", equalMachines(1, { cores: 100_000, memory: 1000 }), {
    shares: shareTree(paths, shares),
    usage: { of, halfLifeSeconds },
  });
}

const ofProject = (project: number, request: Partial<JobRequest> = {}): JobRequest =>
  aJob({ project, ...request });
/** The whole pool, so that one job runs at a time. */
const wide = (project: number): JobRequest => ofProject(project, { cores: 100_000 });

/** Runs one job from one time to another. */
function run(pool: DrivenPool, request: JobRequest, from: number, to: number): void {
  const job = pool.submit(request);
  pool.cycle(from);
  expect(startedOf(pool)).toEqual([job]);
  pool.finish(job, to);
}

/** Core-hours, or MiB-hours, that count for a project. */
function used(pool: DrivenPool, project: number, now: number): number {
  const perHour = pool.usage!.settings.of === "memory" ? HOUR : 1000 * HOUR;
  return pool.usage!.usedAt(shareTree(paths, []).leafOf[project], now) / perHour;
}

/** The projects in the order in which a job of each starts, one at a time, if they all come now in this order. */
function order(pool: DrivenPool, projects: readonly number[], now: number): number[] {
  const jobs = projects.map((project) => pool.submit(wide(project)));
  return jobs.map(() => {
    pool.cycle(now);
    const [job] = startedOf(pool);
    pool.finish(job, now);
    return projects[jobs.indexOf(job)];
  });
}

describe("what a project has used", () => {
  it("is halved after a half-life", () => {
    const pool = aSharedPool([], "cores", DAY);
    run(pool, ofProject(A, { cores: 100_000 }), 0, HOUR);
    const before = used(pool, A, HOUR);
    expect(used(pool, A, HOUR + DAY)).toBeCloseTo(before / 2, 10);
    expect(used(pool, A, HOUR + 3 * DAY)).toBeCloseTo(before / 8, 10);
    // The first of them are an hour old at its end: 100 ∫ 2^(-s/24) ds from 0 to 1.
    expect(before).toBeCloseTo((100 * 24 * (1 - 2 ** (-1 / 24))) / Math.LN2, 10);
  });

  it("counts running jobs up to now, by their cores and tasks", () => {
    const pool = aSharedPool([], "cores", NEVER);
    pool.submit(ofProject(A, { cores: 2000, tasks: 3 }));
    pool.cycle(0);
    expect(used(pool, A, 0)).toBe(0);
    expect(used(pool, A, 10 * HOUR)).toBeCloseTo(60, 6);
    pool.submit(ofProject(A));
    pool.cycle(10 * HOUR);
    expect(used(pool, A, 11 * HOUR)).toBeCloseTo(67, 6);
  });

  it("settles to what decays as fast as it comes: cores × half-life ÷ ln 2", () => {
    const pool = aSharedPool([], "cores", HOUR);
    pool.submit(ofProject(A, { cores: 10_000 }));
    pool.cycle(0);
    expect(used(pool, A, 1000 * DAY)).toBeCloseTo(10 / Math.LN2, 10);
  });

  it("is not what suspended jobs would have used", () => {
    const pool = aSharedPool([], "cores", NEVER);
    const job = pool.submit(ofProject(A, { cores: 4000 }));
    pool.cycle(0);
    pool.suspend(job, false, HOUR);
    expect(used(pool, A, 5 * HOUR)).toBeCloseTo(4, 6);
    pool.resume(job, false, 5 * HOUR);
    expect(used(pool, A, 6 * HOUR)).toBeCloseTo(8, 6);
    pool.suspend(job, false, 6 * HOUR);
    pool.abandon(job, false);
    expect(used(pool, A, 9 * HOUR)).toBeCloseTo(8, 6);
  });

  it("can be memory, or the resource of which a job has the largest part", () => {
    const request = { cores: 10_000, memory: 300, tasks: 2 };
    for (const [of, amount] of [
      ["cores", 20],
      ["memory", 600],
      // 30 % of the memory is more than 10 % of the cores: as much as 30 cores.
      ["dominant", 60],
    ] as const) {
      const pool = aSharedPool([], of, NEVER);
      run(pool, ofProject(B, request), 0, HOUR);
      expect(used(pool, B, HOUR)).toBeCloseTo(amount, 6);
    }
  });
});

describe("fair share by what was used", () => {
  it("serves the project first that has used least for its share, and forgets", () => {
    const pool = aSharedPool([{ path: "/a", share: 3 }], "cores", DAY);
    run(pool, wide(A), 0, 2 * HOUR);
    run(pool, wide(B), 2 * HOUR, 3 * HOUR);
    // 200 ÷ 3 is less than 100.
    expect(order(pool, [B, A], 3 * HOUR)).toEqual([A, B]);
    run(pool, wide(A), 3 * HOUR, 5 * HOUR);
    expect(order(pool, [A, B], 5 * HOUR)).toEqual([B, A]);
    // After a hundred days both have next to nothing, and still in the same proportion.
    expect(order(pool, [A, B], 100 * DAY)).toEqual([B, A]);
    // What was used then counts for nothing against a second of now.
    run(pool, wide(B), 100 * DAY, 100 * DAY + 1);
    expect(order(pool, [B, A], 100 * DAY + 1)).toEqual([A, B]);
  });

  it("lets a new project come before all that have used something, one after the other", () => {
    const pool = aSharedPool();
    run(pool, wide(A), 0, HOUR);
    run(pool, wide(B), HOUR, HOUR + 1);
    expect(order(pool, [A, B, Y], HOUR + 1)).toEqual([Y, B, A]);
  });

  it("goes down the tree: a parent has used what is below it, and what its own jobs did", () => {
    const pool = aSharedPool([], "cores", NEVER);
    run(pool, wide(X), 0, 2 * HOUR);
    run(pool, wide(C), 2 * HOUR, 3 * HOUR);
    run(pool, wide(B), 3 * HOUR, 5 * HOUR);
    // /a 0, /b 200, /c 300; below /c: y 0, its own 100, x 200.
    expect(order(pool, [X, C, Y, B, A], 5 * HOUR)).toEqual([A, B, Y, C, X]);
  });

  it("serves equals by the arrival of their first jobs, however their use came about", () => {
    const pool = aSharedPool([], "cores", DAY);
    const long = pool.submit(ofProject(A, { cores: 3000 }));
    pool.cycle(0);
    // The same use in many pieces.
    for (let second = 0; second < 900; second++) run(pool, ofProject(B, { cores: 3000 }), second, second + 1);
    pool.finish(long, 900);
    expect(order(pool, [A, B], 900)).toEqual([A, B]);
    expect(order(pool, [B, A], 5000)).toEqual([B, A]);
  });

  it("does not count what the pass has just placed, which has used nothing yet", () => {
    const pool = aSharedPool();
    run(pool, ofProject(B), 0, 1);
    const [a1, a2, b] = [A, A, B].map((project) => pool.submit(ofProject(project)));
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([a1, a2, b]);
  });
});
