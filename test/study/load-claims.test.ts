import { describe, expect, test } from "vitest";

import type { RunResult } from "../../src/simulation/index.ts";
import { judgeClaims, loadClaims, poolNamed, type ThesisPool } from "../../src/research/study/index.ts";

type Waits = Record<string, number>;

/** Made-up runs at one load: the named policies' mean waits, all others' 1,000 s; slowdown and queue go along. */
function level(beta: number, waits: Waits, wins: Record<string, number> = {}): RunResult[] {
  const policies = {
    "first-fit": 1000,
    "best-fit-cores": 1000,
    "best-fit-memory": 1000,
    "worse-fit-cores": 1000,
    "worse-fit-memory": 1000,
    "mix-fit": 1000,
    "max-jobs": 1000,
    ...waits,
  };
  const chosen = {
    "best-fit-cores": 0.1,
    "best-fit-memory": 0.1,
    "worse-fit-cores": 0.1,
    "worse-fit-memory": 0.1,
    "mix-fit": 0.1,
    ...wins,
  };
  return Object.entries(policies).map(
    ([policy, wait]) =>
      ({
        policy,
        beta,
        offeredLoad: 0.5 / beta,
        intervalSeconds: 30,
        waitMeanSeconds: wait,
        slowdownMean: wait / 10,
        queueLengthMean: wait / 100,
        ...(policy === "max-jobs" ? { wins: chosen } : {}),
      }) as unknown as RunResult,
  );
}

const idle: Waits = Object.fromEntries(level(1, {}).map(({ policy }) => [policy, 15]));

function judged(claim: string, runs: readonly RunResult[], pool: ThesisPool | null) {
  const found = judgeClaims(loadClaims, runs, pool).filter((each) => each.claim.endsWith(claim));
  expect(found).toHaveLength(1);
  return found[0];
}

const lead = "mix-fit leads at the highest load: wait −22 %, slowdown −23 %, queue length −22 %";
const cases: readonly [claim: string, pool: ThesisPool, holding: RunResult[], failing: RunResult[]][] = [
  [
    "at the log's own pace (β = 1) all heuristics perform the same",
    "b",
    level(1, { "mix-fit": 1049 }),
    level(1, { "mix-fit": 1051 }),
  ],
  [lead, "a", level(0.5, { "mix-fit": 890 }), level(0.5, { "mix-fit": 910 })],
  [
    "best-fit-memory is the second best",
    "a",
    level(0.5, { "mix-fit": 890, "best-fit-memory": 950 }),
    level(0.5, { "mix-fit": 890, "best-fit-memory": 950, "worse-fit-memory": 940 }),
  ],
  [
    "worse-fit-cores performs poorly",
    "b",
    level(0.5, { "worse-fit-cores": 1100 }),
    level(0.5, { "worse-fit-cores": 1090 }),
  ],
  [
    "best-fit-memory slightly outperforms mix-fit",
    "b",
    level(0.5, { "best-fit-memory": 999 }),
    level(0.5, { "mix-fit": 999 }),
  ],
  [
    "best-fit-memory slightly outperforms mix-fit",
    "b",
    level(0.5, { "best-fit-memory": 960 }),
    level(0.5, { "best-fit-memory": 900 }),
  ],
  [
    "best-fit-memory's advantage over mix-fit is largest at loads in the middle",
    "b",
    [...level(0.7, {}), ...level(0.6, { "best-fit-memory": 900 }), ...level(0.5, { "best-fit-memory": 950 })],
    [...level(0.7, {}), ...level(0.6, { "best-fit-memory": 950 }), ...level(0.5, { "best-fit-memory": 900 })],
  ],
  [
    "best-fit-memory performs relatively poorly",
    "d",
    level(0.5, { "best-fit-memory": 1100 }),
    level(0.5, { "best-fit-memory": 1090 }),
  ],
  [
    "all heuristics perform essentially the same",
    "c",
    level(0.5, { "mix-fit": 960 }),
    level(0.5, { "mix-fit": 940 }),
  ],
  [
    "mix-fit performs like worse-fit-cores",
    "d",
    level(0.5, { "mix-fit": 960, "best-fit-cores": 5000 }),
    level(0.5, { "mix-fit": 940 }),
  ],
  [
    "max-jobs is the best or near the best at every load",
    "c",
    [...level(0.7, { "max-jobs": 500 }), ...level(0.5, { "max-jobs": 1050 })],
    [...level(0.7, { "max-jobs": 1060 }), ...level(0.5, { "max-jobs": 500 })],
  ],
  ["max-jobs is better than every heuristic", "b", level(0.5, { "max-jobs": 999 }), level(0.5, {})],
  [
    "max-jobs is slightly behind the best heuristic",
    "a",
    level(0.5, { "max-jobs": 1040 }),
    level(0.5, { "max-jobs": 1060 }),
  ],
  ["max-jobs is slightly behind the best heuristic", "a", level(0.5, { "max-jobs": 1001 }), level(0.5, {})],
  [
    "of max-jobs' choices mix-fit is the most frequent",
    "d",
    level(0.5, {}, { "mix-fit": 0.9 }),
    level(0.5, {}, { "best-fit-cores": 0.2 }),
  ],
  [
    "max-jobs chooses mix-fit in 73 % of the cycles",
    "a",
    level(0.5, {}, { "mix-fit": 0.77 }),
    level(0.5, {}, { "mix-fit": 0.67 }),
  ],
  [
    "max-jobs chooses best-fit-memory more often than worse-fit-cores",
    "c",
    level(0.5, {}, { "best-fit-memory": 0.11 }),
    level(0.5, {}),
  ],
  [
    "max-jobs chooses best-fit-memory markedly more often than worse-fit-cores",
    "d",
    level(0.5, {}, { "best-fit-memory": 0.21 }),
    level(0.5, {}, { "best-fit-memory": 0.19 }),
  ],
  ["first-fit performs poorly", "a", level(0.5, { "first-fit": 1101 }), level(0.5, { "first-fit": 1099 })],
];

