import { describe } from "vitest";

import { testContract } from "../contract/contract.fixture.ts";
import { SimulatedWorld } from "./world.fixture.ts";

describe("simulated machines keep the contract", () => {
  testContract({ make: async () => new SimulatedWorld(), everyStep: 1 });
});

describe("simulated machines without suspension keep the contract", () => {
  testContract({ make: async () => new SimulatedWorld({ suspend: "none" }), everyStep: 1 });
});
