import { describe, expect, it } from "vitest";

import { anyFarmOf, type FarmRules } from "../live/service/farms.fixture.ts";
import { farmWith, pass, somePast, untilAllAreOver, type PastSpec } from "../live/replica/past.fixture.ts";
import { simulate } from "../simulation/index.ts";
import { aWorkload } from "../simulation/workload.fixture.ts";
import { outagesOn, readHistory } from "./history.ts";

const sizes = ["one", "two"].map((name) => ({ name, machines: 2, cores: 4 }));
const JOBS = 200;

function asLog(past: readonly PastSpec[]) {
  return aWorkload(
    past.map(({ submit, run, request }) => ({
      submit,
      run,
      cores: request.cores! * 1000,
      memory: request.memoryMiB!,
      estimate: request.timeSeconds!,
      priority: request.priority!,
    })),
  );
}

function waits(log: ReturnType<typeof asLog>, farm: ReturnType<typeof anyFarmOf>, policy: string | null) {
  const { result, schedule } = simulate(log, farm, { policy });
  const { waitMeanSeconds, waitMaxSeconds, slowdownMean, boundedSlowdownP95, started } = result;
  const starts = Array.from(schedule.startSeconds, (start, row) => start - log.submitSeconds[row]);
  return { waitMeanSeconds, waitMaxSeconds, slowdownMean, boundedSlowdownP95, started, starts };
}

describe("the past of a farm", () => {
  it.each<FarmRules>([
    { policy: "first-fit" },
    { policy: "easy" },
    { policy: "mix-fit", routing: "utilization" },
    { victim: "lowest-priority" },
    { policy: "first-fit", intervalSeconds: 30 },
    { victim: "last-submitted", strategy: "DupSusUtil" },
    { routing: "utilization", victim: "last-submitted", strategy: "ResSusRand", checkSeconds: 60 },
  ])(
    "comes again, and gives other policies the figures of a simulation of the same jobs: %o",
    async (rules) => {
      const past = somePast(1, JOBS);
      const farm = anyFarmOf(sizes, rules);
      const world = await farmWith(farm, past);
      await untilAllAreOver(world, JOBS);
      const history = await readHistory(world.database);
      expect(history.check).toMatchObject({ afterSeq: 0, firstOther: null, changes: 0 });
      expect(history.check.decisions).toBeGreaterThanOrEqual(JOBS);
      expect(history.check.agreed).toBe(history.check.decisions);
      expect(history.counts).toMatchObject({
        jobs: JOBS,
        censored: 0,
        leftOut: 0,
        beyondJournal: 0,
        carried: 0,
      });
      expect([...history.workload.runtimeSeconds]).toEqual(past.map(({ run }) => run));
      const log = asLog(past);
      // What was recorded, simulated.
      const own = simulate(history.workload, history.farm, {
        policy: null,
        failures: outagesOn(history.farm, history),
      });
      if (rules.strategy === undefined) {
        const { recordedWaitSeconds, submitSeconds } = history.workload;
        const starts = Array.from(submitSeconds, (submit, row) => submit + recordedWaitSeconds![row]);
        expect([...own.schedule.startSeconds]).toEqual(starts);
      }
      for (const policy of ["easy", "max-jobs", "fcfs"])
        expect(waits(history.workload, history.farm, policy)).toEqual(waits(log, farm, policy));
    },
  );

  it("comes again where jobs name pools that the first virtual pool does not reach", async () => {
    const past = somePast(4, JOBS, (draws) => ({
      pool: [null, "one", "two", "all", "rest"][draws.below(5)],
    }));
    const farm = anyFarmOf(sizes, { policy: "easy", victim: "lowest-priority" });
    const [all] = farm.virtualPools;
    const virtualPools = [
      { ...all, pools: [0] },
      { ...all, name: "rest", pools: [1] },
      { ...all, name: "both", pools: [0, 1] },
    ];
    const world = await farmWith({ ...farm, virtualPools }, past);
    await untilAllAreOver(world, JOBS);
    const { workload, farm: same, check } = await readHistory(world.database);
    expect(check.agreed).toBe(check.decisions);
    const { result, schedule } = simulate(workload, same, { policy: null });
    expect(result).toMatchObject({ started: JOBS, rejected: 0 });
    const { recordedWaitSeconds, submitSeconds } = workload;
    const starts = Array.from(submitSeconds, (submit, row) => submit + recordedWaitSeconds![row]);
    expect([...schedule.startSeconds]).toEqual(starts);
  });

  it("comes again through changes of the farm's file, and restarts", async () => {
    const past = somePast(2, JOBS);
    const world = await farmWith(anyFarmOf(sizes, { policy: "first-fit" }), past);
    await pass(world, 1500);
    world.changeFarm(anyFarmOf(sizes, { policy: "easy", victim: "lowest-priority" }));
    await world.start();
    await pass(world, 1500);
    await world.start();
    await pass(world, 500);
    const rules = { policy: "mix-fit", victim: "lowest-priority" } as const;
    world.changeFarm(anyFarmOf([...sizes, { name: "three", machines: 1, cores: 8 }], rules));
    await world.start();
    const { check, counts, policies } = await readHistory(world.database);
    expect(check).toMatchObject({ afterSeq: 0, firstOther: null, changes: 2 });
    expect(check.agreed).toBe(check.decisions);
    expect(policies).toEqual(["first-fit", "easy", "mix-fit"]);
    expect(counts.censored).toBeGreaterThan(0);
  });

  it("tells the first event that leads to another decision, and how many decisions agree", async () => {
    const past = somePast(3, 20);
    const world = await farmWith(anyFarmOf(sizes), past);
    await untilAllAreOver(world, 20);
    const rows = world.database.all("SELECT seq, entries FROM journal ORDER BY seq");
    const last = rows.filter(({ entries }) => String(entries).includes('"START"')).at(-1)!;
    const other = String(last["entries"]).replaceAll(/"machine":\d+/g, '"machine":7');
    world.database.commit([
      { sql: "UPDATE journal SET entries = ? WHERE seq = ?", values: [other, last["seq"]!] },
    ]);
    const { check } = await readHistory(world.database);
    expect(check.firstOther).not.toBeNull();
    expect(check.decisions - check.agreed).toBeGreaterThanOrEqual(1);
  });
});

