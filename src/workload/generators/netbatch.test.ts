import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../errors.ts";
import { characterise, offeredLoad, type WorkloadStatistics } from "../statistics/characterise.ts";
import type { Workload } from "../workload.ts";
import { generateNetbatch, netbatchMachines, type PoolLetter } from "./netbatch.ts";
import { generators } from "./registry.ts";

/** Shai 2014, Table 2.1. */
const table = {
  a: { jobs: 13_368_191, users: 1_104, machines: 1_633, cores: 16_588 },
  b: { jobs: 13_085_800, users: 1_615, machines: 3_115, cores: 33_300 },
  c: { jobs: 13_313_793, users: 1_146, machines: 1_499, cores: 18_816 },
  d: { jobs: 9_054_066, users: 862, machines: 2_692, cores: 40_372 },
} as const;
const letters: readonly PoolLetter[] = ["a", "b", "c", "d"];

/** Enough days for several bursts of every kind. */
const jobs = 2_000_000;
const statistics = {} as Record<PoolLetter, WorkloadStatistics>;
let d: Workload;

beforeAll(() => {
  for (const letter of letters) {
    const workload = generateNetbatch(letter, { jobs });
    statistics[letter] = characterise(workload);
    if (letter === "d") d = workload;
  }
});

const sharesOf = (values: Float64Array, holds: (value: number) => boolean): number =>
  values.filter(holds).length / values.length;
const cores = (letter: PoolLetter): Float64Array => statistics[letter].buckets.cores;
const memory = (letter: PoolLetter): Float64Array => statistics[letter].buckets.memoryGiB!;
/** The share of jobs that ask for more than `above` and at most `upTo` GiB. */
const memoryShare = (letter: PoolLetter, above: number, upTo: number): number =>
  statistics[letter]
    .memoryGiB!.bars.filter((bar) => bar.upTo > above && bar.upTo <= upTo)
    .reduce((sum, bar) => sum + bar.share, 0);

describe.each(letters)("pool %s", (letter) => {
  test("has Table 2.1's machines and cores, and room for its largest jobs", () => {
    const machines = netbatchMachines(letter);
    expect(machines.count).toBe(table[letter].machines);
    expect(new Set(machines.ids).size).toBe(machines.count);
    expect(machines.coresMilli.reduce((sum, milli) => sum + milli, 0)).toBe(table[letter].cores * 1000);
    const { cores, memoryGiB } = statistics[letter];
    expect(Math.max(...machines.coresMilli)).toBeGreaterThanOrEqual(cores.summary.max * 1000);
    expect(Math.max(...machines.memoryMiB!)).toBeGreaterThanOrEqual(memoryGiB!.summary.max * 1024);
  });

  test("says that it is synthetic", () => {
    const workload = generateNetbatch(letter, { jobs: 10 });
    expect(workload).toMatchObject({ name: `netbatch-${letter} (synthetic)`, synthetic: true, count: 10 });
    expect(workload.user!.names.length).toBe(table[letter].users);
  });

  test("offers about 0.55 of the capacity", () => {
    expect(offeredLoad(statistics[letter], table[letter].cores)).toBeGreaterThan(0.48);
    expect(offeredLoad(statistics[letter], table[letter].cores)).toBeLessThan(0.62);
  });

  test("lasts as long as its share of the month's jobs", () => {
    const days = (30 * jobs) / table[letter].jobs;
    expect(Math.abs(statistics[letter].spanSeconds / 86_400 - days)).toBeLessThan(0.6);
  });

  test("is mostly serial jobs of 8 GB and below, with 16, 32 GB and more (Figures 2.1 and 2.2)", () => {
    expect(statistics[letter].serialShare).toBeGreaterThan(0.85);
    expect(memoryShare(letter, 0, 8)).toBeGreaterThan(0.75);
    expect(memoryShare(letter, 8, 16)).toBeGreaterThan(0.02);
    expect(memoryShare(letter, 16, 1024)).toBeGreaterThan(0.005);
  });

  test("has few users with most of the jobs", () => {
    const { jobsPerName, largest } = statistics[letter].users!;
    expect(jobsPerName.count).toBeGreaterThan(table[letter].users / 3);
    expect(largest[0].share).toBeGreaterThan(0.03);
    expect(jobsPerName.p99 / jobsPerName.p50).toBeGreaterThan(30);
  });
});

