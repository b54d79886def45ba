import * as fc from "fast-check";

import type { MachineSpec } from "../../src/core/pool/pool.fixture.ts";
import type { JobSpec } from "../../src/simulation/workload.fixture.ts";

/** What the jobs and machines of a case are like. */
export interface Kind {
  readonly machine: fc.Arbitrary<MachineSpec>;
  readonly job: fc.Arbitrary<JobSpec>;
}

const submit = fc.nat(240);
const run = fc.oneof(fc.nat(150), fc.constantFrom(0, 30, 60));
const tasks = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 6 }));

/** Whole cores and GiB: many ties. */
const whole: Kind = {
  machine: fc.record({
    cores: fc.integer({ min: 1, max: 8 }).map((cores) => cores * 1000),
    memory: fc.integer({ min: 0, max: 8 }).map((gib) => gib * 1024),
  }),
  job: fc.record({
    submit,
    run,
    tasks,
    cores: fc.integer({ min: 1, max: 5 }).map((cores) => cores * 1000),
    memory: fc.integer({ min: 0, max: 5 }).map((gib) => gib * 1024),
  }),
};

/** Thousandths of cores and odd MiB: more levels than an index has room for. */
const odd: Kind = {
  machine: fc.record({
    cores: fc.integer({ min: 1, max: 12_007 }),
    memory: fc.oneof(fc.integer({ min: 0, max: 300_007 }), fc.constantFrom(0, 65_537)),
  }),
  job: fc.record({
    submit,
    run,
    tasks,
    cores: fc.oneof(fc.integer({ min: 1, max: 5003 }), fc.constantFrom(1, 333, 1000)),
    memory: fc.oneof(fc.integer({ min: 0, max: 90_001 }), fc.constantFrom(0, 1, 4099)),
  }),
};

/** With GPUs, on some machines only. */
const withGpus: Kind = {
  machine: fc.record({
    cores: fc.integer({ min: 1, max: 8 }).map((cores) => cores * 1000),
    memory: fc.integer({ min: 1, max: 8 }).map((gib) => gib * 1024),
    gpu: fc.constantFrom(0, 0, 1000, 2000, 4000),
  }),
  job: fc.record({
    submit,
    run,
    tasks,
    cores: fc.integer({ min: 1, max: 4000 }),
    memory: fc.nat(4096),
    gpu: fc.constantFrom(0, 0, 0, 250, 500, 1000),
  }),
};

/** Machines and jobs with cores alone. */
const coresOnly: Kind = {
  machine: fc.record({ cores: fc.integer({ min: 1, max: 8 }).map((cores) => cores * 1000) }),
  job: fc.record({ submit, run, tasks, cores: fc.integer({ min: 1, max: 4 }).map((cores) => cores * 500) }),
};

export const kinds = { whole, odd, withGpus, coresOnly };

/** Machines, now and then all alike, and jobs in order of submission. */
export function anyCase(
  kind: Kind,
  most: { readonly machines: number; readonly jobs: number } = { machines: 7, jobs: 30 },
): fc.Arbitrary<{ machines: MachineSpec[]; jobs: JobSpec[] }> {
  const count = { minLength: 1, maxLength: most.machines };
  return fc.record({
    machines: fc.oneof(
      fc.array(kind.machine, count),
      fc
        .tuple(kind.machine, fc.integer({ min: 1, max: most.machines }))
        .map(([machine, n]) => Array.from({ length: n }, () => machine)),
    ),
    jobs: fc
      .array(kind.job, { maxLength: most.jobs })
      .map((jobs) => jobs.sort((a, b) => (a.submit ?? 0) - (b.submit ?? 0))),
  });
}

/** Paths two levels deep, some of them projects that have projects below them. */
export const anyProject = fc.constantFrom("/a", "/a/x", "/a/y", "/b/x", "/b/y", "/b/y/z", "/c");

export const anyShares = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom("/a", "/a/x", "/a/y", "/b", "/b/x", "/b/y", "/b/y/z", "/c"),
    share: fc.constantFrom(0.5, 1, 2, 3, 10),
  }),
  { selector: ({ path }) => path },
);
