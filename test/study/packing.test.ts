import { describe, expect, it } from "vitest";

import { parseFamily, type RunResult } from "../../src/simulation/index.ts";
import {
  judgeClaims,
  packingClaims,
  runLock,
  studyPacking,
  throughputLoss,
  type PackingStudyResult,
} from "../../src/research/study/index.ts";
import { generateAccounting } from "../../src/research/generators/accounting.ts";
import { readMachines } from "../../src/workload/index.ts";

const farm = await readMachines("40x8c");

describe("the constructed lock", () => {
  it("locks the farm under exclusive until the packed jobs end, and no longer than its time to live with one", () => {
    const [hour, day] = [3600, 86_400];
    expect(runLock(farm, { policy: "relaxed", ttlSeconds: 0 })).toMatchObject({
      lockedSeconds: 0,
      idleShare: 0,
    });
    const { lockedSeconds, idleShare } = runLock(farm, { policy: "exclusive", ttlSeconds: Infinity });
    expect(lockedSeconds).toBe(10 * day - 2 * hour);
    expect(idleShare).toBe(7 / 8);
    expect(runLock(farm, { policy: "exclusive", ttlSeconds: hour }).lockedSeconds).toBe(0);
    for (const ttlSeconds of [3 * hour, day, 9 * day]) {
      // It is locked from the end of the first ordinary jobs, seen a second later.
      expect(runLock(farm, { policy: "exclusive", ttlSeconds }).lockedSeconds).toBe(
        ttlSeconds - 2 * hour - 1,
      );
    }
  });
});

describe("the throughput lost", () => {
  const run = (means: readonly number[]): RunResult =>
    ({ fillFactorSteps: { stepSeconds: 3600, means } }) as unknown as RunResult;

  it("is the fill factor's, over the time that both runs have, with the batches' interval", () => {
    const full = run(Array<number>(100).fill(1));
    const { loss, interval } = throughputLoss(full, run(Array<number>(120).fill(0.9)), 0);
    expect(loss).toBeCloseTo(0.1, 12);
    expect(interval!.low).toBeCloseTo(0.1, 12);
    expect(interval!.high).toBeCloseTo(0.1, 12);
    // Six batches of means 0.9, 0.8, …: standard error of the mean = s ÷ √6, times t(5) = 2.571.
    const uneven = Array.from({ length: 120 }, (_, i) => 1 - 0.1 * (1 + (Math.floor(i / 20) % 2)));
    const found = throughputLoss(run(Array<number>(120).fill(1)), run(uneven), 0);
    expect(found.loss).toBeCloseTo(0.15, 12);
    const margin = (2.5706 * Math.sqrt((6 * 0.05 ** 2) / 5)) / Math.sqrt(6);
    expect(found.interval!.high - found.loss).toBeCloseTo(margin, 4);
  });

  it("has no interval where the runs are short, and is none where they have no step", () => {
    expect(throughputLoss(run([1, 1]), run([0.5, 1]), 0)).toEqual({ loss: 0.25, interval: null });
    expect(throughputLoss(run([1, 1]), run([0.5, 1]), 3600)).toEqual({ loss: 0, interval: null });
    expect(throughputLoss(run([]), run([]), 0).loss).toBeNaN();
  });
});

describe("the study of packing", () => {
  it("does not judge by runs that are over within the warm-up", async () => {
    const families = [parseFamily("queue=ams")];
    const study = studyPacking(generateAccounting({ jobs: 20_000 }), farm, {
      families,
      warmupSeconds: 1e9,
      threads: 1,
    });
    await expect(study).rejects.toThrow(/too short to judge by: .*--warmup/);
  });

  it("finds on a small farm what the paper finds: exclusive packs better and fills worse in saturation", async () => {
    const result = await studyPacking(generateAccounting({ jobs: 20_000 }), farm, {
      families: [parseFamily("queue=ams")],
      ttlSeconds: [3600],
      threads: 1,
    });
    expect(result.runs.map(({ run }) => [run.packing!.policy, run.packing!.ttlSeconds])).toEqual([
      ["relaxed", undefined],
      ["exclusive", undefined],
      ["exclusive", 3600],
      ["none", undefined],
    ]);
    const [relaxed, exclusive, living] = result.runs.map(({ run }) => run);
    expect(exclusive.packingIndexMean).toBeGreaterThan(1.5 * relaxed.packingIndexMean!);
    expect(exclusive.fillFactorMean).toBeLessThan(living.fillFactorMean!);
    expect(living.fillFactorMean).toBeLessThan(relaxed.fillFactorMean!);
    expect(result.limits).toMatchObject({ zeroDiffers: 0, agesDiffer: 0 });
  });
});