describe("bucket averages (section 3.2)", () => {
  test("A has bursts above 2 cores and several above 20 GB", () => {
    expect(sharesOf(cores("a"), (mean) => mean > 2)).toBeGreaterThan(0);
    expect(sharesOf(cores("a"), (mean) => mean > 2)).toBeLessThan(0.1);
    expect(sharesOf(memory("a"), (mean) => mean > 20)).toBeGreaterThan(0.005);
  });

  test("only A has them", () => {
    for (const letter of ["b", "c", "d"] as const) {
      expect(Math.max(...cores(letter))).toBeLessThan(2);
      expect(Math.max(...memory(letter))).toBeLessThan(20);
    }
  });

  test("B has sparse bursts of cores, intense ones of memory, and the most 4 GB jobs", () => {
    const burst = sharesOf(cores("b"), (mean) => mean > 1.25);
    expect(burst).toBeGreaterThan(0);
    expect(burst).toBeLessThan(0.05);
    for (const letter of ["a", "c", "d"] as const) {
      expect(sharesOf(memory("b"), (mean) => mean > 12)).toBeGreaterThan(
        sharesOf(memory(letter), (mean) => mean > 12),
      );
      expect(memoryShare("b", 2, 4)).toBeGreaterThan(memoryShare(letter, 2, 4) + 0.1);
    }
  });

  test("C has a moderate, continuous demand for cores, and a steadier one for memory than the others", () => {
    expect(sharesOf(cores("c"), (mean) => mean > 1.03)).toBeGreaterThan(0.9);
    expect(sharesOf(memory("c"), (mean) => mean > 6)).toBeGreaterThan(0.05);
    const variation = (letter: PoolLetter): number => {
      const values = memory(letter);
      const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
      return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length) / mean;
    };
    for (const letter of ["a", "b", "d"] as const) expect(variation("c")).toBeLessThan(variation(letter));
  });

  test("D has no bursts of cores, and periods of high and of particularly low memory", () => {
    expect(Math.max(...cores("d"))).toBeLessThan(1.05);
    expect(sharesOf(memory("d"), (mean) => mean > 12)).toBeGreaterThan(0.005);
    expect(sharesOf(memory("d"), (mean) => mean < 1)).toBeGreaterThan(0.01);
    for (const letter of ["a", "b", "c"] as const) expect(Math.min(...memory(letter))).toBeGreaterThan(1.5);
  });
});

