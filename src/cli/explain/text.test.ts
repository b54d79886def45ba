import { describe, expect, it } from "vitest";

import type { Explanation, Reason, Step } from "../../simulation/index.ts";
import { explanationText, reasonText } from "./text.ts";

/** A step of ten minutes. */
function aStep(number: number, step: Partial<Step>): Step {
  return {
    doing: "waiting",
    fromSeconds: number * 600,
    toSeconds: (number + 1) * 600,
    pool: "a",
    attempt: 1,
    ...step,
  };
}

function explained(steps: readonly Step[]): Explanation {
  return {
    job: 7,
    submitSeconds: 0,
    runtimeSeconds: 60,
    startSeconds: null,
    completedSeconds: null,
    steps,
    waits: [],
    helps: [],
    alternatives: [],
  };
}

const moved = (number: number, from: string, pool: string): Step =>
  aStep(number, { pool, because: { kind: "moved", from, strategy: "ResSusWaitUtil", when: "waited" } });

describe("the text of an explanation", () => {
  it("folds moves to and fro into one paragraph, and tells the first and the last", () => {
    const steps = [
      aStep(0, { because: { kind: "submitted" } }),
      ...Array.from({ length: 30 }, (_, i) =>
        i % 2 === 0 ? moved(i + 1, "a", "b") : moved(i + 1, "b", "a"),
      ),
      aStep(31, { doing: "running", because: { kind: "started" }, machines: ["n1"] }),
    ];
    const text = explanationText(explained(steps), undefined);
    expect(text).toContain(
      "+10.0 min  moved to and fro 29 times: b, a, for 4.83 h (29 steps; --json has them all)\n",
    );
    expect(text.match(/^\+/gm)).toHaveLength(4);
    expect(text).toContain("+5.00 h  waiting in a for 10.0 min\n  moved from b");
  });

  it("tells a few moves one by one", () => {
    const steps = [aStep(0, {}), moved(1, "a", "b"), moved(2, "b", "a"), moved(3, "a", "b")];
    expect(explanationText(explained(steps), undefined).match(/^\+/gm)).toHaveLength(4);
  });

  it("says what was promised, what it was first and what moved it", () => {
    const promised = (reason: object): string =>
      explanationText(
        explained([
          aStep(0, {
            cycles: 1,
            reasons: [
              {
                kind: "promised",
                policy: "conservative",
                machines: 0,
                startSeconds: 600,
                firstSeconds: 600,
                awaits: null,
                on: ["n1"],
                delay: null,
                ...reason,
              },
            ],
          }),
        ]),
        undefined,
      );
    expect(promised({})).toContain("  - conservative promises it a start at +10.0 min at the latest, on n1");
    expect(promised({ policy: "easy", on: null })).toContain(
      "  - easy promises it a start at +10.0 min at the latest, on any machines with room then",
    );
    expect(promised({ firstSeconds: 300, delay: "overrun" })).toContain(
      "on n1; it was first promised one at +5.00 min, and was put off after a job ran for longer than expected",
    );
    expect(promised({ machines: 2, on: ["a", "b", "c", "d", "e", "f", "g"] })).toContain(
      "on a, b, c, d, e and 2 more; 2 machines with room now are reserved for other jobs",
    );
    expect(promised({ startSeconds: null, awaits: { kind: "jobs" }, on: [] })).toContain(
      "conservative promises it no time yet, as it waits for jobs whose end is not known; it was first",
    );
    const machines = (names: readonly string[], count: number): string =>
      promised({ startSeconds: null, awaits: { kind: "machines", machines: names, count }, on: [] });
    expect(machines(["m1"], 1)).toContain("as m1 takes no jobs, and when it does again is not known");
    expect(machines(["m1", "m2"], 9)).toContain("as m1, m2 and 7 more take no jobs, and when they do again");
    expect(machines([], 0)).toContain("as the machines that could hold it have refused it");
    expect(promised({ firstSeconds: 300, delay: "overrun", by: [3] })).toContain(
      "and was put off after job 3 ran for longer than expected",
    );
  });

  it("says of a start that others are promised that it is at the latest", () => {
    const told = (reason: Reason): string =>
      explanationText(explained([aStep(0, { cycles: 1, reasons: [reason] })]), undefined);
    const delayed = { machines: 1, startSeconds: 600 };
    expect(told({ kind: "would delay", job: 7, ...delayed })).toContain(
      "would delay job 7, the first in the queue, which is promised a start at +10.0 min at the latest",
    );
    expect(told({ kind: "would delay promises", jobs: [7, 8], count: 2, ...delayed })).toContain(
      "would delay jobs 7, 8, of which the first is promised a start at +10.0 min at the latest",
    );
  });

  it("says of a start that it comes after the time promised, and why", () => {
    const started = (late: object): string =>
      explanationText(
        explained([aStep(2, { doing: "running", because: { kind: "started", ...late } })]),
        undefined,
      );
    expect(started({ firstSeconds: 540, delay: "overrun", by: [1] })).toContain(
      "its turn came, and there was room; the promise of a start at +9.00 min was broken: it comes later, and was put off after job 1 ran for longer than expected",
    );
    expect(started({ firstSeconds: 540, delay: null })).toMatch(/it comes later$/);
    expect(started({})).toMatch(/there was room$/);
  });

  it("says how many jobs of lower priority could not be suspended", () => {
    const told = (jobs: number): string =>
      explanationText(explained([aStep(0, { reasons: [{ kind: "spared", jobs }] })]), undefined);
    expect(told(1)).toContain("  - 1 running job of lower priority could not be suspended for it a short");
    expect(told(3)).toContain("  - 3 running jobs of lower priority could not be suspended for it a short");
  });

  it("tells the step in which a promise is put off of many", () => {
    const promise = (startSeconds: number): Reason => ({
      kind: "promised",
      policy: "conservative",
      machines: 0,
      startSeconds,
      awaits: null,
      firstSeconds: 50_000,
      on: ["n1"],
      delay: startSeconds > 50_000 ? "overrun" : null,
    });
    const told = (count: number, brokenAt: number): string[] => {
      const steps = Array.from({ length: count }, (_, i) =>
        aStep(i, { reasons: [promise(i < brokenAt ? 50_000 - i : 50_001 + i)] }),
      );
      return explanationText(explained(steps), undefined).match(/^\+.*$/gm) ?? [];
    };
    expect(told(30, 10)).toEqual([
      "+0 s  waiting in a for 10.0 min",
      "+10.0 min  waiting in a, for reasons that took turns, for 1.50 h (9 steps; --json has them all)",
      "+1.67 h  waiting in a for 10.0 min",
      "+1.83 h  waiting in a, for reasons that took turns, for 3.00 h (18 steps; --json has them all)",
      "+4.83 h  waiting in a for 10.0 min",
    ]);
    for (const [brokenAt, lines] of [
      [0, 3],
      [1, 4],
      [2, 5],
      [28, 4],
      [29, 3],
      [30, 3],
    ])
      expect(told(30, brokenAt)).toHaveLength(lines);
  });

  it("says why the jobs before it come first", () => {
    const keptFree = (rank: object): string =>
      explanationText(
        explained([
          aStep(0, {
            cycles: 1,
            reasons: [
              {
                kind: "kept free",
                machines: 2,
                tasksWithRoom: 1,
                tasks: 1,
                before: [3, 5],
                beforeCount: 2,
                ...rank,
              },
            ],
          }),
        ]),
        undefined,
      );
    expect(keptFree({ rank: { kind: "priority", priority: 5, ownPriority: -1 } })).toContain(
      "for the 2 before it in the queue, first jobs 3, 5, of which the first has the priority 5, and this one -1",
    );
    expect(keptFree({ rank: { kind: "owner", group: "cpu" } })).toContain(
      "is of the group cpu, whose machines are in this pool",
    );
    expect(keptFree({ rank: { kind: "earlier" } })).toContain("of which the first was submitted earlier");
  });

  it("says what its project has used, in the unit of what is counted", () => {
    const used = (more: object): string =>
      explanationText(
        explained([
          aStep(0, {
            cycles: 1,
            reasons: [
              {
                kind: "share used",
                project: "/a",
                of: "cores",
                usedHours: 412.4,
                dueHours: 300,
                before: [3],
                ...more,
              },
            ],
          }),
        ]),
        undefined,
      );
    expect(used({})).toContain(
      "- its project /a has used 412 core-hours, as far as that still counts, and its share of what all have used is 300: job 3, which came later, goes before it",
    );
    expect(used({ of: "memory", usedHours: 0.12345, before: [3, 5] })).toContain(
      "has used 0.123 GiB-hours, as far as that still counts, and its share of what all have used is 300: jobs 3, 5, which came later, go before it",
    );
    expect(used({ of: "dominant", project: "" })).toContain(
      "- jobs without a project have used 412 core-hours of their dominant resource, as far as that still counts, and their share of what all have used is 300",
    );
  });

  it("gives dates where the log has them, and names one of an array", () => {
    expect(explanationText({ ...explained([]), arrayIndex: 3, submitSeconds: 1_772_352_000 }, 0)).toBe(
      "Job 7[3], submitted 2026-03-01 08:00:00 UTC, runs 1.00 min.",
    );
    expect(explanationText({ ...explained([]), submitSeconds: 8623.069283856297 }, undefined)).toBe(
      "Job 7, submitted at 8623.069 s, runs 1.00 min.",
    );
  });
});

it("says of a job without a limit that this keeps it from machines with a reservation to come", () => {
  const reserved = {
    kind: "reserved",
    machines: 2,
    reservation: "disks",
    fromSeconds: 60,
    untilSeconds: 90,
    hasBegun: false,
  } as const;
  const text = (hasLimit: boolean): string =>
    reasonText({ ...reserved, hasLimit }, (seconds) => `at ${seconds}`);
  expect(text(true)).toBe("its limit reaches into the reservation disks of 2 machines, which begins at 60");
  expect(text(false)).toBe(
    "it has no time limit (--time), and so does not start on 2 machines before the reservation disks is over at 90",
  );
});
