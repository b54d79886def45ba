import { describe, expect, it } from "vitest";

import { aPoolOf, farmOf, runFarm } from "../farm.fixture.ts";
import { simulate } from "../simulate.ts";
import { aFarm, aWorkload } from "../workload.fixture.ts";
import type { FailureSettings, Outage } from "../settings/failure-settings.ts";

const listed = (...outages: Outage[]): FailureSettings => ({ kind: "listed", outages });
const atEveryEvent = { policy: "first-fit", intervalSeconds: 0 };

describe("machines that fail as listed", () => {
  it("take the jobs on them with them, which start again from the beginning", () => {
    // One machine of 2 cores. Job 1 runs from 0 until the machine fails at 40, and again from 60 to 160.
    // Job 2, of one core, is submitted at 50, while it is down, and runs from 60 to 90.
    const workload = aWorkload([
      { run: 100, cores: 1000 },
      { submit: 50, run: 30, cores: 1000 },
    ]);
    const failures = listed({ machine: 0, downSeconds: 40, upSeconds: 60 });
    const { result, schedule, ledger } = simulate(workload, aFarm([{ cores: 2000 }]), {
      ...atEveryEvent,
      failures,
    });
    expect(Array.from(schedule.startSeconds)).toEqual([0, 60]);
    expect(Array.from(schedule.endSeconds!)).toEqual([160, 90]);
    expect(ledger!.timesOf(0)).toMatchObject({
      waiting: 20,
      running: 100,
      suspended: 0,
      lost: 40,
    });
    expect(ledger!.losses).toEqual(new Map([[0, { count: 1, seconds: 40 }]]));
    expect(result).toMatchObject({
      lostJobs: 1,
      losses: 1,
      repeatedCoreHours: 40 / 3600,
      unavailableCoreHours: (2 * 20) / 3600,
      waitMeanSeconds: (20 + 10) / 2,
      wastedWaitMinutes: 15 / 60,
      wastedRestartMinutes: 20 / 60,
      wastedMeanMinutes: 35 / 60,
      days: [{ waitSumSeconds: 30, wastedSumSeconds: 70 }],
      completionMeanMinutes: 100 / 60,
      makespanSeconds: 160,
      suspendRate: 0,
    });
    // Of 2 cores over 160 s: 140 s of job 1 and 30 s of job 2.
    expect(result.coreUtilizationMean).toBeCloseTo(170 / 320, 12);
  });

  it("end every job that has a task on them, and no other", () => {
    const workload = aWorkload([
      { run: 100, cores: 1000, tasks: 2 },
      { run: 100, cores: 1000 },
    ]);
    const failures = listed({ machine: 1, downSeconds: 10, upSeconds: 20 });
    const machines = aFarm([{ cores: 1000 }, { cores: 1000 }, { cores: 1000 }]);
    const { schedule } = simulate(workload, machines, { ...atEveryEvent, failures });
    expect(Array.from(schedule.endSeconds!)).toEqual([120, 100]);
  });

  it("lose with checkpoints only what came after the last, and slower machines take longer for it", () => {
    // 100 s of work at half speed with a checkpoint every 30 s of progress: at 90 s 45 s are done, 30 s are kept;
    // the other 70 s take 140 s from 100 on.
    const farm = farmOf([aPoolOf("p", [{ speed: 0.5 }])], { rescheduling: { checkpointSeconds: 30 } });
    const failures = listed({ machine: 0, downSeconds: 90, upSeconds: 100 });
    const { accounts, result } = runFarm(aWorkload([{ run: 100 }]), farm, { failures });
    expect(accounts).toMatchObject([
      { completedSeconds: 240, waitingSeconds: 10, runningSeconds: 200, lostSeconds: 30 },
    ]);
    expect(result.repeatedCoreHours).toBeCloseTo(30 / 3600, 12);
  });

  it("send a suspended job to the queue as well", () => {
    // Job 1 is suspended from 10 for job 2, which runs until the machine fails at 20. Both wait; the urgent one is first.
    const workload = aWorkload([
      { run: 50, priority: 0 },
      { submit: 10, run: 50, priority: 1 },
    ]);
    const failures = listed({ machine: 0, downSeconds: 20, upSeconds: 30 });
    const { accounts } = runFarm(workload, farmOf([aPoolOf("p", [{}])]), { failures });
    expect(accounts).toMatchObject([
      { row: 1, completedSeconds: 80, waitingSeconds: 10, lostSeconds: 10, runningSeconds: 50 },
      { row: 0, completedSeconds: 130, waitingSeconds: 60, lostSeconds: 10, suspendedSeconds: 10 },
    ]);
  });

  it("leave a job that is on its way to another pool alone, even if it arrives when its earlier run would have ended", () => {
    // Job 1 would end in pool a at 120. At 60 job 2 suspends it, and it goes to pool b: it arrives at 120 and ends at 240.
    const pools = [aPoolOf("a", [{}]), aPoolOf("b", [{}], { site: 1 })];
    const farm = farmOf(pools, {
      sites: ["s1", "s2"],
      transferSeconds: [
        [0, 60],
        [60, 0],
      ],
      rescheduling: { strategy: "ResSusUtil" },
    });
    const workload = aWorkload([
      { run: 120, priority: 0 },
      { submit: 60, run: 600, priority: 1, pools: "a" },
    ]);
    for (const failures of [null, listed({ machine: 1, downSeconds: 10_000, upSeconds: 10_001 })]) {
      const { completedSeconds } = runFarm(workload, farm, { failures });
      expect(Array.from(completedSeconds)).toEqual([240, 660]);
    }
  });

  it.each(["NoRes", "ResSusWaitUtil"])(
    "end the run where a job waits for one that is never repaired: %s",
    (strategy) => {
      const pools = [aPoolOf("a", [{ coresMilli: 4000 }]), aPoolOf("b", [{ coresMilli: 2000 }])];
      const failures = listed({ machine: 0, downSeconds: 0, upSeconds: Infinity });
      const farm = farmOf(pools, { rescheduling: { strategy } });
      expect(() => runFarm(aWorkload([{ run: 100, cores: 4000 }]), farm, { failures })).toThrow(
        "1 jobs wait for machines that are never repaired",
      );
    },
  );

  it("end the run where a job needs more of them than are ever in service together, under cycles too", () => {
    const failures: FailureSettings = { kind: "drawn", mtbfSeconds: 100, mttrSeconds: 5000, shape: 1 };
    const machines = aFarm(Array.from({ length: 10 }, () => ({ cores: 1000 })));
    const workload = aWorkload([{ run: 100, cores: 1000, tasks: 10 }]);
    expect(() => simulate(workload, machines, { policy: "first-fit", failures, seed: 2 })).toThrow(
      /never in service together|was lost 1000 times/,
    );
  });

  it("may be down before the first job comes, and after the last is over", () => {
    const workload = aWorkload([{ submit: 100, run: 10 }]);
    const failures = listed(
      { machine: 0, downSeconds: 20, upSeconds: 150 },
      { machine: 0, downSeconds: 500, upSeconds: 900 },
    );
    const { result, schedule } = simulate(workload, aFarm([{ cores: 1000 }]), { ...atEveryEvent, failures });
    expect(Array.from(schedule.startSeconds)).toEqual([150]);
    expect(result).toMatchObject({ losses: 0, unavailableCoreHours: 50 / 3600, makespanSeconds: 60 });
  });

  it("count the pools' machines one after the other", () => {
    const farm = farmOf([aPoolOf("a", [{}, {}]), aPoolOf("b", [{}])]);
    const workload = aWorkload([
      { run: 50, pools: "a" },
      { run: 50, pools: "b" },
    ]);
    const failures = listed({ machine: 2, downSeconds: 10, upSeconds: 20 });
    const { completedSeconds } = runFarm(workload, farm, { failures });
    expect(Array.from(completedSeconds)).toEqual([50, 70]);
  });

  it.each([
    [[{ machine: 1, downSeconds: 0, upSeconds: 1 }], /has only machines 0 to 0/],
    [[{ machine: 0, downSeconds: 2, upSeconds: 1 }], /up must come after down/],
    [
      [
        { machine: 0, downSeconds: 5, upSeconds: 9 },
        { machine: 0, downSeconds: 1, upSeconds: 6 },
      ],
      /fails at 5 while it is down already/,
    ],
    [
      [{ machine: 0, downSeconds: 0, upSeconds: Infinity }],
      /1 jobs wait for machines that are never repaired/,
    ],
  ])("%j is refused", (outages, message) => {
    const failures: FailureSettings = { kind: "listed", outages };
    const run = (): unknown =>
      simulate(aWorkload([{}]), aFarm([{ cores: 1000 }]), { ...atEveryEvent, failures });
    expect(run).toThrow(message);
  });
});

