import { describe, expect, it } from "vitest";

import { gammaBelow } from "./gamma.ts";
import { typeless } from "./lublin-classes.ts";
import { bucketWeights, generateLublin, lublinMixes, type LublinMix } from "./lublin.ts";

const mixes = Object.keys(lublinMixes) as LublinMix[];

/**
 * Of an independent implementation of the authors' program, over 400,000 jobs on 128 nodes.
 * Times between arrivals have a heavy tail: fewer jobs tell their mean to a tenth only.
 */
const expected = {
  both: { gap: 522, size: 8.92, serial: 0.175, power: 0.864, mean: 1612, median: 18, p90: 879, load: 0.41 },
  typeless: {
    gap: 918,
    size: 12.13,
    serial: 0.245,
    power: 0.869,
    mean: 4350,
    median: 107,
    p90: 14_630,
    load: 0.71,
  },
  batch: {
    gap: 3544,
    size: 13.93,
    serial: 0.293,
    power: 0.969,
    mean: 9487,
    median: 813,
    p90: 27_664,
    load: 0.36,
  },
  interactive: {
    gap: 626,
    size: 8.06,
    serial: 0.156,
    power: 0.846,
    mean: 239,
    median: 13,
    p90: 181,
    load: 0.04,
  },
};

describe("the model of Lublin and Feitelson", () => {
  it.each(mixes)("has the moments of its authors' program: %s", (mix) => {
    const jobs = 100_000;
    const { submitSeconds, runtimeSeconds, tasks, queue } = generateLublin(mix, { jobs, seed: 7 });
    const sizes = [...tasks!];
    const part = (is: (size: number) => boolean): number => sizes.filter(is).length / jobs;
    const sorted = runtimeSeconds.slice().sort();
    const span = submitSeconds[jobs - 1] - submitSeconds[0];
    const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
    const near = (found: number, wanted: number, tolerance: number): void => {
      expect(Math.abs(found / wanted - 1), `${found} for ${wanted}`).toBeLessThan(tolerance);
    };
    near(span / (jobs - 1), expected[mix].gap, 0.1);
    near(sum(sizes) / jobs, expected[mix].size, 0.02);
    near(
      part((size) => size === 1),
      expected[mix].serial,
      0.04,
    );
    near(
      part((size) => Math.log2(size) % 1 === 0),
      expected[mix].power,
      0.01,
    );
    near(sum(runtimeSeconds) / jobs, expected[mix].mean, 0.08);
    near(sorted[jobs / 2], expected[mix].median, 0.06);
    near(sorted[Math.floor(0.9 * jobs)], expected[mix].p90, 0.1);
    near(sum(sizes.map((size, row) => size * runtimeSeconds[row])) / (128 * span), expected[mix].load, 0.15);
    if (mix === "both") near(queue!.codes.filter((code) => code === 0).length / jobs, 0.149, 0.05);
  });

  it("weights the half hours of the day", () => {
    const weights = bucketWeights(typeless);
    const first = [0.508, 0.456, 0.409, 0.365, 0.325, 0.289, 0.256, 0.226, 0.2, 0.176, 0.165, 0.239];
    first.forEach((weight, bucket) => expect(weights[bucket]).toBeCloseTo(weight, 3));
    expect(weights[27]).toBeCloseTo(1.833, 3);
    expect(weights[47]).toBeCloseTo(0.564, 3);
  });

  it("reaches a load by stretching the times between arrivals", () => {
    for (const load of [0.1, 0.5, 0.9]) {
      const { submitSeconds, tasks, nodeCpu, runtimeSeconds } = generateLublin("both", { load, seed: 3 });
      let work = 0;
      tasks!.forEach((n, row) => (work += n * nodeCpu![row] * runtimeSeconds[row]));
      expect(work / (128 * (submitSeconds.at(-1)! - submitSeconds[0]))).toBeCloseTo(load, 3);
    }
  });

  it("gives jobs of one task a quarter of a node, and little memory to most", () => {
    const { tasks, nodeCpu, nodeMemory } = generateLublin("both", { jobs: 20_000 });
    tasks!.forEach((n, row) => expect(nodeCpu![row]).toBe(n === 1 ? 0.25 : 1));
    const part = (memory: number): number =>
      nodeMemory!.filter((each) => Math.abs(each - memory) < 1e-9).length / 20_000;
    expect(part(0.1)).toBeCloseTo(0.55, 1);
    for (let tenths = 2; tenths <= 10; tenths++) expect(part(tenths / 10)).toBeCloseTo(0.05, 2);
  });

  it("is the same for the same seed, and refuses what it cannot make", () => {
    expect(generateLublin("both", { seed: 5 })).toEqual(generateLublin("both", { seed: 5 }));
    expect(generateLublin("both", { seed: 6 })).not.toEqual(generateLublin("both", { seed: 5 }));
    expect(() => generateLublin("both", { jobs: 1 })).toThrow("jobs must be");
    expect(() => generateLublin("both", { load: 0 })).toThrow("the load must be");
  });
});

describe("the gamma distribution's lower part", () => {
  it.each([
    // An exponential distribution, and sums of two and three.
    [1, 1, 1, 1 - Math.exp(-1)],
    [3, 2, 1, 1 - 4 * Math.exp(-3)],
    [8, 3, 2, 1 - 13 * Math.exp(-4)],
    [0, 2, 1, 0],
  ])("below %d of shape %d and scale %d", (x, shape, scale, part) => {
    expect(gammaBelow(x, shape, scale)).toBeCloseTo(part, 12);
  });
});