describe("pool D beside the audit of the published log", () => {
  test("processors", () => {
    expect(statistics.d.serialShare).toBeCloseTo(9_046_299 / 9_054_066, 3);
    expect(statistics.d.cores.bars.map(({ upTo }) => upTo)).toEqual([1, 2, 4, 8]);
  });

  test("run times, of the serial jobs above 0", () => {
    expect(statistics.d.runtime.zeroShare).toBeCloseTo(0.067, 2);
    const { p5, p25, p50, p75, p90, p95, p99, mean } = characterise(runningOnly(d)).runtime.seconds;
    const audit = { p5: 3, p25: 36, p50: 486, p75: 3312, p90: 14_814, p95: 28_595, p99: 93_482, mean: 6875 };
    for (const [name, measured] of Object.entries({ p5, p25, p50, p75, p90, p95, p99, mean })) {
      const ratio = measured / audit[name as keyof typeof audit];
      expect(ratio, name).toBeGreaterThan(0.8);
      expect(ratio, name).toBeLessThan(1.25);
    }
    expect(statistics.d.runtime.workOfTop1Percent).toBeCloseTo(0.372, 1);
    expect(statistics.d.runtime.workOfTop10Percent).toBeCloseTo(0.779, 1);
  });

  test("arrivals burst by the hour and by the minute", () => {
    const { arrivalsPerHour: hour, arrivalsPerMinute: minute } = statistics.d;
    expect(Math.abs(hour.mean / 11_724 - 1)).toBeLessThan(0.15);
    expect(hour.peakToMean).toBeGreaterThan(3);
    expect(hour.peakToMean).toBeLessThan(9);
    expect(hour.dispersion).toBeGreaterThan(9789 / 2);
    expect(hour.dispersion).toBeLessThan(9789 * 2);
    expect(minute.peakToMean).toBeGreaterThan(10);
    expect(minute.peakToMean).toBeLessThan(35);
  });

  test("users and demands explain most of the variance of the log of run times", () => {
    // The audit: user × executable explain 0.71. A user's jobs of one demand, close in time, stand for these.
    const log = Array.from(d.runtimeSeconds.subarray(0, 300_000), (seconds) => Math.log(seconds + 1));
    const groups = new Map<string, number[]>();
    log.forEach((value, row) => {
      const key = `${d.user!.codes[row]} ${d.memoryMiB![row]} ${Math.floor(d.submitSeconds[row] / 7200)}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else group.push(value);
    });
    const total = squaresAroundMean(log);
    const within = [...groups.values()].reduce((sum, group) => sum + squaresAroundMean(group), 0);
    expect(1 - within / total).toBeGreaterThan(0.55);
    expect(1 - within / total).toBeLessThan(0.85);
  });
});

function runningOnly(workload: Workload): Workload {
  const rows = Array.from(workload.runtimeSeconds.keys()).filter(
    (row) => workload.runtimeSeconds[row] > 0 && workload.coresMilli[row] === 1000,
  );
  const integers = (column: Int32Array): Int32Array => Int32Array.from(rows, (row) => column[row]);
  const floats = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]);
  return {
    ...workload,
    count: rows.length,
    submitSeconds: floats(workload.submitSeconds),
    runtimeSeconds: floats(workload.runtimeSeconds),
    coresMilli: integers(workload.coresMilli),
    memoryMiB: null,
    user: null,
    project: null,
  };
}

function squaresAroundMean(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** Of a workload's columns, as bytes. */
function digest({ submitSeconds, runtimeSeconds, coresMilli, memoryMiB, user }: Workload): string {
  const hash = createHash("sha256");
  for (const column of [submitSeconds, runtimeSeconds, coresMilli, memoryMiB!, user!.codes]) {
    hash.update(column);
  }
  return hash.digest("hex").slice(0, 16);
}

describe("generation", () => {
  test("is the same on every machine, for ever", () => {
    expect(letters.map((letter) => digest(generateNetbatch(letter, { jobs: 50_000 })))).toEqual([
      "d0b37e323ca97bbc",
      "cee201353564c746",
      "128c0f39f2a11746",
      "50bbb5f9b482a600",
    ]);
  });

  test("depends on the seed", () => {
    const [one, two] = [1, 2].map((seed) => digest(generateNetbatch("b", { jobs: 1000, seed })));
    expect(one).not.toBe(two);
  });

  test("of fewer jobs is the beginning of more", () => {
    const few = generateNetbatch("c", { jobs: 3000 });
    const more = generateNetbatch("c", { jobs: 9000 });
    expect(Array.from(more.runtimeSeconds.subarray(0, 3000))).toEqual(Array.from(few.runtimeSeconds));
    expect(Array.from(more.submitSeconds.subarray(0, 3000))).toEqual(Array.from(few.submitSeconds));
  });

  test("gives whole seconds in order, on shared memory", () => {
    const { submitSeconds, runtimeSeconds } = generateNetbatch("a", { jobs: 20_000 });
    expect(submitSeconds.every((s, i) => Number.isInteger(s) && (i === 0 || s >= submitSeconds[i - 1]))).toBe(
      true,
    );
    expect(runtimeSeconds.every((s) => Number.isInteger(s) && s >= 0)).toBe(true);
    expect(submitSeconds.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test("lets all users submit in the month", () => {
    const month = generateNetbatch("d");
    expect(new Set(month.user!.codes).size).toBe(table.d.users);
    expect(month.count).toBe(table.d.jobs);
  });

  test.each([0, -1, 1.5, 1e12, Number.NaN])("refuses to make %s jobs", (jobs) => {
    expect(() => generateNetbatch("a", { jobs })).toThrow(InputError);
  });
});

test("the registry names all four pools", () => {
  const pools = generators.filter(({ name }) => name.startsWith("netbatch"));
  expect(pools.map(({ name, defaultJobs }) => [name, defaultJobs])).toEqual(
    letters.map((letter) => [`netbatch-${letter}`, table[letter].jobs]),
  );
  for (const generator of pools) {
    expect(generator.generate({ jobs: 5 }).name).toBe(`${generator.name} (synthetic)`);
    expect(generator.machines().name).toBe(generator.name);
  }
});
