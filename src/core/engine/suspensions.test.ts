import { expect, it } from "vitest";

import { findPolicy, routings, strategies, victimRules } from "../index.ts";
import { EventPort } from "./event-port.ts";
import type { EngineEvent, PlainRequest } from "./events.ts";

/** An engine with one machine of two cores, where urgent jobs suspend others. */
function aMachine(): EventPort {
  const { kind, heuristic } = findPolicy("first-fit")!;
  const strategy = strategies.find(({ name }) => name === "NoRes")!;
  return new EventPort({
    pools: [
      {
        capacities: { coresMilli: Int32Array.of(2000), memoryMiB: null, gpuMilli: null },
        policy: kind,
        heuristic,
        site: 0,
        groups: { count: 1, meets: () => true, ownerOf: Int32Array.of(0), speedOf: Float64Array.of(1) },
        intervalSeconds: 0,
        suspend: "full",
      },
    ],
    virtualPools: [{ site: 0, pools: [0], routing: routings[0], viewAgeSeconds: 0, hasQueue: false }],
    transferSeconds: [[0]],
    candidateLists: [{ pools: null, restartPools: null }],
    priorities: 2,
    victimRule: victimRules[0],
    strategy,
    waitThresholdSeconds: 60,
    rebalanceSeconds: 60,
    maxRestarts: Infinity,
    random: () => 0,
  });
}

const aRequest: PlainRequest = {
  cores: 2000,
  memory: 0,
  gpu: 0,
  tasks: 1,
  project: 0,
  heuristic: -1,
  estimateSeconds: 600,
  owner: 0,
  virtualPool: 0,
  candidates: 0,
  priority: 0,
};

it("lets a job go on whose suspension was under way when the job that it was for was cancelled", () => {
  const port = aMachine();
  const decisions = (event: EngineEvent): string[] =>
    port.apply(event).decisions.map((each) => `${each.type} ${"job" in each ? each.job : ""}`);
  decisions({ type: "submitted", at: 0, job: 1, request: aRequest });
  expect(decisions({ type: "tick", at: 0 })).toEqual(["START 1"]);
  decisions({ type: "started", at: 0, job: 1, attempt: 1, decision: 1 });
  decisions({ type: "submitted", at: 10, job: 2, request: { ...aRequest, priority: 1 } });
  expect(decisions({ type: "tick", at: 10 })).toEqual(["SUSPEND 1"]);
  decisions({ type: "cancelled", at: 11, job: 2 });
  expect(decisions({ type: "tick", at: 11 })).toEqual([]);
  decisions({ type: "suspended", at: 12, job: 1, attempt: 1, decision: 2 });
  expect(decisions({ type: "tick", at: 12 })).toEqual(["RESUME 1"]);
});
