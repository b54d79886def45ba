import { describe, expect, test } from "vitest";

import { InputError } from "../errors.ts";
import { modelOf, netbatchParameters, type NetbatchModel } from "./netbatch-model.ts";
import { netbatchPools } from "./netbatch-pools.ts";
import { generateNetbatch } from "./netbatch.ts";
import { generators } from "./registry.ts";

const share = (values: ArrayLike<number>, holds: (value: number) => boolean): number =>
  Array.from(values).filter(holds).length / values.length;
const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const make = (model: Partial<NetbatchModel>) => generateNetbatch("a", { jobs: 100_000, model });

describe("the guesses in a synthetic pool", () => {
  test("as they are make the pool as it is", () => {
    for (const pool of Object.values(netbatchPools)) {
      const [one, same] = [undefined, modelOf(pool)].map((model) =>
        generateNetbatch(pool.letter, { jobs: 2000, ...(model === undefined ? {} : { model }) }),
      );
      for (const column of ["submitSeconds", "runtimeSeconds", "coresMilli", "memoryMiB"] as const)
        expect(same[column]).toEqual(one[column]);
    }
  });

  test("each change what they name", () => {
    const isEight = (milli: number): boolean => milli === 8000;
    expect(share(make({ eightCoreShare: 0 }).coresMilli, isEight)).toBe(0);
    expect(share(make({ eightCoreShare: 0.1 }).coresMilli, isEight)).toBeGreaterThan(0.05);
    expect(mean(make({ memoryFactor: 0.5 }).memoryMiB!)).toBeLessThan(0.8 * mean(make({}).memoryMiB!));
    // Bursts ask for as much as before.
    expect(Math.max(...make({ memoryFactor: 0.2 }).memoryMiB!)).toBe(16_384);
    // The background has 0.9 of these.
    const isBurst = (mebibytes: number): boolean => [4096, 8192, 16_384, 32_768].includes(mebibytes);
    const many = share(make({ burstShare: 0.6, memoryFactor: 0.9 }).memoryMiB!, isBurst);
    expect(many).toBeGreaterThan(share(make({ burstShare: 0.05, memoryFactor: 0.9 }).memoryMiB!, isBurst));
    const changes = (model: Partial<NetbatchModel>): number => {
      const { codes } = make({ burstShare: 0.01, ...model }).user!;
      return Array.from(codes).filter((user, i) => user !== codes[i - 1]).length;
    };
    expect(changes({ meanRun: 100 })).toBeLessThan(changes({ meanRun: 4 }) / 5);
    expect(changes({ activeCampaigns: 1 })).toBeLessThan(changes({ activeCampaigns: 40 }));
    expect(mean(make({ load: 0.3 }).runtimeSeconds) / mean(make({ load: 0.6 }).runtimeSeconds)).toBeCloseTo(
      0.5,
      1,
    );
  });

  test("are told in the workload's notes", () => {
    expect(generateNetbatch("b", { jobs: 10, model: { meanRun: 3, load: 0.4 } }).notes[0].what).toBe(
      "generated with seed 1, mean-run 3, load 0.4, after Shai 2014; not a recorded log",
    );
  });

  test("have limits", () => {
    for (const { key, name, least, most } of netbatchParameters)
      for (const value of [least - 1, most + 1, NaN])
        expect(() => generateNetbatch("a", { jobs: 10, model: { [key]: value } })).toThrow(
          new RegExp(`^${name} must be`),
        );
    expect(() => make({ meanRun: 1.5 })).toThrow(InputError);
  });

  test("are no other generator's", () => {
    for (const generator of generators) {
      const run = (): unknown => generator.generate({ jobs: 10, model: { meanRun: 2 } });
      if (generator.model === undefined) expect(run).toThrow(/no such parameters/);
      else expect(run).not.toThrow();
    }
  });
});
