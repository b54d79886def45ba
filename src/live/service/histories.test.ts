import { describe, expect, it } from "vitest";

import { history } from "./histories.fixture.ts";

describe("a farm whose service dies at any step", () => {
  it.each(Array.from({ length: 8 }, (_, part) => part))(
    "loses nothing that it has acknowledged and runs nothing twice (part %i)",
    async (part) => {
      let crashes = 0;
      for (let seed = part * 10; seed < part * 10 + 10; seed++) {
        const found = await history(seed);
        expect({ seed, wrong: found.wrong }).toEqual({ seed, wrong: [] });
        crashes += found.crashes;
      }
      expect(crashes).toBeGreaterThan(20);
    },
  );

  it("is found out where it answers before it has written", async () => {
    const wrong: string[] = [];
    for (let seed = 0; seed < 10; seed++) wrong.push(...(await history(seed, { answersEarly: true })).wrong);
    expect(wrong).not.toEqual([]);
  });
});
