import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MachineState } from "../../core/index.ts";
import { equalMachines } from "../../core/pool/pool.fixture.ts";
import { Sampler } from "./sampler.ts";

const typical = { cores: 1000, memory: 1024 };

describe("the samples of a pool", () => {
  it("are at most 512, at equal steps, and each tells the pool as it was", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        fc.oneof(fc.nat(100_000), fc.double({ min: 0, max: 1e9, noNaN: true })),
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 }),
        (start, spanSeconds, gaps) => {
          const machines = new MachineState(equalMachines(4, { cores: 1000, memory: 1024 }));
          const sampler = new Sampler([{ machines, utilization: 0 }], start, spanSeconds, typical);
          const events: { time: number; queueLength: number }[] = [];
          let now = start;
          gaps.forEach((gap, queueLength) => {
            now += gap;
            sampler.take(now, { waiting: queueLength, suspended: 0 });
            events.push({ time: now, queueLength });
          });
          const { timeSeconds, queueLength } = sampler.series();
          expect(timeSeconds.length).toBeLessThanOrEqual(512);
          expect(queueLength.length).toBe(timeSeconds.length);
          const step = timeSeconds.length > 1 ? timeSeconds[1] : 0;
          timeSeconds.forEach((time, i) => expect(time).toBe(i * step));
          // A sample is taken at the first event at or after it is due.
          timeSeconds.forEach((time, i) => {
            expect(queueLength[i]).toBe(events.find((event) => event.time >= start + time)!.queueLength);
          });
        },
      ),
    );
  });

  it("tell what is in use and what is stranded, as parts of all", () => {
    const machines = new MachineState(equalMachines(2, { cores: 4000, memory: 4096 }));
    const sampler = new Sampler([{ machines, utilization: 0 }], 0, 10, typical);
    sampler.take(0, { waiting: 0, suspended: 0 });
    machines.take(0, 1000, 4000, 0, 1); // 3 cores free without the memory for a typical task
    machines.take(1, 3500, 1024, 0, 1); // 3 GiB free without the cores for one
    sampler.take(10 / 256, { waiting: 7, suspended: 0 });
    const series = sampler.series();
    expect(series.coreUtilization).toEqual([0, 4500 / 8000]);
    expect(series.memoryUtilization).toEqual([0, 5024 / 8192]);
    expect(series.strandedCores).toEqual([0, 3000 / 8000]);
    expect(series.strandedMemory).toEqual([0, 3072 / 8192]);
    expect(series.queueLength).toEqual([0, 7]);
  });
});
