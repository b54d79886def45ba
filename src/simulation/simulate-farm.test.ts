import { describe, expect, it } from "vitest";

import { InputError, type CodedColumn, type Workload } from "../workload/index.ts";
import { simulateAll } from "./parallel/simulate-all.ts";
import { aWorkload, type JobSpec } from "./workload.fixture.ts";
import { aPoolOf, farmOf, runFarm } from "./farm.fixture.ts";

function coded(...values: string[]): CodedColumn {
  const names = [...new Set(values)];
  return { names, codes: Int32Array.from(values, (value) => names.indexOf(value)) };
}

/** Two pools of one core. A job of 100 s runs in the first when an urgent one of 50 s comes for it; the other pool is free. */
function suspension(): Workload {
  return {
    ...aWorkload([{ run: 100 }, { submit: 40, run: 50 }]),
    pools: coded("", "a"),
    priority: Int32Array.of(0, 1),
  };
}
const two = [aPoolOf("a", [{}]), aPoolOf("b", [{}])];

describe("a run on a farm", () => {
  it("NoRes: a suspended job goes on where it was", () => {
    const { accounts, result } = runFarm(suspension(), farmOf(two), {});
    expect(accounts).toMatchObject([
      { row: 1, completedSeconds: 90, waitingSeconds: 0, runningSeconds: 50, suspensions: 0 },
      { row: 0, completedSeconds: 150, runningSeconds: 100, suspendedSeconds: 50, lostSeconds: 0 },
    ]);
    expect(result).toMatchObject({
      strategy: "NoRes",
      routing: "round-robin",
      suspendRate: 0.5,
      completionMeanSuspendedMinutes: 2.5,
      completionMeanMinutes: 100 / 60,
      suspendedMeanMinutes: 50 / 60,
      wastedMeanMinutes: 25 / 60,
      wastedWaitMinutes: 0,
      wastedSuspendMinutes: 25 / 60,
      wastedRestartMinutes: 0,
      makespanSeconds: 150,
      days: [{ day: 0, jobs: 2, waitSumSeconds: 0, wastedSumSeconds: 50 }],
    });
    expect(result.coreUtilizationMean).toBeCloseTo(150 / 300, 12);
  });

  it("ResSusUtil: it starts again at the other pool, and what it ran is lost", () => {
    const { accounts } = runFarm(suspension(), farmOf(two), { strategy: "ResSusUtil" });
    expect(accounts).toMatchObject([
      { row: 1 },
      { row: 0, completedSeconds: 140, runningSeconds: 100, suspendedSeconds: 0, lostSeconds: 40, moves: 1 },
    ]);
  });

  it.each([
    ["as much as its own: it leaves", 1, 1],
    ["more than its own: it stays", 2, 0],
  ])("ResSusUtil, the other pool used %s", (_, machines, moves) => {
    // The jobs need the first machine of their pool; a second one there is idle, so that the pool is half used.
    const kinds = ["x", "y"].slice(0, machines).map((kind) => ({ attributes: { kind } }));
    const farm = farmOf([aPoolOf("a", kinds), aPoolOf("b", [{ attributes: { kind: "x" } }])]);
    const workload = aWorkload([
      { run: 100, pools: "" },
      { run: 1000, pools: "b" },
      { submit: 40, run: 50, pools: "a", priority: 1 },
    ]);
    const requires = coded('kind == "x"');
    const codes = new Int32Array(3);
    const { result } = runFarm({ ...workload, requires: { ...requires, codes } }, farm, {
      strategy: "ResSusUtil",
    });
    expect(result).toMatchObject({ suspensions: 1, moves });
  });

  describe("where a restarted job may go", () => {
    // Three pools; users are connected to the first two. The second is used, the third is not.
    const three = [...two, aPoolOf("c", [{}])];
    const workload: Workload = aWorkload([
      { run: 100 },
      { run: 1000, pools: "b" },
      { submit: 40, run: 50, pools: "a", priority: 1 },
    ]);
    const movesTo = (jobs: Workload, candidates: readonly number[] | null): number => {
      const farm = farmOf(three, {
        virtualPool: { pools: [0, 1] },
        rescheduling: { strategy: "ResSusUtil", candidates },
      });
      return runFarm(jobs, farm).completedSeconds[0];
    };
    // In pool c it starts again at once, at 40 s; in pool b it is behind the other, from 1,000 s on.
    const [inB, inC, stays] = [1100, 140, 150];

    it("is where it may first be sent, unless the farm says otherwise", () => {
      expect(movesTo(workload, null)).toBe(inB);
      expect(movesTo(workload, [0, 1, 2])).toBe(inC);
      expect(movesTo(workload, [0])).toBe(stays);
    });

    it("is what the job names, before what the farm says", () => {
      const named = (names: string): Workload => ({ ...workload, restartPools: coded(names, "", "") });
      expect(movesTo(named("b; c"), null)).toBe(inC);
      expect(movesTo(named("b"), [0, 1, 2])).toBe(inB);
    });

    it("is not the farm's for a job that names where it may run", () => {
      const pinned = { ...workload, pools: coded("a", "b", "a") };
      expect(movesTo(pinned, [0, 1, 2])).toBe(stays);
      expect(movesTo({ ...pinned, restartPools: coded("c", "", "") }, null)).toBe(inC);
    });

    it("is a pool of the farm", () => {
      const wrong = { ...workload, restartPools: coded("d", "", "") };
      expect(() => movesTo(wrong, null)).toThrow(/^job 1 names the pool "d", which farm examples does not/);
    });
  });

  it("a checkpoint keeps what came before it, a transfer takes its time, a faster machine less", () => {
    const farm = farmOf([two[0], aPoolOf("b", [{ speed: 2 }], { site: 1 })], {
      sites: ["here", "there"],
      transferSeconds: [
        [0, 5],
        [5, 0],
      ],
      rescheduling: { strategy: "ResSusUtil", checkpointSeconds: 30 },
    });
    const { accounts, result } = runFarm(suspension(), farm, {});
    // One job ended in each pool. The wait of the one that moved is its transfer.
    const waits = result.byPool!.map(({ waitMeanMinutes }) => waitMeanMinutes);
    expect(waits).toEqual([0, 5 / 60]);
    expect(result).toMatchObject({ waitMeanSeconds: 2.5, queueLengthMean: 0 });
    // 30 of its 100 s are kept; the other 70 take 35 on the faster machine.
    expect(accounts).toMatchObject([
      { row: 0, completedSeconds: 80, runningSeconds: 65, transferSeconds: 5, lostSeconds: 10 },
      { row: 1 },
    ]);
  });

  it("duplicates: the first attempt to finish wins, the other is cancelled", () => {
    const { accounts, result } = runFarm(suspension(), farmOf(two), { strategy: "DupSusUtil" });
    expect(accounts).toMatchObject([
      { row: 1 },
      { row: 0, completedSeconds: 140, runningSeconds: 100, lostSeconds: 40, suspensions: 1 },
    ]);
    // The first went on at 90 s, so it ran 50 s beside the second; the 40 s before are the winner's loss.
    expect(result).toMatchObject({ duplicates: 1, duplicateMeanMinutes: 50 / 60 / 2, suspendRate: 0.5 });
  });

  it("duplicates: what a second attempt took over from a checkpoint it did not run", () => {
    const farm = farmOf([two[0], aPoolOf("b", [{ speed: 0.25 }])], {
      rescheduling: { strategy: "DupSusUtil", checkpointSeconds: 30 },
    });
    const { accounts, result } = runFarm(suspension(), farm, {});
    // The first goes on at 90 s with 60 s left; the second has been running since 40 s.
    expect(accounts[1]).toMatchObject({
      row: 0,
      completedSeconds: 150,
      runningSeconds: 100,
      lostSeconds: 0,
    });
    expect(result).toMatchObject({ duplicates: 1, duplicateMeanMinutes: 110 / 60 / 2 });
  });

  it("no restart beyond the cap", () => {
    const farm = farmOf(two, { rescheduling: { strategy: "ResSusUtil", maxRestarts: 0 } });
    expect(runFarm(suspension(), farm).result.moves).toBe(0);
  });

  it("waiting jobs are moved at the first look after the threshold", () => {
    const workload = {
      ...aWorkload([{ run: 9000 }, { run: 10 }, { submit: 3, run: 60 }]),
      pools: coded("a", "b", ""),
    };
    const farm = farmOf(two, { rescheduling: { strategy: "ResSusWaitUtil" } });
    // The third job waits in the first pool from second 3 on; 1,803 s is 30 minutes, the next look at 1,860 s.
    const { accounts } = runFarm(workload, farm, {});
    expect(accounts.find(({ row }) => row === 2)).toMatchObject({
      waitingSeconds: 1857,
      completedSeconds: 1920,
      moves: 1,
    });
  });

  it("an owner's job comes first on the owner's machines, and nowhere else", () => {
    const jobs: JobSpec[] = [{ run: 100 }, { run: 100 }, { submit: 10, run: 10 }, { submit: 11, run: 10 }];
    const workload: Workload = {
      ...aWorkload(jobs),
      group: coded("", "", "red", "red"),
      priority: Int32Array.of(9, 9, 0, 0),
    };
    const farm = farmOf([aPoolOf("p", [{ owner: "red" }, {}])]);
    const { startSeconds } = runFarm(workload, farm);
    expect(Array.from(startSeconds)).toEqual([0, 0, 10, 20]);
  });

  // After 1,023 others the two have the last row of the jobs' table and the first.
  it.each([0, 1023])("of two that started together who came last is suspended, after %d others", (others) => {
    const jobs: JobSpec[] = Array.from({ length: others }, (_, i) => ({ submit: 2 * i, run: 1 }));
    const begin = 2 * others;
    const workload: Workload = {
      ...aWorkload([
        ...jobs,
        { submit: begin, run: 100 },
        { submit: begin, run: 100 },
        { submit: begin + 40, run: 50 },
      ]),
      priority: new Int32Array(others + 3).fill(1, others + 2),
    };
    const farm = farmOf([aPoolOf("p", [{ coresMilli: 2000 }])]);
    const { completedSeconds } = runFarm(workload, farm);
    expect(Array.from(completedSeconds.slice(others), (end) => end - begin)).toEqual([100, 150, 90]);
  });

  it("a virtual pool that sees old states sends jobs where there was room", () => {
    const jobs = [{ run: 100 }, { submit: 10, run: 100 }, { submit: 50, run: 100 }];
    const start = (viewAgeSeconds: number): number[] => {
      const farm = farmOf(two, { virtualPool: { routing: "utilization", viewAgeSeconds } });
      return Array.from(runFarm(aWorkload(jobs), farm).startSeconds);
    };
    expect(start(0).slice(0, 2)).toEqual([0, 10]);
    // At 10 s it sees the farm before the first job: both empty, and takes the first again.
    expect(start(30).slice(0, 2)).toEqual([0, 100]);
  });

  it("the combined routing shuns a queue that utilisation does not show", () => {
    const jobs = [{ run: 1000 }, { run: 1000 }, { run: 1000 }, { submit: 5, run: 10 }];
    const workload = { ...aWorkload(jobs), pools: coded("a", "a", "b", "") };
    const farm = farmOf(two);
    const start = (routing: string): number => runFarm(workload, farm, { routing }).startSeconds[3];
    expect(start("utilization")).toBe(2000);
    expect(start("combined")).toBe(1000);
  });

  it("the combined routing knows nothing of jobs that are long gone", () => {
    // Six have waited in pool a for times whose sums are not exact. Then both pools are empty: the next goes to
    // the first of them, and the one after it, which may go nowhere else, waits.
    const times = [214.2, 4.3, 433.4, 828.5, 548.2, 515.3];
    const late = { submit: 100_000, run: 50 };
    const workload: Workload = {
      ...aWorkload([...times.map((run) => ({ run })), late, late]),
      pools: coded(...times.map(() => "a"), "", "a"),
    };
    const { startSeconds } = runFarm(workload, farmOf(two), { routing: "combined" });
    expect(Array.from(startSeconds).slice(6)).toEqual([100_000, 100_050]);
  });

  it("says what the workload names that the farm has not", () => {
    const jobs = aWorkload([{}]);
    const farm = farmOf(two);
    const wrong: [Partial<Workload>, RegExp][] = [
      [{ pools: coded("c") }, /^job 1 names the pool "c", which farm examples does not have; did you mean a/],
      [{ site: coded("there") }, /^job 1 is submitted at "there", which is no virtual pool/],
      [{ requires: coded("colour == 1") }, /no machine of the farm has the attribute "colour"/],
    ];
    for (const [columns, message] of wrong) {
      expect(() => runFarm({ ...jobs, ...columns }, farm)).toThrow(InputError);
      expect(() => runFarm({ ...jobs, ...columns }, farm)).toThrow(message);
    }
    expect(() => runFarm(jobs, farm, { strategy: "ResSusUtl" })).toThrow(/did you mean ResSusUtil/);
    const many = Array.from({ length: 300 }, (_, priority) => priority);
    const tooMany = { ...aWorkload(many.map(() => ({}))), priority: Int32Array.from(many) };
    expect(() => runFarm(tooMany, farm)).toThrow(/more than 256 different priorities/);
  });

  it("EASY promises the first job a start on the machines that its requirement allows", () => {
    // The head may only run on the first machine, until 100 s taken; a long job must not take that then, but the other.
    const jobs: JobSpec[] = [
      { run: 100, cores: 2000 },
      { submit: 1, run: 10, cores: 2000 },
      { submit: 2, run: 500, cores: 1000 },
    ];
    const requires = coded("fast", "fast", "");
    const pools = [
      aPoolOf(
        "p",
        [
          { coresMilli: 3000, attributes: { fast: true } },
          { coresMilli: 1000, attributes: { fast: false } },
        ],
        { policy: "easy" },
      ),
    ];
    const { startSeconds } = runFarm({ ...aWorkload(jobs), requires }, farmOf(pools));
    expect(Array.from(startSeconds)).toEqual([0, 100, 2]);
    // Two such jobs, and the second would delay the head: it waits, though a core is free on the first machine.
    const more = aWorkload([
      ...jobs,
      { submit: 3, run: 500, cores: 2000 },
      { submit: 4, run: 5, cores: 1000 },
    ]);
    const all = runFarm({ ...more, requires: coded("fast", "fast", "", "", "") }, farmOf(pools));
    expect(Array.from(all.startSeconds)).toEqual([0, 100, 2, 110, 4]);
  });

  it("jobs that no pool can hold are rejected, with the reason", () => {
    const workload = { ...aWorkload([{ cores: 2000 }, {}]), requires: coded("", "cores > 5") };
    expect(runFarm(workload, farmOf(two)).result).toMatchObject({
      rejected: 2,
      rejections: [
        { reason: "asks for 2 cores on one machine; the largest has 1", jobs: 1 },
        { reason: "no machine meets cores > 5", jobs: 1 },
      ],
    });
  });

  it("worker threads give the same figures", async () => {
    const settings = [{ strategy: "NoRes" }, { strategy: "ResSusUtil" }];
    const timeless = (run: object): object => ({ ...run, simulationSeconds: 0, simulatedJobsPerSecond: 0 });
    const runs = await simulateAll(suspension(), farmOf(two), settings, { threads: 2 });
    expect(runs.map(timeless)).toEqual(
      settings.map((each) => timeless(runFarm(suspension(), farmOf(two), each).result)),
    );
  });
});
