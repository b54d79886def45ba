import { describe } from "vitest";

import { hasSlurm } from "../../../../test/slurm-cluster.fixture.ts";
import { testContract } from "../contract/contract.fixture.ts";
import { SlurmWorld } from "./world.fixture.ts";

const skipped = hasSlurm ? "" : " (skipped: needs slurmctld and slurmd, and root)";
describe.skipIf(!hasSlurm)(`a real Slurm keeps the contract: faults${skipped}`, () => {
  testContract({ make: () => SlurmWorld.make(), everyStep: 5, only: "faults" });
});
