import { describe, expect, test } from "vitest";
import type { ReportInput } from "./input.ts";
import { arrange } from "./model.ts";
import { inventCheck, inventInput, inventRecord, invented } from "./report.fixture.ts";
import { renderReport } from "./report.ts";
import { decisionOf, tilesOf } from "./tiles.ts";

const told = (input: ReportInput): { decision: string; tiles: string[][] } => {
  const model = arrange(input);
  return {
    decision: decisionOf(model),
    tiles: tilesOf(model).map(({ answer, becomes = "", note, isGain = false }) =>
      [answer, becomes, note, isGain ? "gain" : ""].map((text) => text.replaceAll("\u00a0", " ")),
    ),
  };
};

const twoPolicies = (days: number): ReportInput =>
  inventInput({ ...invented, policies: ["first-fit", "best-fit-cores"], loads: [0.7], days });

/** The second policy's waits are so many times the first's, on every day and for every user. */
function withFactor(input: ReportInput, factor: number): ReportInput {
  const [first, second] = input.runs;
  const { days, waitMeanSeconds, waitMaxSeconds, waitsBy } = first;
  return {
    ...input,
    runs: [
      first,
      {
        ...second,
        days: days.map((day) => ({ ...day, waitSumSeconds: day.waitSumSeconds * factor })),
        waitMeanSeconds: waitMeanSeconds * factor,
        waitMaxSeconds: waitMaxSeconds * factor,
        waitsBy: {
          ...waitsBy!,
          users: waitsBy!.users!.map((user, i) => ({
            ...user,
            waitMeanSeconds: user.waitMeanSeconds * (i === 0 ? 3 : factor),
          })),
        },
      },
    ],
  };
}

describe("what to do", () => {
  test("is to try what is clearly shorter; then the gain is claimed, and who loses has a name", () => {
    const { decision, tiles } = told(withFactor(twoPolicies(30), 0.5));
    expect(decision).toBe("Try best-fit-cores instead of first-fit");
    const [wait, loser, sure] = tiles;
    expect(wait[3]).toBe("gain");
    expect(wait[1]).not.toBe("");
    expect(loser[0]).toBe("User ann");
    expect(loser[2]).toMatch(/^Mean wait .+, then .+ \(\+200 %\)\. The longest wait of all: /);
    expect(sure[0]).toBe("Clear, beyond chance");
    expect(sure[2]).toMatch(/^95 % confidence: /);
  });

  test("is not to try what no batch system does, and no settings of another are shown for it", () => {
    const input = withFactor(twoPolicies(30), 0.5);
    const none = { settings: [], decisions: [], missing: [], tried: "" };
    const system = { name: "pbs", title: "PBS", instead: "easy", ...none };
    const next = { policy: "best-fit-cores", options: "", there: null, systems: [system] };
    expect(told({ ...input, next }).decision).toBe(
      "best-fit-cores would be better, but no batch system known here does it",
    );
    expect(told({ ...input, next: { ...next, own: "pbs" } }).decision).toMatch(/, but pbs does not do it$/);
    expect(renderReport({ ...input, next })).toContain("It would do easy in its place");
    const { instead: _, ...does } = system;
    expect(told({ ...input, next: { ...next, systems: [system, does] } }).decision).toMatch(
      /^Try best-fit-cores/,
    );
  });

  test("is to give jobs limits first, where without them the gain does not come about: none is claimed", () => {
    const input = withFactor(twoPolicies(30), 0.5);
    const next = { policy: "best-fit-cores", options: "", there: null, systems: [], withoutLimits: 1 };
    const { decision, tiles } = told({ ...input, next });
    expect(decision).toBe("Give jobs limits first, then try best-fit-cores");
    expect(tiles[0].slice(2)).toEqual([
      "Under first-fit, and under best-fit-cores once jobs have limits.",
      "",
    ]);
  });

  test("is nothing where all others are worse: nobody loses", () => {
    const { decision, tiles } = told({ ...withFactor(twoPolicies(30), 2), baseline: "first-fit" });
    expect(decision).toBe("Keep first-fit");
    expect(tiles[0][3]).toBe("");
    expect(tiles[1][0]).toBe("Nobody");
    expect(tiles[2][2]).toBe("All others are clearly worse (95 % confidence).");
  });

  test("is nothing where what ran is better than all that were run: nobody loses, and no wait becomes another", () => {
    const input = twoPolicies(30);
    const recorded = inventRecord(input.runs[1].waitMeanSeconds / 2);
    const { tiles } = told({
      ...input,
      runs: input.runs.map((run) => ({ ...run, beta: 1 })),
      recorded,
      fidelity: inventCheck(recorded, 1),
    });
    expect(tiles[0].slice(1)).toEqual(["", "As recorded; no policy that was run is better.", ""]);
    expect(tiles[1][0]).toBe("Nobody");
  });

  test("is nothing on a log that is too short to say, and no gain is claimed", () => {
    const { decision, tiles } = told(withFactor(twoPolicies(5), 0.8));
    expect(decision).toBe("Change nothing on this log alone");
    expect(tiles[0][3]).toBe("");
    expect(tiles[2].slice(0, 1)).toEqual(["Cannot be said"]);
    expect(tiles[2][2]).toContain("5 days the log is too short");
  });

  test("is nothing where all are equal", () => {
    expect(told(withFactor(twoPolicies(30), 1)).decision).toBe("Change nothing: the policies are equal");
  });

  test("is not said where there is no verdict, and no figure is then shown", () => {
    const input = twoPolicies(30);
    const runs = input.runs.map((run) => ({ ...run, rejected: run.jobs / 2 }));
    expect(told({ ...input, runs })).toEqual({ decision: "No verdict on this log", tiles: [] });
  });
});

