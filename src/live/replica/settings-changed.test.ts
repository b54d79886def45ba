import { expect, it } from "vitest";

import type { FarmRules } from "../service/farms.fixture.ts";
import { Farm } from "../service/farm.fixture.ts";
import { settingsChanged } from "./settings-changed.ts";

const one = [{ name: "one", machines: 2, cores: 4 }];
const rest = { waitingJobs: null, jobsAtOnce: null };
const reservation = {
  name: "course",
  pool: 0,
  machines: null,
  from: { since: "1970" as const, seconds: 4e9 },
  seconds: 3600,
  users: ["eve"],
  groups: ["staff"],
  projects: [],
  reason: null,
};

async function changes(before: FarmRules, after: FarmRules): Promise<string[]> {
  const [from, to] = await Promise.all([before, after].map((rules) => Farm.of(one, rules)));
  return settingsChanged(from.world.service.farm, to.world.service.farm);
}

it("says in words which limits, licences, shares and reservations are others", async () => {
  const limit = { of: "user" as const, ...rest, runningCores: null };
  const lines = await changes(
    {
      limits: [
        { ...limit, name: "ann", runningJobs: 2 },
        { ...limit, name: "bob", runningJobs: 2 },
      ],
      licences: { matlab: 2 },
      shares: [{ path: "/a", share: 1 }],
    },
    {
      limits: [
        { ...limit, name: "ann", runningJobs: 3, runningCores: 8 },
        { ...limit, name: null, runningJobs: 1, storedMiB: 1 / 1024 },
      ],
      licences: { matlab: 3, vcs: 1 },
      shares: [{ path: "/a", share: 2 }],
      reservations: [reservation],
    },
  );
  expect(lines).toEqual([
    "pool one: share of /a: 2, was 1",
    "pool one: licence matlab: 3, was 2",
    "pool one: licence vcs is new: 1",
    "limit of user ann: 3 running jobs, 8 cores in use, was 2 running jobs",
    "limit of each other user is new: 1 running job, 1 KiB stored",
    "limit of user bob is gone",
    "reservation course of pool one is new: one-1, one-2 from 2096-10-02T07:06:40.000Z until 2096-10-02T08:06:40.000Z for users eve; groups staff",
  ]);
});

it("tells of what a farm file does not say that it is as unless given, and not that it is none", async () => {
  const { farm } = (await Farm.of(one)).world.service;
  const lines = settingsChanged(farm, { ...farm, outputMiB: 1, retentionSeconds: 86_400 });
  expect(lines).toEqual([
    "MiB that are kept of a job's output: 1, was the default",
    "seconds that jobs are kept after their month: 86400, was the default",
  ]);
});

it("has no marks of JSON in it, whatever is another", async () => {
  const usage = { halfLifeSeconds: 3600, of: "cores" } as const;
  const lines = await changes(
    { victim: null },
    {
      victim: "lowest-priority",
      usage,
      shares: [{ path: "/a", share: 1 }],
      policy: "easy",
      engine: { suspend: "none" },
    },
  );
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join("\n")).not.toMatch(/[[\]{}"]/);
});
