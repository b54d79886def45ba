import { describe, expect, it } from "vitest";

import { anyFarm, large } from "./any-farm.fixture.ts";
import { difference, heuristicsFor, productStarts, referenceStarts } from "./compare.fixture.ts";
import { violationsOfSets } from "./invariants.fixture.ts";
import { familyNames, policyOf, referenceOf } from "./registry.fixture.ts";

// `node scripts/try-references.ts` tries as many as one likes.
describe.each(familyNames)("%s", (family) => {
  it("starts every job when and where its reference does, on 300 random farms", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const farm = anyFarm(seed);
      const names = heuristicsFor(farm);
      const policy = policyOf(family, names[seed % names.length]);
      const found = difference(referenceStarts(farm, referenceOf(policy)), productStarts(farm, policy));
      if (found !== null) expect.fail(`seed ${seed}, ${policy}: ${found}`);
    }
  });

  it("keeps to the capacity of every machine on 20 large farms", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const farm = anyFarm(seed, large);
      const found = violationsOfSets(farm, productStarts(farm, policyOf(family, "worse-fit-cores")));
      expect(found, `seed ${seed}`).toEqual([]);
    }
  });
});
