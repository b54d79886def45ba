import { describe, expect, it } from "vitest";

import type { AttemptId } from "../attempt-id.ts";
import type { Report, StartRequest } from "../engine.ts";
import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { SimulatedEngine } from "./engine.ts";
import { readSettings } from "./settings.ts";

const JOB = "00000000-0000-4000-8000-";

function attempt(number: number): AttemptId {
  return { job: JOB + String(number).padStart(12, "0"), attempt: 1 };
}

function request(id: AttemptId, change: Partial<StartRequest> = {}): StartRequest {
  return {
    id,
    placement: [{ machine: "m-1", coresMilli: 1000, memoryMiB: 1, gpuMilli: 0 }],
    command: ["true"],
    directory: "/",
    environment: {},
    user: null,
    stdoutPath: null,
    stderrPath: null,
    limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 0 },
    ...change,
  };
}

async function opened(
  settings: Readonly<Record<string, unknown>>,
  disk?: MemoryDisk,
  clock = new VirtualClock(),
) {
  const reports: { at: number; report: Report }[] = [];
  const engine = new SimulatedEngine(
    readSettings({ machines: [{ name: "m", count: 2, cores: 4, memoryMiB: 8 }], ...settings }),
    {
      clock,
      disk: disk ?? new MemoryDisk(clock),
      commands: { run: () => Promise.reject(new Error("nothing is run")) },
      folder: "/state",
    },
  );
  await engine.open((report) => reports.push({ at: clock.monotonicSeconds(), report }));
  const outcomes = () => reports.filter(({ report }) => report.kind === "exited" || report.kind === "lost");
  return { clock, engine, reports, outcomes };
}

