import { describe, expect, it } from "vitest";

import { aJob, aPool, someMachines, startedOf } from "./pool.fixture.ts";

describe("a suspended job", () => {
  const machines = someMachines({ cores: 4000, memory: 8192, gpu: 2000 });
  const free = ({ machines: { freeCores, freeMemory, freeGpu } }: ReturnType<typeof aPool>): number[] => [
    freeCores[0],
    freeMemory[0],
    freeGpu[0],
  ];

  it("gives up its cores, and keeps its memory and its GPUs, if it keeps its memory", () => {
    const pool = aPool("first-fit", machines, { reserving: 0 });
    const job = pool.submit(aJob({ cores: 4000, memory: 4096, gpu: 2000 }));
    pool.cycle(0);
    expect(free(pool)).toEqual([0, 4096, 0]);
    pool.suspend(job, true, 1);
    expect(free(pool)).toEqual([4000, 4096, 0]);
    const wantsGpu = pool.submit(aJob({ cores: 1000, memory: 1, gpu: 1000 }));
    const plain = pool.submit(aJob({ cores: 1000, memory: 1 }));
    pool.cycle(2);
    expect(startedOf(pool)).toEqual([plain]);
    pool.finish(plain);
    pool.resume(job, true, 3);
    expect(free(pool)).toEqual([0, 4096, 0]);
    pool.suspend(job, true, 4);
    pool.abandon(job, true);
    expect(free(pool)).toEqual([4000, 8192, 2000]);
    pool.cycle(5);
    expect(startedOf(pool)).toEqual([wantsGpu]);
  });

  it("gives up its memory and its GPUs as well, if it keeps no memory", () => {
    const pool = aPool("first-fit", machines);
    const job = pool.submit(aJob({ cores: 4000, memory: 4096, gpu: 2000 }));
    pool.cycle(0);
    pool.suspend(job, false, 1);
    expect(free(pool)).toEqual([4000, 8192, 2000]);
    pool.resume(job, false, 2);
    expect(free(pool)).toEqual([0, 4096, 0]);
  });
});
