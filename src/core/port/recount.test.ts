import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { anyEngine, Draws } from "./any-engine.fixture.ts";
import { FaultyDriver } from "./faulty-driver.fixture.ts";
import { freeTwice } from "./miscount.fixture.ts";
import { Port } from "./port.ts";
import { wrongCount } from "./recount.ts";

/** What may go wrong in an engine, as if a bug had done it; false: not in this one. */
const faults: Readonly<Record<string, (port: Port) => boolean>> = {
  "a core that is free twice": (port) => {
    freeTwice(port);
    return true;
  },
  "memory that is free twice": (port) => {
    port["pools"][0].pool.machines.freeMemory[0] += 1;
    return true;
  },
  "a job that counts in another state": (port) => {
    const { jobs } = port.view;
    const [job] = jobs;
    if (job === undefined) return false;
    port["engineJobs"].counts.count(jobs.stateOf(job), jobs.poolOf(job), -1);
    return true;
  },
};

describe("a recount", () => {
  it.each(Object.keys(faults))("finds %s", (name) => {
    let found = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const driver = new FaultyDriver(anyEngine(seed), seed);
        driver.run(80);
        const random = new Draws(seed + 1);
        const port = new Port(anyEngine(seed).settings((below) => random.below(below)));
        for (const { event } of driver.journal.slice(0, driver.journal.length / 2)) port.apply(event);
        expect(wrongCount(port.view)).toBeNull();
        // A job that is suspended, or being so, holds what no count of those that run knows.
        const { freeCores, freeMemory } = port.view.pools[0].machines;
        const [cores, memory] = [freeCores[0], freeMemory[0]];
        if (!faults[name](port)) return;
        const isIdle = port.view.pools[0].jobsOn(0).length === 0;
        if (isIdle || name.startsWith("a job")) expect(wrongCount(port.view)).not.toBeNull();
        if (wrongCount(port.view) !== null) found++;
        [freeCores[0], freeMemory[0]] = [cores, memory];
      }),
      { numRuns: 30 },
    );
    expect(found).toBeGreaterThan(0);
  });
});