describe("simulated machines", () => {
  it("run for the time and with the status that a job pretends, at the speed asked for", async () => {
    const { clock, engine, outcomes } = await opened({ speed: 600, startLatencySeconds: 60 });
    const environment = { CROFT_SIMULATED_SECONDS: "3600", CROFT_SIMULATED_STATUS: "7" };
    engine.start(request(attempt(1), { environment }));
    await clock.pass(10);
    expect(outcomes()).toMatchObject([
      { at: 6.1, report: { status: 7, cause: "itself", usage: { elapsedSeconds: 3600, cpuSeconds: 3600 } } },
    ]);
  });

  it("end a job at its limit, and do not count the time that it was suspended", async () => {
    const { clock, engine, outcomes } = await opened({ runMeanSeconds: 1e6 });
    const limits = { memoryMiB: null, coresMilli: null, seconds: 100, graceSeconds: 0 };
    engine.start(request(attempt(1), { limits }));
    await clock.pass(40);
    engine.suspend(attempt(1));
    await clock.pass(1000);
    engine.resume(attempt(1));
    await clock.pass(200);
    expect(outcomes()).toMatchObject([
      {
        at: 1100,
        report: { status: null, signal: 15, cause: "time", usage: { elapsedSeconds: 1100, cpuSeconds: 100 } },
      },
    ]);
  });

  it("end by themselves at odd times too", async () => {
    const { clock, engine, outcomes } = await opened({ speed: 3 });
    for (let i = 0; i < 200; i++) {
      await clock.pass(0.1);
      engine.start(request(attempt(i), { environment: { CROFT_SIMULATED_SECONDS: String(i * 0.7) } }));
      await clock.pass(100);
    }
    expect(outcomes()).toHaveLength(200);
    for (const { report } of outcomes()) expect(report).toMatchObject({ status: 0, cause: "itself" });
  });

  it("draw the same run times by the same seed, whatever the order of starts", async () => {
    const ends = async (seed: number, order: readonly number[]) => {
      const { clock, engine, outcomes } = await opened({ seed });
      for (const number of order) engine.start(request(attempt(number)));
      await clock.pass(1e6);
      return new Map(
        outcomes().map(({ at, report }) => [report.kind === "exited" ? report.id.job : "", at] as const),
      );
    };
    const once = await ends(5, [1, 2, 3, 4]);
    expect(once.size).toBe(4);
    expect(new Set(once.values()).size).toBe(4);
    expect(await ends(5, [4, 3, 1, 2])).toEqual(once);
    expect(await ends(6, [1, 2, 3, 4])).not.toEqual(once);
  });

  it("refuse what is more than a machine has, counting what a suspended job keeps", async () => {
    const { engine, reports, clock } = await opened({ suspend: "cpu-only", runMeanSeconds: 3e7 });
    const whole = [{ machine: "m-1", coresMilli: 4000, memoryMiB: 5, gpuMilli: 0 }];
    const cores = [{ machine: "m-1", coresMilli: 4000, memoryMiB: 3, gpuMilli: 0 }];
    const said = () =>
      reports.slice(2).map(({ report }) => ("reason" in report ? report.reason : report.kind));
    engine.start(request(attempt(1), { placement: whole }));
    engine.start(request(attempt(2), { placement: cores }));
    await clock.pass(1);
    engine.suspend(attempt(1));
    engine.start(request(attempt(3), { placement: whole }));
    engine.start(request(attempt(4), { placement: cores }));
    await clock.pass(1);
    engine.resume(attempt(1));
    await clock.pass(1);
    engine.end(attempt(4));
    engine.resume(attempt(1));
    await clock.pass(1);
    expect(said()).toEqual([
      "m-1 has too few cores left",
      "started",
      "suspended",
      "m-1 has too little memory left",
      "started",
      "m-1 has too few cores left",
      "exited",
      "resumed",
    ]);
  });

  it("fail and come back as the means say, and lose what ran there", async () => {
    const failures = { upMeanSeconds: 1000, downMeanSeconds: 100 };
    const { clock, engine, reports } = await opened({ failures, runMeanSeconds: 3e7 });
    engine.start(request(attempt(1)));
    await clock.pass(1e6);
    const downs = reports.filter(
      ({ report }) => report.kind === "machine" && report.machine.state === "down",
    );
    // Two machines, 10^6 s, 1,100 s from failure to failure: 1,818 expected, standard deviation about 43.
    expect(downs.length).toBeGreaterThan(1600);
    expect(downs.length).toBeLessThan(2050);
    expect(reports.filter(({ report }) => report.kind === "lost")).toHaveLength(1);
  });

  it("fail starts as often as they are told to", async () => {
    const { clock, engine, reports } = await opened({
      startsFailing: { machine: 0.2, transient: 0.1 },
      runMeanSeconds: 0,
      machines: [{ name: "m", count: 2, cores: 10_000, memoryMiB: 100_000 }],
    });
    for (let i = 0; i < 5000; i++) engine.start(request(attempt(i)));
    await clock.pass(1e5);
    const faults = (fault: string) =>
      reports.filter(({ report }) => report.kind === "start-failed" && report.fault === fault).length;
    expect(faults("machine") / 5000).toBeCloseTo(0.2, 1);
    expect(faults("transient") / 5000).toBeCloseTo(0.1, 1);
  });

  it("lose what ran when the machine that simulates was restarted", async () => {
    const clock = new VirtualClock();
    const disk = new MemoryDisk(clock);
    const first = await opened({ runMeanSeconds: 3e7 }, disk, clock);
    first.engine.start(request(attempt(1)));
    await clock.pass(1);
    await first.engine.close();
    clock.boot = "another";
    const second = await opened({ runMeanSeconds: 3e7 }, disk, clock);
    expect(await second.engine.list()).toMatchObject({
      attempts: [{ state: "over", outcome: { kind: "lost" } }],
    });
  });

  it("do not care about the wall clock", async () => {
    const { clock, engine, outcomes } = await opened({});
    engine.start(request(attempt(1), { environment: { CROFT_SIMULATED_SECONDS: "100" } }));
    await clock.pass(10);
    clock.wallOffsetSeconds -= 3600;
    await clock.pass(10);
    clock.wallOffsetSeconds += 7200;
    await clock.pass(200);
    expect(outcomes()).toMatchObject([{ at: 100, report: { usage: { elapsedSeconds: 100 } } }]);
  });

  it("keep their file as small as what they remember", async () => {
    const clock = new VirtualClock();
    const disk = new MemoryDisk(clock);
    const { engine } = await opened({ runMeanSeconds: 0 }, disk, clock);
    for (let i = 0; i < 10_000; i++) {
      engine.start(request(attempt(i)));
      await clock.pass(0.001);
      await engine.forget(attempt(i));
    }
    expect(disk.written("/state/attempts.jsonl").split("\n").length).toBeLessThan(10_100);
    expect(await engine.list()).toMatchObject({ attempts: [] });
  });

  it("are refused where a setting is wrong", () => {
    const machines = [{ cores: 4 }];
    const wrong: [Record<string, unknown>, string][] = [
      [{}, "engine simulated: machines: give at least one"],
      [
        { machines: [{ cores: 0 }] },
        "engine simulated: machines 1: cores: give a number from 0.001 to 1000000",
      ],
      [{ machines: [{ core: 1 }] }, "engine simulated: machines 1: core: there is no such setting"],
      [{ machines: [...machines, ...machines] }, "engine simulated: machines: two have the same name"],
      [{ machines, speed: "fast" }, "engine simulated: speed: give a number from 0.001 to 1000000"],
      [{ machines, suspend: "half" }, "engine simulated: suspend: give one of full, cpu-only, none"],
      [{ machines, failures: { mean: 3 } }, "engine simulated: failures: mean: there is no such setting"],
    ];
    for (const [settings, message] of wrong) expect(() => readSettings(settings)).toThrow(message);
  });
});