describe("machines that fail under one of two attempts", () => {
  // Job 1 is suspended in pool a from 40 to 90, for job 2; its second attempt runs in pool b from 40 on.
  const workload = aWorkload([
    { run: 100, priority: 0, pools: "a;b" },
    { submit: 40, run: 50, priority: 1, pools: "a" },
  ]);
  const lostAt = (machine: number, checkpointSeconds: number | null) => {
    const farm = farmOf([aPoolOf("a", [{}]), aPoolOf("b", [{}])], {
      rescheduling: { strategy: "DupSusUtil", checkpointSeconds },
    });
    return runFarm(workload, farm, { failures: listed({ machine, downSeconds: 100, upSeconds: 500 }) });
  };

  it.each([null, 30])("lose the first, and the second goes on (checkpoints: %s)", (checkpointSeconds) => {
    const { result, accounts } = lostAt(0, checkpointSeconds);
    // It went on at 90 s, so it ran 10 s beside the second.
    expect(result).toMatchObject({ duplicates: 1, lostJobs: 1, losses: 1, duplicateMeanMinutes: 0 });
    expect(result.repeatedCoreHours).toBeCloseTo(10 / 3600, 12);
    expect(accounts.at(-1)).toMatchObject({
      row: 0,
      completedSeconds: checkpointSeconds === null ? 140 : 110,
    });
  });

  it("lose the second, and the first goes on", () => {
    const { result, accounts } = lostAt(1, null);
    expect(result).toMatchObject({ duplicates: 1, lostJobs: 1, losses: 1, duplicateMeanMinutes: 0 });
    expect(result.repeatedCoreHours).toBeCloseTo(60 / 3600, 12);
    expect(accounts.at(-1)).toMatchObject({ row: 0, completedSeconds: 150, suspensions: 1 });
  });

  it("keep what was lost before there were two", () => {
    // Lost at 10 and begun again at 20; suspended at 40, so both go on from then, and the second one wins.
    const farm = farmOf([aPoolOf("a", [{}]), aPoolOf("b", [{}])], {
      rescheduling: { strategy: "DupSusUtil" },
    });
    const { result } = runFarm(workload, farm, {
      failures: listed({ machine: 0, downSeconds: 10, upSeconds: 20 }),
    });
    expect(result).toMatchObject({ duplicates: 1, lostJobs: 1, losses: 1 });
    expect(result.repeatedCoreHours).toBeCloseTo(10 / 3600, 12);
  });
});

