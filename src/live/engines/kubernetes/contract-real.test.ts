import { describe } from "vitest";

import { hasKubernetes } from "../../../../test/kubernetes-cluster.fixture.ts";
import { testContract } from "../contract/contract.fixture.ts";
import { RealWorld } from "./real-world.fixture.ts";

const skipped = hasKubernetes
  ? ""
  : " (skipped: needs scripts/kubernetes/build-cluster.sh, and its folder in CROFT_KUBERNETES)";
describe.skipIf(!hasKubernetes)(`a real Kubernetes API server keeps the contract${skipped}`, () => {
  testContract({ make: () => RealWorld.make(), everyStep: 1 });
});
