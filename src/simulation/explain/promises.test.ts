import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Workload } from "../../workload/index.ts";
import { aPoolOf, farmOf } from "../farm.fixture.ts";
import { aWorkload, type JobSpec } from "../workload.fixture.ts";
import { explainJob } from "./explain-job.ts";
import type { Cause, Reason, Step } from "./explanation.ts";

/** One machine of four cores. */
const farm = farmOf([aPoolOf("p", [{ coresMilli: 4000 }])]);
const aJob = (submit: number, run: number, cores: number, estimate = run): JobSpec => ({
  submit,
  run,
  cores: cores * 1000,
  estimate,
});

function stepsOf(job: number, jobs: readonly JobSpec[], policy: string, settings = {}): readonly Step[] {
  return explainJob(job, aWorkload(jobs), farm, { policy, estimates: "log", ...settings }).steps;
}

const startOf = (steps: readonly Step[]): Cause | undefined =>
  steps.find(({ doing }) => doing === "running")?.because;

describe("the machines at a job's turn", () => {
  /** A core is free at the third job's turn, who would delay the second; the fourth then takes it. */
  const passed = [aJob(0, 10, 3), aJob(0, 28, 4), aJob(0, 50, 1), aJob(0, 10, 1)];

  it.each(["easy", "easy-sjbf"])("are told under %s, though a later job starts there", (policy) => {
    const [first] = stepsOf(3, passed, policy);
    const reason = { kind: "would delay", machines: 1, job: 2, startSeconds: 10 };
    // The shortest first, the fourth has its turn before the third, and then the machine is full.
    const full = {
      machine: "p-1",
      coresShort: 1,
      memoryShortMiB: 0,
      gpusShort: 0,
      gpuKind: null,
      running: [1, 4],
      suspended: [],
    };
    expect(first.reasons).toEqual(
      policy === "easy" ? [reason] : [{ kind: "too full", machines: 1, nearest: full }],
    );
  });

  it("are told of promised jobs, and of those that would delay them", () => {
    expect(stepsOf(3, passed, "backfill:1")[0].reasons).toEqual([
      { kind: "would delay promises", machines: 1, jobs: [2], count: 1, startSeconds: 10 },
    ]);
    expect(stepsOf(3, passed, "conservative")[0].reasons).toEqual([
      {
        kind: "promised",
        policy: "conservative",
        machines: 1,
        startSeconds: 38,
        awaits: null,
        firstSeconds: 38,
        on: ["p-1"],
        delay: null,
      },
    ]);
  });

  it.each(["easy", "backfill:1", "conservative"])(
    "are told of the first job under %s, without those that pass it",
    (policy) => {
      const [{ reasons }] = stepsOf(2, passed, policy);
      const nearest = {
        machine: "p-1",
        coresShort: 3,
        memoryShortMiB: 0,
        gpusShort: 0,
        gpuKind: null,
        running: [1],
        suspended: [],
      };
      expect(reasons![0]).toEqual({ kind: "too full", machines: 1, nearest });
    },
  );

  it("change when a job ends, though a later one takes its place at once", () => {
    const jobs = [aJob(0, 10, 3), aJob(0, 5, 1), aJob(1, 28, 4), aJob(1, 50, 1), aJob(1, 4, 1)];
    const steps = stepsOf(4, jobs, "easy").map(({ fromSeconds, cycles, reasons }) => [
      fromSeconds,
      cycles,
      reasons?.map(({ kind }) => kind),
    ]);
    expect(steps.slice(0, 2)).toEqual([
      [1, 1, ["too full"]],
      [5, 2, ["would delay"]],
    ]);
  });

  const jobs = fc.array(
    fc.record({
      cores: fc.integer({ min: 1, max: 4 }),
      tasks: fc.integer({ min: 1, max: 3 }),
      run: fc.integer({ min: 1, max: 5 }).map((seconds) => seconds * 10),
      queue: fc.constantFrom("a", "b"),
    }),
    { minLength: 3, maxLength: 12 },
  );
  const policies = [
    "first-fit",
    "fcfs",
    "easy",
    "easy/best-fit-cores",
    "backfill:1",
    "backfill:2",
    "conservative",
  ];

  it("do not depend on the jobs behind", () => {
    const isSame = (
      specs: readonly { cores: number; tasks: number; run: number; queue: string }[],
      policy: string,
      at: number,
      hasShares: boolean,
      hasFamilies: boolean,
    ): void => {
      const place = at % specs.length;
      const all = specs.map(({ cores, queue, run, tasks }, i): JobSpec => {
        const family = i === 0 ? "a" : queue;
        return { cores: cores * 1000, tasks, run, estimate: run, project: "p", queue: family };
      });
      const machines = farmOf([aPoolOf("p", [{ count: 2, coresMilli: 4000 }])]);
      const families = [{ field: "queue" as const, values: ["a"] }];
      const packing = hasFamilies
        ? { packing: { policy: "exclusive" as const, families, ttlSeconds: Infinity } }
        : {};
      const firstReasons = (workload: Workload): readonly Reason[] | undefined => {
        // With shares the queue is no longer one by arrival; that of a single project has the same order.
        const shares = hasShares ? { fairShare: [] } : {};
        const settings = { policy, estimates: "log" as const, ...packing, ...shares };
        // None of a job that no machines could hold.
        return explainJob(place + 1, workload, machines, settings).steps.at(0)?.reasons;
      };
      expect(firstReasons(aWorkload(all))).toEqual(firstReasons(aWorkload(all.slice(0, place + 1))));
    };
    const property = fc.property(
      jobs,
      fc.constantFrom(...policies),
      fc.nat(),
      fc.boolean(),
      fc.boolean(),
      isSame,
    );
    fc.assert(property, { numRuns: 60 });
  });
});

