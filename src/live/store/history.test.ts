import { describe, expect, it } from "vitest";

import { Database, IN_MEMORY } from "./database.ts";
import { ranUnder, type RanUnder } from "./history.ts";

interface Pool {
  readonly policy: string;
  readonly reserving?: number;
  readonly maxJobsList?: readonly string[];
  readonly intervalSeconds?: number;
}

/** A farm whose file was read once for each list of pools. */
function afterReading(...files: readonly (readonly Pool[])[]): RanUnder {
  const database = new Database(IN_MEMORY);
  database.commit(
    files.map((pools) => ({
      sql: "INSERT INTO settings (text) VALUES (?)",
      values: [
        JSON.stringify({
          pools: pools.map((pool) => ({
            reserving: null,
            maxJobsList: [],
            intervalSeconds: 0,
            name: "p",
            ...pool,
          })),
        }),
      ],
    })),
  );
  return ranUnder(database);
}

const easy = { policy: "easy" };

describe("the policy that ran", () => {
  it("is that of all pools, however often the farm's file was read", () => {
    expect(afterReading([easy, easy], [easy])).toEqual({ policy: "easy", intervalSeconds: 0 });
  });

  it.each([
    ["two pools have different ones", [[easy, { policy: "fcfs" }]]],
    ["it was changed", [[easy], [{ policy: "fcfs" }]]],
    ["it has settings that its name does not tell", [[{ policy: "first-fit", reserving: 0 }]]],
    ["it has a list of its own", [[{ policy: "max-jobs", maxJobsList: ["mix-fit"] }]]],
    ["nothing was read yet", []],
  ])("is not told where %s", (_, files) => {
    expect(afterReading(...files).policy).toBeNull();
  });

  it("is told with the time between its cycles, where that is the same everywhere", () => {
    const [slow, other] = [
      { ...easy, intervalSeconds: 10 },
      { policy: "fcfs", intervalSeconds: 10 },
    ];
    expect(afterReading([slow])).toEqual({ policy: "easy", intervalSeconds: 10 });
    expect(afterReading([slow, easy])).toEqual({ policy: "easy", intervalSeconds: null });
    expect(afterReading([slow, other])).toEqual({ policy: null, intervalSeconds: 10 });
  });
});
