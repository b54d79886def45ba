import { describe, expect, it } from "vitest";

import { MachineState } from "../../machines/machine-state.ts";
import { someMachines, type MachineSpec } from "../../pool/pool.fixture.ts";
import type { Heuristic } from "../heuristic.ts";
import { scanFinder } from "../scan.ts";
import { dotProduct } from "./dot-product.ts";
import { mixFit } from "./mix-fit.ts";
import { mixFitOrigin } from "./mix-fit-origin.ts";

interface Amounts {
  readonly cores: number;
  readonly memory: number;
  readonly gpu?: number;
}

/** Machines with what is free on each, and a heuristic over them. */
function given(...machines: readonly (readonly [capacity: MachineSpec, free: Amounts])[]) {
  const state = new MachineState(someMachines(...machines.map(([capacity]) => capacity)));
  machines.forEach(([capacity, free], machine) => {
    state.take(
      machine,
      capacity.cores - free.cores,
      (capacity.memory ?? 0) - free.memory,
      (capacity.gpu ?? 0) - (free.gpu ?? 0),
      1,
    );
  });
  return {
    score: (heuristic: Heuristic, machine: number, { cores, memory, gpu = 0 }: Amounts): number =>
      heuristic.score(state, machine, cores, memory, gpu),
    choice: (heuristic: Heuristic, { cores, memory, gpu = 0 }: Amounts): number =>
      scanFinder(heuristic, state)(cores, memory, gpu),
  };
}

describe("mix-fit", () => {
  const machine = { cores: 4000, memory: 32 };

  it("takes the machine that the job fills exactly, as nothing left over is balanced", () => {
    const { choice, score } = given(
      [machine, { cores: 2000, memory: 20 }],
      [machine, { cores: 1000, memory: 12 }],
    );
    const job = { cores: 1000, memory: 12 };
    expect(score(mixFit, 1, job)).toBe(0);
    // Left of the other: 1 of 4 cores, 8 of 32: on the diagonal too, and before it.
    expect(score(mixFit, 0, job)).toBe(0);
    expect(choice(mixFit, job)).toBe(0);
  });

  it("with three resources, by hand", () => {
    const full = { cores: 4000, memory: 32, gpu: 2000 };
    const { choice, score } = given(
      [full, { cores: 3000, memory: 24, gpu: 500 }],
      [full, { cores: 2000, memory: 24, gpu: 1500 }],
      [full, { cores: 3000, memory: 8, gpu: 2000 }],
    );
    const job = { cores: 1000, memory: 8, gpu: 500 };
    // Left: (½, ½, 0), (¼, ½, ½), (½, 0, ¾); cos² = (Σx)² ÷ (3·Σx²).
    expect(score(mixFit, 0, job)).toBeCloseTo(1 - 1 / 1.5, 12);
    expect(score(mixFit, 1, job)).toBeCloseTo(1 - 1.25 ** 2 / (3 * 0.5625), 12);
    expect(score(mixFit, 2, job)).toBeCloseTo(1 - 1.25 ** 2 / (3 * 0.8125), 12);
    expect(choice(mixFit, job)).toBe(1);
  });

  it("does not count a resource that a machine has none of", () => {
    const { choice, score } = given(
      [
        { cores: 4000, memory: 32, gpu: 2000 },
        { cores: 2000, memory: 16, gpu: 2000 },
      ],
      [
        { cores: 4000, memory: 32, gpu: 0 },
        { cores: 2000, memory: 16 },
      ],
    );
    const job = { cores: 1000, memory: 8 };
    expect(score(mixFit, 1, job)).toBeCloseTo(0, 12);
    expect(choice(mixFit, job)).toBe(1);
  });
});

describe("mix-fit-origin", () => {
  it("by hand: used parts, from the origin", () => {
    const machine = { cores: 4000, memory: 32 };
    const { choice, score } = given(
      [machine, { cores: 3000, memory: 8 }], // used with the job: ½, 1
      [machine, { cores: 3000, memory: 24 }], // ½, ½
      [machine, { cores: 4000, memory: 32 }], // ¼, ¼
      [machine, { cores: 1000, memory: 24 }], // 1, ½
    );
    const job = { cores: 1000, memory: 8 };
    expect([0, 1, 2, 3].map((each) => score(mixFitOrigin, each, job))).toEqual([1 / 3, 0, 0, 1 / 3]);
    expect(choice(mixFitOrigin, job)).toBe(1);
  });

  it("differs from Mix-Fit: the use may be more balanced where the rest is less", () => {
    const machine = { cores: 8000, memory: 8 };
    const { choice } = given(
      [machine, { cores: 7000, memory: 6 }], // left 6, 5 (1/11); used 2, 3 (1/5)
      [machine, { cores: 3000, memory: 2 }], // left 2, 1 (1/3); used 6, 7 (1/13)
    );
    const job = { cores: 1000, memory: 1 };
    expect(choice(mixFit, job)).toBe(0);
    expect(choice(mixFitOrigin, job)).toBe(1);
  });
});

describe("dot-product", () => {
  it("by hand: the largest sum of requested part times free part", () => {
    const machine = { cores: 4000, memory: 32 };
    const { choice, score } = given(
      [machine, { cores: 2000, memory: 8 }], // ¼·½ + ¼·¼
      [machine, { cores: 1000, memory: 24 }], // ¼·¼ + ¼·¾
      [machine, { cores: 1000, memory: 16 }], // ¼·¼ + ¼·½
    );
    const job = { cores: 1000, memory: 8 };
    expect([0, 1, 2].map((each) => -score(dotProduct, each, job))).toEqual([0.1875, 0.25, 0.1875]);
    expect(choice(dotProduct, job)).toBe(1);
  });

  it("counts GPUs for jobs that ask for them", () => {
    const machine = { cores: 4000, memory: 32, gpu: 2000 };
    const { choice } = given(
      [machine, { cores: 3000, memory: 16, gpu: 500 }],
      [machine, { cores: 1000, memory: 16, gpu: 2000 }],
    );
    expect(choice(dotProduct, { cores: 1000, memory: 8 })).toBe(0);
    expect(choice(dotProduct, { cores: 1000, memory: 8, gpu: 500 })).toBe(1);
  });
});
