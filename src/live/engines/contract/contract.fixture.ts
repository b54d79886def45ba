import { afterAll, beforeAll } from "vitest";

import type { World } from "../world.fixture.ts";
import { testAttempts } from "./attempts.fixture.ts";
import { ContractRun } from "./contract-run.fixture.ts";
import { testDeaths } from "./deaths.fixture.ts";
import { testFaults, testFaultsAndDeaths } from "./faults.fixture.ts";

/** What the tests are about: attempts as such, or what befalls the service, the engine's side, or both at once. */
type Part = "attempts" | "deaths" | "faults" | "faults and deaths";

/** A world, and how much of the contract is tried on it. */
export interface Trial {
  readonly make: () => Promise<World>;
  /** Tries every n-th of the steps at which the service can die, for engines on which a step takes seconds; 1: all. */
  readonly everyStep: number;
  /** Tries only this part, where files that run at once try the others. */
  readonly only?: Part;
}

/** The one test that every engine passes. */
export function testContract({ make, everyStep, only }: Trial): void {
  const run = new ContractRun();
  beforeAll(async () => run.open(await make()));
  afterAll(() => run.world.close());
  const has = (part: Part): boolean => (only ?? part) === part;
  if (has("attempts")) testAttempts(run);
  if (has("deaths")) testDeaths(run, everyStep);
  if (has("faults")) testFaults(run);
  if (has("faults and deaths")) testFaultsAndDeaths(run);
}