describe("a promise that was broken", () => {
  it.each(["easy", "easy-sjbf", "conservative", "backfill:1"])(
    "is told of the start under %s, with the job that ran for longer",
    (policy) => {
      const jobs = [aJob(0, 20, 4, 10), aJob(1, 5, 4), aJob(2, 5, 1)];
      const told = startOf(stepsOf(2, jobs, policy));
      expect(told).toEqual({ kind: "started", firstSeconds: 10, delay: "overrun", by: [1] });
      expect(startOf(stepsOf(1, jobs, policy))).toEqual({ kind: "started" });
    },
  );

  it("is told where no cycle came in time", () => {
    const jobs = [aJob(0, 40, 4), aJob(1, 5, 4)];
    expect(startOf(stepsOf(2, jobs, "easy", { intervalSeconds: 30 }))).toEqual({
      kind: "started",
      firstSeconds: 40,
      delay: "late cycle",
    });
  });

  it.each(["easy", "conservative", "backfill:1"])("names who goes first under %s", (policy) => {
    const of = (project: string, job: JobSpec): JobSpec => ({ ...job, project });
    const waits = [of("a", aJob(0, 100, 4)), of("a", aJob(1, 10, 4)), of("b", aJob(2, 10, 4))];
    const shares = { fairShare: [], usage: { halfLifeSeconds: 3600, of: "cores" } };
    const told = { kind: "started", firstSeconds: 100, delay: "higher rank", by: [3] };
    expect(startOf(stepsOf(2, waits, policy, shares))).toEqual(told);
    // There is room for the third at once.
    const starts = [of("a", aJob(0, 100, 2)), of("a", aJob(1, 10, 4)), of("b", aJob(2, 200, 2))];
    expect(startOf(stepsOf(2, starts, policy, shares))).toEqual(told);
  });
});

describe("a promise of no time", () => {
  const promise = (steps: readonly Step[]): object | undefined =>
    steps[0].reasons?.find(({ kind }) => kind === "promised");

  it.each(["easy", "conservative", "backfill:1"])("waits for machines, or for jobs, under %s", (policy) => {
    const outages = [{ machine: 0, downSeconds: 1, upSeconds: 30 }];
    const alone = stepsOf(1, [aJob(2, 5, 4)], policy, { failures: { kind: "listed", outages } });
    const awaits = { kind: "machines", machines: ["p-1"], count: 1 };
    expect(promise(alone)).toMatchObject({ startSeconds: null, awaits });
    const behind = stepsOf(2, [aJob(0, 50, 4, Infinity), aJob(2, 5, 4)], policy);
    expect(promise(behind)).toMatchObject({ startSeconds: null, awaits: { kind: "jobs" } });
  });
});

it("tells of the other ways to backfill what would have become of a job", () => {
  const names = (policy: string): string[] =>
    explainJob(2, aWorkload([aJob(0, 10, 4), aJob(1, 5, 4)]), farm, { policy }).alternatives.map(
      (each) => each.policy,
    );
  expect(names("easy").slice(0, 3)).toEqual(["backfill:10", "conservative", "first-fit"]);
  expect(names("backfill:2/best-fit-cores").slice(0, 3)).toEqual([
    "easy/best-fit-cores",
    "backfill:10/best-fit-cores",
    "conservative/best-fit-cores",
  ]);
  expect(names("fcfs")).not.toContain("easy");
});
