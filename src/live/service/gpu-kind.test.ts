import { expect, it } from "vitest";

import { findJob } from "../store/job-views.ts";
import { Farm } from "./farm.fixture.ts";
import { withKind, withoutKind } from "./gpu-kind.ts";

it("a kind is put beside what a job requires, and taken away again", () => {
  for (const own of ["", 'os == "linux"', "(a == 1) and (b == 2)", 'x == "\n" or (y == 2'])
    for (const kind of ["a100", "h100.80"]) expect(withoutKind(withKind(own, kind))).toBe(own);
  expect(withoutKind('gpuKind == "a100" or os == "linux"')).toBe('gpuKind == "a100" or os == "linux"');
});

it("a job that waits is given another kind of GPU, over a restart too, unless no machine has it", async () => {
  const farm = await Farm.of(
    [
      { name: "one", machines: 1, cores: 4 },
      { name: "two", machines: 1, cores: 4 },
    ],
    { gpus: { one: "a100", two: "h100" } },
  );
  for (const requires of ["", "cores >= 2"]) await farm.submit(10, { gpus: 1, requires, hold: true });
  const requiresOf = (job: number): string => findJob(farm.world.database, job)!.requires;
  for (const job of [1, 2]) {
    await farm.change(job, { gpuKind: "a100", pool: "one" });
    await expect(farm.change(job, { gpuKind: "t4" })).rejects.toThrow(
      "no machine of pool one could ever hold",
    );
    await expect(farm.change(job, { gpuKind: "h100" })).rejects.toThrow("could ever hold");
    await farm.change(job, { gpuKind: "h100", pool: "two", gpus: 2 });
  }
  expect([requiresOf(1), requiresOf(2)]).toEqual(['gpuKind == "h100"', '(cores >= 2) and gpuKind == "h100"']);
  farm.world.die();
  await farm.world.start();
  for (const job of [1, 2]) await farm.act("release", job);
  await farm.pass(40);
  for (const job of [1, 2])
    expect(findJob(farm.world.database, job)).toMatchObject({ state: "ended", pool: "two", gpus: 2 });
  await farm.submit(10, { gpus: 1, requires: 'gpuKind == "a100"', hold: true });
  await farm.change(3, { gpus: 0 });
  expect(requiresOf(3)).toBe("");
});
