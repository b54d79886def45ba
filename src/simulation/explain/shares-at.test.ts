import { describe, expect, it } from "vitest";

import { aPoolOf, farmOf } from "../farm.fixture.ts";
import { aWorkload } from "../workload.fixture.ts";
import { sharesAt } from "./shares-at.ts";

/** One core for an hour each: one runs at a time. */
const workload = aWorkload([
  { run: 3600, project: "/a" },
  { submit: 10, run: 3600, project: "/a" },
  { submit: 20, run: 3600, project: "/b" },
]);
const farm = farmOf([aPoolOf("p", [{ coresMilli: 1000 }])]);
const usage = { halfLifeSeconds: 3600, of: "cores" } as const;
/** The core-hours of an hour at its end, where an hour is a half-life: ∫ 2^-s ds from 0 to 1. */
const HOUR = 0.5 / Math.LN2;

function at(seconds: number | null, settings: object): unknown {
  const { atSeconds, pools } = sharesAt(seconds, workload, farm, settings);
  return [
    atSeconds,
    pools[0].projects.map(({ project, usedHours, running, waiting }) => [
      project,
      usedHours,
      running,
      waiting,
    ]),
  ];
}

describe("the shares at a time of a run", () => {
  it("are what was used up to then, and who runs and waits", () => {
    const settings = { fairShare: [], usage };
    expect(at(7200, settings)).toEqual([
      7200,
      [
        ["/b", expect.closeTo(HOUR, 10), 0, 0],
        ["/a", expect.closeTo(HOUR / 2, 10), 1, 0],
      ],
    ]);
    // The run is over.
    expect(at(4 * 3600, settings)).toEqual([
      4 * 3600,
      [
        ["/a", expect.closeTo(HOUR / 2 + HOUR / 8, 10), 0, 0],
        ["/b", expect.closeTo(HOUR / 4, 10), 0, 0],
      ],
    ]);
  });

  it("are those when the last job is submitted, unless a time is given", () => {
    expect(at(null, { fairShare: [] })).toEqual([
      20,
      [
        ["/a", null, 1, 1],
        ["/b", null, 0, 1],
      ],
    ]);
  });

  it("are refused where there are none", () => {
    expect(() => at(0, {})).toThrow(/no pool has shares/);
  });
});
