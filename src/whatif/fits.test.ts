import { expect, it } from "vitest";

import { anyFarmOf } from "../live/service/farms.fixture.ts";
import { fits, type Wanted } from "./fits.ts";
import { farmWith, pass, type PastSpec } from "./past.fixture.ts";
import { readPresent } from "./present.ts";

const wanted: Wanted = {
  cores: 2,
  memoryMiB: 1000,
  gpus: 0,
  tasks: 1,
  timeSeconds: null,
  priority: 50,
  requires: "",
  pool: null,
  group: "",
};

const HOURS = [0, 3600, 7200] as const;

/** Two machines of 4 cores, one with a job of 3 cores that may run for an hour and half an hour is over. */
async function halfBusy() {
  const job: PastSpec = {
    submit: 0,
    run: 1e6,
    request: { cores: 3, memoryMiB: 100, timeSeconds: 3600 },
    user: "u",
  };
  const world = await farmWith(anyFarmOf([{ name: "one", machines: 2, cores: 4 }]), [job]);
  await pass(world, 1800);
  return readPresent(world.database, world.clock.unixSeconds());
}

it("counts the jobs that start now, and when those that run have ended", async () => {
  const found = fits(await halfBusy(), wanted, 10, HOURS);
  // 2 on the free machine; when the job of 3 cores has ended 2 more; they have no end.
  expect(found).toEqual({ never: null, started: [2, 4, 4], nowByPool: { one: 2 }, isCutShort: false });
});

it("jobs with an end make room for others", async () => {
  const found = fits(await halfBusy(), { ...wanted, timeSeconds: 1800 }, 10, HOURS);
  // At 0: 2; at half an hour 4, at an hour 4 more.
  expect(found.started).toEqual([2, 10, 10]);
});

it("all tasks of a job start together", async () => {
  expect(fits(await halfBusy(), { ...wanted, tasks: 3 }, 10, HOURS).started).toEqual([0, 1, 1]);
});

it("says why a job could never start", async () => {
  const found = fits(await halfBusy(), { ...wanted, cores: 5 }, 10, HOURS);
  expect(found.started).toEqual([0, 0, 0]);
  expect(found.never).toMatch(/core/);
  const required = fits(await halfBusy(), { ...wanted, requires: "cores >= 16" }, 10, HOURS);
  expect(required.never).toMatch(/cores/);
});
