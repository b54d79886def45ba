import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseFamily, simulate, type PackingChoice } from "../../src/simulation/index.ts";
import type { MachineSpec } from "../../src/core/pool/pool.fixture.ts";
import { aFarm, aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import { bookHeuristics, simulateByTheBook, type BookPacking } from "./pool-by-the-book.fixture.ts";
import { kinds, type Kind } from "./workloads.fixture.ts";

const withoutMemory = ["first-fit", "best-fit-cores", "worse-fit-cores", "dot-product"];

const anyPolicy = fc.constantFrom("relaxed" as const, "exclusive" as const, "none" as const);
const anyTtl = fc.constantFrom(0, 1, 20, 45, 90, Infinity);
const anyQueue = fc.constantFrom("other", "other", "ams", "ams", "cms");

/** The families whose queues some job names: the simulator refuses the others, as misspelt. */
function packingOf(jobs: readonly JobSpec[], policy: BookPacking["policy"], ttlSeconds: number): BookPacking {
  return {
    policy,
    ttlSeconds,
    queues: ["ams", "cms"].filter((queue) => jobs.some((job) => job.queue === queue)),
  };
}

function choiceOf({ policy, queues, ttlSeconds }: BookPacking): PackingChoice {
  return { policy, ttlSeconds, families: queues.map((queue) => parseFamily(`queue=${queue}`)) };
}

/** The paper's farm: nodes of slots, one slot a job. It is nearly always full. */
const slots: Kind = {
  machine: fc.record({ cores: fc.constantFrom(2000, 3000, 4000) }),
  job: fc.record({ submit: fc.nat(120), run: fc.integer({ min: 1, max: 150 }) }),
};

/** Few machines, often alike, and many jobs: who may use what is left matters nearly all the time. */
function anyFullFarm(
  machine: fc.Arbitrary<MachineSpec>,
  job: fc.Arbitrary<JobSpec>,
): fc.Arbitrary<{ machines: MachineSpec[]; jobs: JobSpec[] }> {
  return fc.record({
    machines: fc.oneof(
      fc.array(machine, { minLength: 1, maxLength: 3 }),
      fc
        .tuple(machine, fc.integer({ min: 1, max: 4 }))
        .map(([each, n]) => Array.from({ length: n }, () => each)),
    ),
    jobs: fc
      .array(job, { minLength: 6, maxLength: 30, size: "max" })
      .map((jobs) => jobs.sort((a, b) => (a.submit ?? 0) - (b.submit ?? 0))),
  });
}
const packedKinds = { ...kinds, slots };

describe.each(Object.keys(packedKinds) as (keyof typeof packedKinds)[])(
  "packing, as the text has it: %s",
  (kind) => {
    const heuristics =
      kind === "coresOnly" || kind === "slots"
        ? withoutMemory
        : bookHeuristics.filter((name) => kind !== "withGpus" || !name.startsWith("mix-fit"));
    const anyHeuristic = fc.constantFrom(...heuristics);
    const { machine, job } = packedKinds[kind];
    const named = fc.record({
      queue: anyQueue,
      policy: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, anyHeuristic),
    });
    const jobs = fc.tuple(job, named).map(([each, names]) => ({ ...each, ...names }));
    const settings = fc.record({
      policy: fc.oneof({ weight: 3, arbitrary: anyHeuristic }, fc.constant("max-jobs")),
      maxJobsList: fc.array(anyHeuristic, { minLength: 1, maxLength: 3 }),
      intervalSeconds: fc.constantFrom(0, 1, 7, 30),
      fairShare: fc.constant(null),
      examined: fc.constantFrom(Infinity, Infinity, 5),
      reserving: fc.constantFrom(Infinity, 0, 1, 3),
      leastFree: fc.constantFrom({ cores: 0, memory: 0 }, { cores: 1000, memory: 1024 }),
    });

    it("the same jobs start at the same times on the same machines", () => {
      fc.assert(
        fc.property(anyFullFarm(machine, jobs), settings, anyPolicy, anyTtl, (each, rest, policy, ttl) => {
          const packing = packingOf(each.jobs, policy, ttl);
          if (packing.queues.length === 0) return;
          const workload = aWorkload(each.jobs);
          const farm = aFarm(each.machines);
          const expected = simulateByTheBook(workload, farm, { ...rest, packed: packing });
          for (const plainScan of [false, true]) {
            const { schedule } = simulate(
              workload,
              farm,
              { ...rest, packing: choiceOf(packing), plainScan },
              { keepMachines: true },
            );
            expect(Array.from(schedule.startSeconds)).toEqual(expected.startSeconds);
            expect(expected.machines.map((_, row) => schedule.machines!.of(row))).toEqual(expected.machines);
          }
        }),
        { numRuns: 150 },
      );
    });
  },
);
