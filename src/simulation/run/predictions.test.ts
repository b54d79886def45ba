import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { aPoolOf, farmOf } from "../farm.fixture.ts";
import { simulate, type GivenSettings } from "../simulate.ts";
import { aFarm, aWorkload, type JobSpec } from "../workload.fixture.ts";

/**
 * On four cores, all of one user. Two jobs of 10 s end at 10 s. At 20 s a job of three cores that is predicted to run
 * 10 s begins, and runs 500 s. A job of four cores waits, promised 30 s.
 */
const before: readonly JobSpec[] = [
  { run: 10, estimate: 1000 },
  { run: 10, estimate: 1000 },
  { submit: 20, run: 500, estimate: 1000, cores: 3000 },
  { submit: 21, run: 10, estimate: 1000, cores: 4000 },
];

function starts(last: JobSpec, settings: GivenSettings): number[] {
  const workload = aWorkload([...before, last]);
  const user = { names: ["ann"], codes: new Int32Array(workload.count) };
  const { schedule } = simulate({ ...workload, user }, aFarm([{ cores: 4000 }]), settings);
  return [...schedule.startSeconds];
}

describe("predicted run times", () => {
  it.each<GivenSettings>([
    { policy: "easy++" },
    { policy: "easy", estimates: "predicted" },
    { policy: "easy++", eventOrder: "single", intervalSeconds: 0 },
    { policy: "easy++", intervalSeconds: 1 },
  ])("%o: a correction moves the promise to the first waiting job", (settings) => {
    // Predicted to end at 41 s: the promise has moved to 90 s.
    expect(starts({ submit: 31, run: 40, estimate: 1000 }, settings)).toEqual([0, 0, 20, 520, 31]);
    // A prediction is at most the request: this one ends by 30 s.
    expect(starts({ submit: 22, run: 8, estimate: 8 }, settings)[4]).toBe(22);
  });

  it("a job that is predicted to delay the first waiting job does not pass it", () => {
    // At 22 s it is predicted to end at 32 s, after the promise of 30 s. At 30 s the promise moves to 90 s, and a
    // correction starts nothing: the next event does.
    const late = { submit: 22, run: 40, estimate: 1000 };
    expect(starts(late, { policy: "easy++" })).toEqual([0, 0, 20, 520, 530]);
  });

  it("are refused for some pools of a farm, where others plan on estimates", () => {
    const pools = (first: string, second: string) =>
      farmOf([aPoolOf("one", [{}], { policy: first }), aPoolOf("two", [{}], { policy: second })]);
    const run = (first: string, second: string, settings: GivenSettings = {}) =>
      simulate(aWorkload([{ run: 5, estimate: 9 }]), pools(first, second), settings).result.started;
    expect(() => run("easy", "easy++")).toThrow("policy easy of another pool on estimates");
    expect(run("easy++", "first-fit")).toBe(1);
    expect(run("easy", "easy++", { estimates: "predicted" })).toBe(1);
  });

  it("lose no job, whatever plans on them and however jobs end", () => {
    const anyJob = fc.record({
      submit: fc.nat(300),
      run: fc.nat(400),
      estimate: fc.nat(900),
      cores: fc.constantFrom(1000, 2000, 4000),
      user: fc.constantFrom("", "ann", "bob"),
    });
    const anySettings = fc.record({
      policy: fc.constantFrom("easy++", "easy++/best-fit-cores", "easy", "conservative", "backfill:2"),
      estimates: fc.constant("predicted" as const),
      intervalSeconds: fc.constantFrom(0, 7),
      eventOrder: fc.constantFrom("instant" as const, "single" as const),
    });
    fc.assert(
      fc.property(fc.array(anyJob, { minLength: 1, maxLength: 40 }), anySettings, (jobs, settings) => {
        const inOrder = jobs.toSorted((a, b) => a.submit - b.submit);
        const names = ["", "ann", "bob"];
        const user = { names, codes: Int32Array.from(inOrder, (job) => names.indexOf(job.user)) };
        const farm = aFarm([{ cores: 4000 }, { cores: 2000 }]);
        const { result } = simulate({ ...aWorkload(inOrder), user }, farm, settings);
        expect(result.started).toBe(jobs.length);
      }),
      { numRuns: 300 },
    );
  });

  it("are the estimates where the log names no user", () => {
    const workload = aWorkload(before);
    const of = (policy: string): number[] => [
      ...simulate(workload, aFarm([{ cores: 4000 }]), { policy }).schedule.startSeconds,
    ];
    expect(of("easy++")).toEqual(of("easy-sjbf"));
  });
});