test("what weakens it is told beside how sure it is", () => {
  const input = withFactor(twoPolicies(30), 0.5);
  const recorded = inventRecord(8000);
  const { decision, tiles } = told({
    ...input,
    workload: { ...input.workload, synthetic: true },
    runs: input.runs.map((run) => ({ ...run, beta: 1 })),
    recorded,
    fidelity: inventCheck(recorded, 0.4),
    machineUse: { isInferred: true, machines: 3 },
  });
  // The largest line too: against a policy that the record does not bear out a change is not simply to be tried.
  expect(decision).toBe("Try best-fit-cores instead of first-fit, if the farm runs first-fit as simulated");
  expect(tiles[0][2]).toMatch(/ As recorded: 2\.22 h\.$/);
  expect(tiles[2][2]).toMatch(
    / But the workload is synthetic, and the machines are inferred from the log, and the simulation does not follow the record\.$/,
  );
});

test("where jobs are suspended, who loses is the part that wastes most more time", () => {
  const part = { jobs: 10, suspendRate: 0.1, waitMeanMinutes: 1, completionMeanMinutes: 9 };
  const more = { suspendedMeanMinutes: 1, wastedSuspendMinutes: 1, wastedMaxMinutes: 9 };
  const input = twoPolicies(30);
  const wasted = [
    { all: 9, ann: 5, bob: 20 },
    { all: 6, ann: 8, bob: 5 },
  ];
  const runs = input.runs.map((run, i) => ({
    ...run,
    suspensions: 4,
    wastedMeanMinutes: wasted[i].all,
    byGroup: (["ann", "bob"] as const).map((group) => ({
      ...part,
      ...more,
      group,
      wastedMeanMinutes: wasted[i][group],
    })),
  }));
  const { decision, tiles } = told({ ...input, runs });
  expect(decision).toBe("best-fit-cores looks best");
  expect(tiles[0].slice(0, 2)).toEqual(["9.00 min", "6.00 min"]);
  expect(tiles[1].slice(0, 1)).toEqual(["Group ann"]);
  expect(tiles[1][2]).toBe("Mean wasted time 5.00 min, then 8.00 min.");
  expect(tiles[2][0]).toBe("Cannot be said");
});
