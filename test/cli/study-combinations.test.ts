import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { combinations, limitOf, type RunKind } from "../../src/simulation/index.ts";
import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "busy.csv"), busyLog(300));

/** What makes a run one of a kind. */
const optionOf: Partial<Record<RunKind, string>> = {
  pool: "--farm",
  farm: "--farm",
  packing: "--packing",
  order: "--clock",
  single: "--preset",
};

describe("the table of combinations says of the studies what their options allow", () => {
  const names = combinations.map(({ name }) => name).filter((name) => name.startsWith("study "));
  it.each(names)("%s", async (name) => {
    const { stdout } = await croft(...name.split(" "), "--help");
    for (const [kind, option] of Object.entries(optionOf)) {
      const limit = limitOf("command", name, [kind as RunKind]);
      const isOption = new RegExp(`^ +${option}\\b`, "m").test(stdout);
      if (limit !== null && "refused" in limit && limit.refused === `it has no ${option}`)
        expect(isOption).toBe(false);
      // The study of packing packs jobs and runs under the order-driven clock by itself.
      else if (limit === null && name !== "study packing") expect([kind, isOption]).toEqual([kind, true]);
    }
  });

  it("study load runs with single events", async () => {
    const runs = await Promise.all(
      [[], ["--preset", "pyss"]].map((preset) =>
        croft(
          "study",
          "load",
          "busy.csv",
          ["--machines", "8x8c32g", "--policy", "first-fit", "--json"],
          preset,
        ),
      ),
    );
    expect(runs.map(({ status }) => status)).toEqual([0, 0]);
    const [cycles, single] = runs.map(({ stdout }) => stdout);
    expect(single).not.toBe(cycles);
  });
});
