import * as fc from "fast-check";
import type { CodedColumn, Workload } from "./workload.ts";

/** Any workload: every optional column there or not, times whole or not. */
export const anyWorkload: fc.Arbitrary<Workload> = fc.integer({ min: 0, max: 60 }).chain((count) => {
  const floats = (arbitrary: fc.Arbitrary<number>): fc.Arbitrary<Float64Array> =>
    fc.array(arbitrary, { minLength: count, maxLength: count }).map((values) => Float64Array.from(values));
  const integers = (min: number, max: number): fc.Arbitrary<Int32Array> =>
    fc
      .array(fc.integer({ min, max }), { minLength: count, maxLength: count })
      .map((values) => Int32Array.from(values));
  const seconds = fc.oneof(fc.nat({ max: 3_000_000 }), fc.double({ min: 1e-6, max: 1e12, noNaN: true }));
  const wholeOrMilli = fc.oneof(
    integers(1, 64).map((cores) => cores.map((value) => value * 1000)),
    integers(1, 2 ** 31 - 1),
  );
  const maybeSeconds = fc.oneof(seconds, fc.constant(Number.NaN));
  const coded: fc.Arbitrary<CodedColumn> = fc
    .uniqueArray(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 8 })
    .chain((names) => integers(0, names.length - 1).map((codes) => ({ codes, names })));
  const fields = fc.record({
    name: fc.string(),
    synthetic: fc.boolean(),
    count: fc.constant(count),
    submitSeconds: floats(seconds).map((values) => values.sort()),
    runtimeSeconds: floats(seconds),
    coresMilli: wholeOrMilli,
    memoryMiB: maybe(integers(0, 2 ** 31 - 1)),
    gpuMilli: maybe(integers(0, 8000)),
    tasks: maybe(integers(1, 1000)),
    estimateSeconds: maybe(floats(maybeSeconds)),
    jobNumber: maybe(floats(fc.nat({ max: 2 ** 40 }))),
    recordedWaitSeconds: maybe(floats(maybeSeconds)),
    project: maybe(coded),
    user: maybe(coded),
    queue: maybe(coded),
    policy: maybe(coded),
    priority: maybe(integers(-(2 ** 31), 2 ** 31 - 1)),
    requires: maybe(coded),
    pools: maybe(coded),
    site: maybe(coded),
    group: maybe(coded),
    recorded: fc.record(
      {
        arrayIndex: integers(-1, 100),
        restartPools: coded,
        licences: licencesOf(count),
        state: coded,
        nodes: coded,
      },
      { requiredKeys: [] },
    ),
    notes: fc.array(fc.record({ what: fc.string(), count: fc.nat(), firstLine: fc.nat() }), { maxLength: 2 }),
    farm: maybe(fc.record({ computer: fc.string(), nodes: fc.nat() })),
  });
  return fields.map(({ recorded, ...workload }) => ({ ...workload, ...recorded }));
});

/** Lists that can be read: readers refuse others. */
function licencesOf(count: number): fc.Arbitrary<CodedColumn> {
  const names = ["", "matlab=2", "vcs:1,matlab", " a = 3 ; b"];
  const code = fc.integer({ min: 0, max: names.length - 1 });
  return fc
    .array(code, { minLength: count, maxLength: count })
    .map((codes) => ({ codes: Int32Array.from(codes), names }));
}

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null });
}

/** The workload with names in place of codes: equal for equal workloads, however they number names. */
export function spelledOut(workload: Workload): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(workload).map(([key, value]: [string, unknown]) => {
      if (ArrayBuffer.isView(value)) return [key, Array.from(value as unknown as Iterable<number>)];
      if (value !== null && typeof value === "object" && "codes" in value) {
        const { codes, names } = value as CodedColumn;
        return [key, Array.from(codes, (code) => names[code])];
      }
      return [key, value];
    }),
  );
}
