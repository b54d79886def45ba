import { describe } from "vitest";

import { testContract } from "../contract/contract.fixture.ts";
import { StandInWorld } from "./world.fixture.ts";

describe("a stand-in for a Kubernetes cluster keeps the contract", () => {
  testContract({ make: () => StandInWorld.make(), everyStep: 1 });
});
