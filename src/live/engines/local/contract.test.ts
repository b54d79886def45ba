import { describe } from "vitest";

import { testContract } from "../contract/contract.fixture.ts";
import { cgroupFixture, hasUsers } from "./needs.fixture.ts";
import { LocalWorld } from "./world.fixture.ts";

describe("local processes keep the contract", () => {
  testContract({ make: async () => new LocalWorld(), everyStep: 1 });
});

describe.skipIf(!hasUsers)(
  `local processes of another user keep the contract${hasUsers ? "" : " (skipped: needs root)"}`,
  () => {
    testContract({ make: async () => new LocalWorld({ user: "nobody" }), everyStep: 5 });
  },
);

const { cgroup, why } = cgroupFixture();
describe.skipIf(cgroup === null)(`local processes in cgroups keep the contract${why}`, () => {
  testContract({ make: async () => new LocalWorld({ cgroup }), everyStep: 3 });
});