const good: PackingStudyResult = {
  machines: { nodes: 800, slots: 8 },
  warmupSeconds: 0,
  runs: [
    aRun({ packingIndexMean: 0.2, fillFactorMean: 1 }, { loss: 0, interval: { low: 0, high: 0 } }),
    aRun(
      { packingIndexMean: 0.7, fillFactorMean: 0.99 },
      { loss: 0.01, interval: { low: 0.008, high: 0.012 } },
      0.91,
    ),
  ],
  locks: [
    { policy: "relaxed", lockedSeconds: 0, idleShare: 0 },
    { policy: "exclusive", lockedSeconds: 800_000, idleShare: 0.9 },
    { policy: "exclusive", ttlSeconds: 9000, lockedSeconds: 1800, idleShare: 0.9 },
  ],
  beforeSaturation: { relaxed: 0.5, exclusive: 0.55 },
  limits: { jobs: 100, zeroDiffers: 0, agesDiffer: 0 },
};

function aRun(
  figures: { packingIndexMean: number | null; fillFactorMean: number },
  throughput: PackingStudyResult["runs"][number]["throughput"],
  fill = 1,
): PackingStudyResult["runs"][number] {
  const fillFactorSteps = { stepSeconds: 3600, means: Array<number>(100).fill(fill) };
  return { run: { ...figures, fillFactorSteps } as unknown as RunResult, throughput };
}

/** A change to the figures under which each claim fails, in the order of the claims. */
const spoilt: readonly Partial<PackingStudyResult>[] = [
  { beforeSaturation: { relaxed: 0.5, exclusive: 0.9 } },
  { runs: [aRun({ packingIndexMean: 0.6, fillFactorMean: 1 }, good.runs[0].throughput), good.runs[1]] },
  { runs: [good.runs[0], aRun({ packingIndexMean: 0.3, fillFactorMean: 0.99 }, good.runs[1].throughput)] },
  { runs: [good.runs[0], aRun({ packingIndexMean: 0.7, fillFactorMean: 1 }, { loss: 0, interval: null })] },
  {
    runs: [good.runs[0], aRun({ packingIndexMean: 0.7, fillFactorMean: 0.9 }, { loss: 0.1, interval: null })],
  },
  {
    runs: [
      good.runs[0],
      aRun({ packingIndexMean: 0.7, fillFactorMean: 0.99 }, good.runs[1].throughput, 0.99),
    ],
  },
  { locks: [good.locks[0], { ...good.locks[1], lockedSeconds: 0 }, good.locks[2]] },
  { locks: [good.locks[0], good.locks[1], { ...good.locks[2], lockedSeconds: 9001 }] },
  { limits: { jobs: 100, zeroDiffers: 1, agesDiffer: 0 } },
];

describe("every claim of Dal Pra 2014", () => {
  it("holds under figures that bear it out", () => {
    expect(judgeClaims(packingClaims, good, null).filter(({ holds }) => holds !== true)).toEqual([]);
    expect(spoilt.length).toBe(packingClaims.length);
  });

  it.each(packingClaims.map((each, i) => [each.claim, i] as const))(
    "fails where they do not: %s",
    (_claim, i) => {
      const judged = judgeClaims(packingClaims, { ...good, ...spoilt[i] }, null);
      expect(judged[i].holds).toBe(false);
    },
  );

  it("is not judged without the figures it needs", () => {
    const nothing = aRun({ packingIndexMean: null, fillFactorMean: 1 }, { loss: NaN, interval: null });
    const judged = judgeClaims(
      packingClaims,
      {
        ...good,
        runs: [
          nothing,
          { ...nothing, run: { ...nothing.run, fillFactorSteps: { stepSeconds: 3600, means: [] } } },
        ],
        locks: good.locks.slice(0, 2),
        beforeSaturation: { relaxed: NaN, exclusive: NaN },
        limits: { jobs: 0, zeroDiffers: 0, agesDiffer: 0 },
      },
      null,
    );
    expect(judged.map(({ holds }) => holds)).toEqual([null, null, null, false, null, null, true, null, null]);
  });
});
