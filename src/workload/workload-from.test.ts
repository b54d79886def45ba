import { describe, expect, it } from "vitest";

import { aWorkload } from "../simulation/workload.fixture.ts";
import { InputError } from "./errors.ts";
import { timeOnLog, workloadFrom } from "./workload-from.ts";

const log = aWorkload([
  { submit: 5, run: 1, queue: "a" },
  { submit: 10, run: 2, queue: "b", cores: 500 },
  { submit: 10, run: 3, queue: "a" },
]);

describe("a log from some time on", () => {
  it("has the later jobs with all their columns and numbers, and says what was left out", () => {
    const rest = workloadFrom(log, 6);
    expect(rest.count).toBe(2);
    expect([...rest.submitSeconds]).toEqual([10, 10]);
    expect([...rest.runtimeSeconds]).toEqual([2, 3]);
    expect([...rest.coresMilli]).toEqual([500, 1000]);
    expect([...rest.jobNumber!]).toEqual([2, 3]);
    expect([...rest.queue!.codes].map((code) => rest.queue!.names[code])).toEqual(["b", "a"]);
    expect(rest.notes).toEqual([{ what: "left out: submitted before 6 s", count: 1 }]);
    expect(workloadFrom(log, 5)).toBe(log);
    expect(() => workloadFrom(log, 11)).toThrow(InputError);
  });

  it("takes the time in seconds or as a date, on the log's clock", () => {
    const since1970 = { ...log, farm: { unixStartSeconds: 86_400 } };
    expect(timeOnLog("12.5", log)).toBe(12.5);
    expect(timeOnLog("1970-01-03", log)).toBe(2 * 86_400);
    expect(timeOnLog("1970-01-03", since1970)).toBe(86_400);
    expect(timeOnLog("1970-01-01 00:01", log)).toBe(60);
    expect(timeOnLog("1970-01-01T01:00:10+01:00", log)).toBe(10);
    for (const text of ["", "tomorrow", "1970-13-01", "1970-01-01Z5"])
      expect(() => timeOnLog(text, log)).toThrow(InputError);
    expect(() => timeOnLog("5d", log)).toThrow(/ as in 2013-11-05; its first job comes at 5 s$/);
    expect(() => timeOnLog("5d", since1970)).toThrow(/; its first job comes at 5 s, 1970-01-02T00:00:05Z$/);
  });
});
