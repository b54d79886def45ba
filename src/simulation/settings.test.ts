import { expect, it } from "vitest";

import type { GivenSettings } from "./simulate.ts";
import { simulate } from "./simulate.ts";
import { aFarm, aWorkload } from "./workload.fixture.ts";

it.each([
  [{ policy: {} }, "a policy is a name, a heuristic (name, score) or a policy of one's own (name, create)"],
  [{ policy: { name: "x" } }, "a policy is a name, a heuristic"],
  [{ polcy: "easy" }, 'there is no setting "polcy"; did you mean policy'],
  [{ failures: { mtbfSeconds: -1 } }, 'failures are of the kind "drawn"'],
  [
    { failures: { kind: "drawn", mtbfSeconds: -1, mttrSeconds: 1, shape: 1 } },
    "the mean time between failures is -1: it must be more than 0",
  ],
])("a program is told of settings that are wrong: %j", (settings, message) => {
  const run = (): unknown =>
    simulate(aWorkload([{}]), aFarm([{ cores: 1000 }]), {
      policy: "first-fit",
      ...(settings as GivenSettings),
    });
  expect(run).toThrow(message);
});
