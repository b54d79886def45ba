import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError, nearest } from "../workload/index.ts";
import { offeredLoad } from "./figures/offered-load.ts";
import { resolvePolicy } from "./settings/policy-names.ts";
import { scaleMachines } from "./scale-machines.ts";
import { simulate } from "./simulate.ts";
import { aFarm, aWorkload } from "./workload.fixture.ts";

describe("a farm scaled", () => {
  const farm = aFarm([
    { cores: 3000, memory: 1000 },
    { cores: 1, memory: 0 },
  ]);

  it("has its cores and memory times the factors, rounded down, and no machine loses all", () => {
    const { coresMilli, memoryMiB } = scaleMachines(farm, 0.4999, 1.5);
    expect([...coresMilli]).toEqual([1499, 1]);
    expect([...memoryMiB!]).toEqual([1500, 0]);
    expect([...farm.coresMilli]).toEqual([3000, 1]);
  });

  it("has no more than can be counted", () => {
    expect(() => scaleMachines(farm, 1e6, 1)).toThrow(InputError);
  });
});

describe("offered load", () => {
  const jobs = [
    { submit: 100, run: 50, cores: 2000, tasks: 3 },
    { submit: 150, run: 10, cores: 1000 },
    { submit: 300, run: 100, cores: 9000 },
  ];
  const farm = aFarm([{ cores: 8000 }, { cores: 2000 }]);

  it("is cores × run time over what the farm has while jobs arrive, without what it cannot hold", () => {
    expect(offeredLoad(aWorkload(jobs), farm)).toBe((6 * 50 + 10) / (10 * 200));
    expect(offeredLoad(aWorkload(jobs.slice(0, 1)), farm)).toBe(0);
    expect(offeredLoad(aWorkload([]), farm)).toBe(0);
  });

  it("is reached by drawing arrivals together or apart", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 3, noNaN: true }), (load) => {
        const { result, schedule } = simulate(aWorkload(jobs), farm, { policy: "first-fit", load });
        expect(result.offeredLoad).toBeCloseTo(load, 10);
        expect([...schedule.submitSeconds]).toEqual(jobs.map(({ submit }) => submit * result.beta));
      }),
      { numRuns: 10 },
    );
  });

  it("leaves the first job its time where the log's clock counts from 1970", () => {
    const since1970 = jobs.map((job) => ({ ...job, submit: job.submit + 1_700_000_000 }));
    const settings = { policy: "first-fit", intervalSeconds: 0, load: 0.5 };
    const dated = { ...aWorkload(since1970), farm: { unixStartSeconds: 0 } };
    const { result, schedule } = simulate(dated, farm, settings);
    expect(schedule.submitSeconds[0]).toBe(1_700_000_100);
    const { result: sinceZero } = simulate(aWorkload(jobs), farm, settings);
    expect(result.waitMeanSeconds).toBe(sinceZero.waitMeanSeconds);
  });

  it("cannot be reached where all jobs come at once", () => {
    const settings = { policy: "first-fit", load: 0.9 };
    expect(() => simulate(aWorkload(jobs.slice(0, 1)), farm, settings)).toThrow(InputError);
  });
});

describe("policies by name", () => {
  it("backfilling takes a heuristic after a slash, first-fit unless told", () => {
    expect(resolvePolicy("easy").heuristic.name).toBe("first-fit");
    expect(resolvePolicy("easy/mix-fit").heuristic.name).toBe("mix-fit");
    expect(resolvePolicy("conservative/worse-fit-cores").kind.name).toBe("conservative");
    expect(resolvePolicy("mix-fit").heuristic.name).toBe("mix-fit");
    // The thesis says worse-fit, most others worst-fit.
    expect(resolvePolicy("worst-fit-cores")).toEqual(resolvePolicy("worse-fit-cores"));
    expect(resolvePolicy("worst-fit-memory").name).toBe("worse-fit-memory");
    expect(resolvePolicy("easy/worst-fit-memory").name).toBe("easy/worse-fit-memory");
  });

  it.each(["mix-fti", "easy/", "easy/mixfit", "mix-fit/easy", "max-jobs/mix-fit", "", "x".repeat(10_000)])(
    "%.20s is unknown, and the nearest names are told",
    (name) => {
      expect(() => resolvePolicy(name)).toThrow(InputError);
      expect(() => resolvePolicy(name)).toThrow(/did you mean \S+, \S+, \S+\?$/);
    },
  );

  it("near is what takes the fewest edits", () => {
    expect(nearest("mix-fti", ["first-fit", "max-jobs", "mix-fit", "easy"])[0]).toBe("mix-fit");
    expect(nearest("EASY-SJF", ["easy", "easy-sjbf"])[0]).toBe("easy-sjbf");
  });

  it("Max-Jobs tries the heuristics it is given, in their order", () => {
    const jobs = Array.from({ length: 4 }, () => ({ memory: 100 }));
    const { result } = simulate(aWorkload(jobs), aFarm([{ cores: 2000, memory: 1000 }]), {
      policy: "max-jobs",
      maxJobsList: ["worse-fit-cores", "first-fit"],
    });
    expect(result.wins).toEqual({ "worse-fit-cores": 1, "first-fit": 1 });
    const unknown = { policy: "max-jobs", maxJobsList: ["easy"] };
    expect(() => simulate(aWorkload(jobs), aFarm([{ cores: 2000 }]), unknown)).toThrow(
      /unknown heuristic "easy"/,
    );
  });

  it.each(["best-fit-memory", "mix-fit", "max-jobs", "easy/mix-fit"])(
    "%s needs memory on both sides",
    (policy) => {
      const settings = { policy };
      const [withMemory, without] = [aWorkload([{ memory: 1 }]), aWorkload([{}])];
      expect(() => simulate(without, aFarm([{ cores: 1000, memory: 1 }]), settings)).toThrow(
        /does not say how much/,
      );
      expect(() => simulate(withMemory, aFarm([{ cores: 1000 }]), settings)).toThrow(/give their memory/);
    },
  );
});
