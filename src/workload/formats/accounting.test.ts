import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { readWorkload } from "./registry.ts";

describe("an accounting log", () => {
  it("gives the start as the submission, the time in between as the run time, one core, and the queue", async () => {
    const log = textSource("log", "queue,start,end,host", "ams,100,160,n1", "other,130,130,n2");
    const workload = await readWorkload(log);
    expect([...workload.submitSeconds]).toEqual([100, 130]);
    expect([...workload.runtimeSeconds]).toEqual([60, 0]);
    expect([...workload.coresMilli]).toEqual([1000, 1000]);
    expect(workload.queue).toEqual({ codes: Int32Array.of(0, 1), names: ["ams", "other"] });
    expect(workload.user).toBeNull();
    expect(workload.notes.map(({ what, count }) => [what, count])).toEqual([
      ["taken for the submission: the start, as the log does not tell when jobs came", 2],
      ['ignored: the column "host"', 2],
    ]);
  });

  it("is put in the order of the starts, and takes users, projects, cores and numbers", async () => {
    const log = textSource(
      "log",
      "start,end,queue,user,project,cores,job",
      "9,10,q,ann,/a,4,8",
      "1,5,q,bob,/b,0.5,7",
    );
    const workload = await readWorkload(log);
    expect([...workload.submitSeconds]).toEqual([1, 9]);
    expect([...workload.coresMilli]).toEqual([500, 4000]);
    expect([...workload.jobNumber!]).toEqual([7, 8]);
    expect(workload.user!.names[workload.user!.codes[0]]).toBe("bob");
    expect(workload.project!.names[workload.project!.codes[1]]).toBe("/a");
  });

  it("loses, with a note, the job that ended before it started", async () => {
    const workload = await readWorkload(textSource("log", "start,end,queue", "5,4,q", "5,6,q"));
    expect(workload.count).toBe(1);
    expect(workload.notes).toContainEqual({
      what: "dropped: it ended before it started",
      count: 1,
      firstLine: 2,
    });
  });

  it("names file and line of what is not a number", async () => {
    const error = await inputErrorOf(() => readWorkload(textSource("log", "start,end,queue", "5,now,q")));
    expect(error.message).toMatch(/^log:2: column end: "now" is not a number/);
  });
});