describe("what a run has of the past", () => {
  it("a job that was suspended has its own run time, not that of its attempts", async () => {
    const job = (submit: number, run: number, priority: number): PastSpec => ({
      submit,
      run,
      request: { cores: 4, memoryMiB: 100, priority, timeSeconds: 1000 },
      user: "u",
    });
    const past = [job(0, 100, 10), job(40, 50, 90)];
    const farm = anyFarmOf([{ name: "one", machines: 1, cores: 4 }], { victim: "lowest-priority" });
    const world = await farmWith(farm, past);
    await untilAllAreOver(world, 2);
    const { workload } = await readHistory(world.database);
    expect([...workload.runtimeSeconds]).toEqual([100, 50]);
  });

  it("what was cancelled is so in every run, what had not ended is cut off, what never ran is left out", async () => {
    const job = (submit: number, run: number): PastSpec => ({
      submit,
      run,
      request: { cores: 4, memoryMiB: 100, timeSeconds: 1000 },
      user: "u",
    });
    const past = [job(0, 100), job(10, 500), job(20, 30), job(30, 40)];
    const farm = anyFarmOf([{ name: "one", machines: 1, cores: 4 }]);
    const world = await farmWith(farm, past);
    const cancel = (number: number): void =>
      void world.service.loop.act((turn) => world.service.acts.cancel(turn, number, "u"));
    world.clock.after(60, () => cancel(3));
    await pass(world, 350);
    // An event that is written: until then the past is known.
    await world.act(({ loop, acts }) => loop.act((turn) => acts.hold(turn, 4, "u")));
    const { workload, counts, farm: same } = await readHistory(world.database);
    expect(counts).toMatchObject({ jobs: 3, censored: 1, cancelled: 1, leftOut: 1 });
    expect([...workload.runtimeSeconds]).toEqual([100, 250, 40]);
    expect([...workload.cancelAfterSeconds!]).toEqual([NaN, NaN, 40]);
    const begun = workload.submitSeconds[0];
    // On one machine it waits and is cancelled; on two it begins, and is cancelled then.
    const alone = simulate(workload, same, { policy: "first-fit" });
    expect([...alone.schedule.startSeconds]).toEqual([begun, begun + 100, NaN]);
    expect(alone.result).toMatchObject({ jobs: 2, started: 2, rejected: 0 });
    const two = {
      ...same,
      pools: [{ ...same.pools[0], groups: [{ ...same.pools[0].groups[0], count: 3 }] }],
    };
    const wide = simulate(workload, two, { policy: "first-fit" });
    expect([...wide.schedule.startSeconds]).toEqual([begun, begun + 10, begun + 20]);
    expect(wide.result.waitMeanSeconds).toBe(0);
  });

  it("a held job comes when it was released, and a closed machine takes nothing", async () => {
    const job = (submit: number, hold: boolean): PastSpec => ({
      submit,
      run: 50,
      request: { cores: 4, memoryMiB: 100, timeSeconds: 1000, hold },
      user: "u",
    });
    const past = [job(0, true), job(10, false), job(20, false)];
    const farm = anyFarmOf([{ name: "one", machines: 2, cores: 4 }]);
    const world = await farmWith(farm, past);
    const act = world.clock.after.bind(world.clock);
    act(
      5,
      () =>
        void world.service.loop.act((turn) => world.service.acts.drain(turn, "one", "one-2", "dust", "u")),
    );
    act(30, () => void world.service.loop.act((turn) => world.service.acts.release(turn, 1, "u")));
    act(
      100,
      () => void world.service.loop.act((turn) => world.service.acts.undrain(turn, "one", "one-2", "u")),
    );
    await untilAllAreOver(world, 3);
    const history = await readHistory(world.database);
    const { workload } = history;
    expect(Array.from(workload.jobNumber!)).toEqual([2, 3, 1]);
    // The log's clock begins with the day.
    const begun = workload.submitSeconds[0] - 10;
    expect([...workload.submitSeconds]).toEqual([10, 20, 30].map((at) => begun + at));
    expect(Array.from(workload.recordedWaitSeconds!)).toEqual([0, 80, 30]);
    const failures = outagesOn(history.farm, history);
    expect(failures).toEqual({
      kind: "listed",
      outages: [{ machine: 1, downSeconds: begun + 5, upSeconds: begun + 100, isDrain: true }],
    });
    // On the farm the job that was released took its place in the queue again; in a run it comes then.
    const run = simulate(workload, history.farm, { policy: null, failures });
    expect([...run.schedule.startSeconds]).toEqual([10, 60, 100].map((at) => begun + at));
  });
});
