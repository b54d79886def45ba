import { describe, expect, it } from "vitest";

import { Database, IN_MEMORY } from "./database.ts";
import { policyThatRan } from "./history.ts";

interface Pool {
  readonly policy: string;
  readonly reserving?: number;
  readonly maxJobsList?: readonly string[];
}

/** A farm whose file was read once for each list of pools. */
function afterReading(...files: readonly (readonly Pool[])[]): string | null {
  const database = new Database(IN_MEMORY);
  database.commit(
    files.map((pools) => ({
      sql: "INSERT INTO settings (text) VALUES (?)",
      values: [
        JSON.stringify({
          pools: pools.map((pool) => ({ reserving: null, maxJobsList: [], name: "p", ...pool })),
        }),
      ],
    })),
  );
  return policyThatRan(database);
}

const easy = { policy: "easy" };

describe("the policy that ran", () => {
  it("is that of all pools, however often the farm's file was read", () => {
    expect(afterReading([easy, easy], [easy])).toBe("easy");
  });

  it.each([
    ["two pools have different ones", [[easy, { policy: "fcfs" }]]],
    ["it was changed", [[easy], [{ policy: "fcfs" }]]],
    ["it has settings that its name does not tell", [[{ policy: "first-fit", reserving: 0 }]]],
    ["it has a list of its own", [[{ policy: "max-jobs", maxJobsList: ["mix-fit"] }]]],
    ["nothing was read yet", []],
  ])("is not told where %s", (_, files) => {
    expect(afterReading(...files)).toBeNull();
  });
});