describe("machines that fail as drawn", () => {
  it("let a run end in which jobs have second attempts, and each job is run once to its end", () => {
    const urgent = Array.from({ length: 20 }, (_, i) => ({
      submit: 100 + i * 90,
      run: 30,
      priority: 1,
      pools: "a",
    }));
    const jobs = [...Array.from({ length: 12 }, (_, i) => ({ submit: i * 60, run: 200 })), ...urgent];
    const inOrder = jobs.toSorted((x, y) => x.submit - y.submit);
    const farm = farmOf([aPoolOf("a", [{}, {}]), aPoolOf("b", [{}, {}, {}, {}])]);
    const failures: FailureSettings = { kind: "drawn", mtbfSeconds: 600, mttrSeconds: 60, shape: 1 };
    const { result, completedSeconds } = runFarm(aWorkload(inOrder), farm, {
      strategy: "DupSusUtil",
      failures,
      seed: 5,
    });
    expect(result.duplicates).toBeGreaterThan(0);
    inOrder.forEach(({ run }, row) => expect(completedSeconds[row]).toBeGreaterThanOrEqual(run));
  });

  const workload = aWorkload(Array.from({ length: 40 }, (_, i) => ({ submit: i * 50, run: 400 })));
  const machines = aFarm(Array.from({ length: 12 }, () => ({ cores: 1000 })));
  const drawn = (shape: number): FailureSettings => ({
    kind: "drawn",
    mtbfSeconds: 2000,
    mttrSeconds: 300,
    shape,
  });
  const run = (failures: FailureSettings, seed: number) =>
    simulate(workload, machines, { ...atEveryEvent, failures, seed });

  it.each([0.7, 1, 3])(
    "fail at the same times with the same seed, at others with another (shape %d)",
    (shape) => {
      const first = run(drawn(shape), 7);
      expect(first.result.losses).toBeGreaterThan(0);
      const again = run(drawn(shape), 7);
      expect(Array.from(again.schedule.endSeconds!)).toEqual(Array.from(first.schedule.endSeconds!));
      expect(again.result.unavailableCoreHours).toBe(first.result.unavailableCoreHours);
      expect(run(drawn(shape), 8).result.unavailableCoreHours).not.toBe(first.result.unavailableCoreHours);
    },
  );

  it.each([0.7, 1, 3])("are down for the part of the time that the two means say (shape %d)", (shape) => {
    // One short job a day over ten years: the farm is looked at for long enough.
    const days = aWorkload(Array.from({ length: 3650 }, (_, day) => ({ submit: day * 86_400, run: 1 })));
    const failures: FailureSettings = { kind: "drawn", mtbfSeconds: 9 * 86_400, mttrSeconds: 86_400, shape };
    const { result } = simulate(days, machines, { ...atEveryEvent, failures });
    const share = (result.unavailableCoreHours! * 3600) / (12 * result.makespanSeconds);
    // About 4,400 failures: a standard error of the share of about 0.002 at shape 0.7, less at the others.
    expect(Math.abs(share - 0.1)).toBeLessThan(0.01);
  });

  it("are refused where a job would hardly ever end", () => {
    const long = aWorkload([{ run: 1e6 }]);
    expect(() => simulate(long, aFarm([{ cores: 1000 }]), { ...atEveryEvent, failures: drawn(1) })).toThrow(
      /job 1 of workload examples was lost 1000 times .* checkpoint/,
    );
  });

  it.each([
    [{ mtbfSeconds: 0, mttrSeconds: 1, shape: 1 }, /mean time between failures is 0/],
    [{ mtbfSeconds: 1, mttrSeconds: NaN, shape: 1 }, /mean time to repair is NaN/],
    [{ mtbfSeconds: 1, mttrSeconds: 1, shape: 0.01 }, /shape is 0.01/],
  ])("%j is refused", (model, message) => {
    expect(() => run({ kind: "drawn", ...model }, 1)).toThrow(message);
  });
});