describe("claims about load", () => {
  test.each(cases)("%s (pool %s)", (claim, pool, holding, failing) => {
    expect(judged(claim, holding, pool).holds).toBe(true);
    expect(judged(claim, failing, pool).holds).toBe(false);
  });

  test("every claim is tested in both directions", () => {
    const tested = new Set(cases.map(([claim]) => claim));
    expect(loadClaims.map(({ claim }) => claim).filter((claim) => !tested.has(claim))).toEqual([]);
  });

  test("the highest load decides, in whatever order the runs come", () => {
    const runs = [...level(0.5, { "first-fit": 2000 }), ...level(0.9, {})];
    expect(judged("first-fit performs poorly", runs, null)).toMatchObject({
      holds: true,
      evidence: expect.stringMatching(
        /^at 100\.0 % load: first-fit 2000\.0 s, \+100\.0 % against the best, /,
      ),
    });
  });

  test("a lead has to show in all three figures", () => {
    const runs = level(0.5, { "mix-fit": 800 }).map((run) =>
      run.policy === "mix-fit" ? { ...run, queueLengthMean: 9.5 } : run,
    );
    expect(judged(lead, runs, "a")).toMatchObject({
      holds: false,
      evidence: expect.stringContaining("wait −20.0 %, slowdown −20.0 %, queue length −5.0 %"),
    });
  });

  test("where nobody queues, the highest load tells nothing, and all are equal at β = 1", () => {
    const claims = judgeClaims(loadClaims, level(1, { ...idle, "mix-fit": 29 }, { "mix-fit": 1 }), "a");
    expect(claims.filter(({ holds }) => holds !== null).map(({ claim, holds }) => [claim, holds])).toEqual([
      ["at the log's own pace (β = 1) all heuristics perform the same", true],
    ]);
  });

  test("what was not run cannot be judged", () => {
    const some = level(0.5, {}).filter(({ policy }) => policy !== "mix-fit" && policy !== "max-jobs");
    const claims = judgeClaims(loadClaims, some, "b");
    expect(claims.filter(({ holds }) => holds !== null).map(({ claim }) => claim)).toEqual([]);
    expect(judged("first-fit performs poorly", some, "b").evidence).toBe("not run: mix-fit");
    expect(judgeClaims(loadClaims, [], "b").every(({ holds }) => holds === null)).toBe(true);
  });
});

test("the name of a workload tells the thesis's pool", () => {
  expect(poolNamed("netbatch-a (synthetic)")).toBe("a");
  expect(poolNamed("Intel-NetBatch-2012-D")).toBe("d");
  expect(poolNamed("netbatch-b")).toBe("b");
  expect(poolNamed("KTH-SP2-1996")).toBeNull();
  expect(poolNamed("netbatch-archive")).toBeNull();
});
