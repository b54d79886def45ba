import { expect, it } from "vitest";

import { jobRequest, type JobRequest } from "../store/job-request.ts";
import { Farm } from "./farm.fixture.ts";
import { RequestChecks, type RequestChecksParts } from "./request-checks.ts";

/** A farm whose pools have these engines, behind one virtual pool, and a virtual pool for the last alone. */
function checksOf(...kinds: readonly string[]): RequestChecks {
  const pools = kinds.map((kind) => ({ name: `of-${kind}`, engine: { kind, settings: {} }, machines: [] }));
  const virtualPools = [
    { name: "all", pools: kinds.map((_, number) => number) },
    { name: "some", pools: [kinds.length - 1] },
  ];
  const nothing = { check: () => undefined };
  const parts = { farm: { pools, virtualPools }, names: nothing, notifying: nothing, isThere: () => true };
  return new RequestChecks(parts as unknown as RequestChecksParts);
}

function refusalOf(checks: RequestChecks, asked: Partial<JobRequest>): string {
  try {
    checks.check(jobRequest(["true"], { timeSeconds: 60, ...asked }), 0);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const IN_WORDS =
  "pool of-kubernetes: a pod cannot write to /home/ann/out of the service's machine: name no file, and the farm keeps its output";

it.each<[string, Partial<JobRequest>, string]>([
  ["a file for its output", { output: "/home/ann/out" }, IN_WORDS],
  ["a file for its errors", { errorOutput: "/home/ann/out" }, IN_WORDS],
  ["a file for its input", { input: "/in" }, "pool of-kubernetes: a pod cannot read /in of the service's"],
  ["a signal", { signal: { name: "USR1", secondsBefore: 10 } }, "pool of-kubernetes: a pod gets no signal"],
  ["a part of a GPU", { gpus: 0.5 }, "pool of-kubernetes: a pod has whole GPUs"],
  ["none of it", { gpus: 2 }, ""],
])("a job that asks for %s is refused where only pods can run it", (_, asked, told) => {
  const alone = checksOf("kubernetes");
  const mixed = checksOf("local", "kubernetes");
  for (const [checks, pool] of [
    [alone, null],
    [alone, "of-kubernetes"],
    [mixed, "of-kubernetes"],
    [mixed, "some"],
  ] as const) {
    const refusal = refusalOf(checks, { ...asked, pool });
    expect(told === "" ? refusal === "" : refusal.startsWith(told)).toBe(true);
  }
  for (const pool of [null, "all", "of-local"]) expect(refusalOf(mixed, { ...asked, pool })).toBe("");
});

it("a job that is there goes to no pool that cannot run it", async () => {
  const farm = await Farm.of([
    { name: "one", machines: 1, cores: 1 },
    { name: "two", machines: 1, cores: 1 },
  ]);
  const { pools } = farm.world.service.farm;
  await farm.submit(60, { pool: "one" });
  const { number } = await farm.submit(60, { pool: "one", output: "/home/ann/out" });
  Object.assign(
    pools.find(({ name }) => name === "two")!,
    { engine: { kind: "kubernetes", settings: {} } },
  );
  await expect(farm.change(number, { pool: "two" })).rejects.toThrow(
    "pool two: a pod cannot write to /home/ann/out",
  );
});
