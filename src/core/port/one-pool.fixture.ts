import { findPolicy, NONE, routings, strategies, type EngineSettings } from "../index.ts";
import type { PlainRequest } from "./events.ts";

/**
 * The settings of one pool whose machines are alike to requirements, with two priorities.
 *
 * @param cores thousandths, by machine
 */
export function onePool(
  policy: string,
  cores: readonly number[],
  more: Partial<EngineSettings> = {},
): EngineSettings {
  const { kind, heuristic } = findPolicy(policy)!;
  return {
    pools: [
      {
        capacities: { coresMilli: Int32Array.from(cores), memoryMiB: null, gpuMilli: null },
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
    victimRule: null,
    strategy: strategies.find(({ name }) => name === "NoRes")!,
    waitThresholdSeconds: Infinity,
    rebalanceSeconds: Infinity,
    maxRestarts: 0,
    random: () => 0,
    ...more,
  };
}

/** What a job asks for: a core for 100 s, unless something else is given. */
export function request(more: Partial<PlainRequest> = {}): PlainRequest {
  return {
    cores: 1000,
    memory: 0,
    gpu: 0,
    tasks: 1,
    project: 0,
    heuristic: NONE,
    estimateSeconds: 100,
    owner: 0,
    virtualPool: 0,
    candidates: 0,
    priority: 0,
    ...more,
  };
}
