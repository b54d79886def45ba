import { describe, expect, it } from "vitest";

import { simulate } from "../simulation/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../simulation/workload.fixture.ts";
import { withFeedback } from "./feedback.ts";

describe("users who react", () => {
  it("submit a think time after their last job has ended", () => {
    // Recorded: ann's first job waited 50 s. 10 s after its end, at 160, she submitted the next; after an hour another.
    const jobs: JobSpec[] = [
      { submit: 0, run: 100, cores: 1000, user: "ann" },
      { submit: 160, run: 100, cores: 1000, user: "ann" },
      { submit: 170, run: 20, cores: 1000, user: "bob" },
      { submit: 3860, run: 10, cores: 1000, user: "ann" },
    ];
    const log = withFeedback({ ...aWorkload(jobs), recordedWaitSeconds: Float64Array.of(50, 0, 0, 0) });
    expect([...log.follows!]).toEqual([-1, 0, -1, 1]);
    expect([...log.thinkSeconds!]).toEqual([NaN, 10, NaN, NaN]);
    // Here nobody waits: she comes at 110, and after the pause when she came.
    const { schedule } = simulate(log, aFarm([{ cores: 1000 }, { cores: 1000 }]), {
      policy: "first-fit",
      intervalSeconds: 0,
    });
    expect([...schedule.submitSeconds]).toEqual([0, 110, 170, 3860]);
    expect([...schedule.startSeconds]).toEqual([0, 110, 170, 3860]);
    // With one core bob waits until 210, and she comes 10 s after her own.
    const narrow = simulate(log, aFarm([{ cores: 1000 }]), { policy: "first-fit", intervalSeconds: 0 });
    expect([...narrow.schedule.submitSeconds]).toEqual([0, 110, 170, 3860]);
    expect([...narrow.schedule.startSeconds]).toEqual([0, 110, 210, 3860]);
    expect(narrow.result.waitMeanSeconds).toBe(10);
  });
});
