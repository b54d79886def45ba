import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

import { farmGenerators } from "../generators/farm-registry.ts";
import { parseShorthand } from "../machines/shorthand.ts";
import type { Farm } from "./farm.ts";
import { farmOfMachines } from "./of-machines.ts";
import { readFarm } from "./read-farm.ts";
import { writeFarm } from "./write-farm.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-farm-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function expectKept(farm: Farm): Promise<void> {
  for (const name of ["farm.yaml", "farm.json"]) {
    await writeFarm(farm, join(folder, name), "made by a test");
    expect(await readFarm(join(folder, name))).toEqual(withoutNames(farm));
  }
}

/** The file that is written has no list of machines to name them. */
function withoutNames(farm: Farm): Farm {
  const pools = farm.pools.map((pool) => ({
    ...pool,
    groups: pool.groups.map(({ names: _names, ...group }) => group),
  }));
  return { ...farm, pools };
}

const examples = fileURLToPath(new URL("../../../examples/farms", import.meta.url));
test.each(readdirSync(examples))("the example %s, written and read, is the same", async (file) => {
  await expectKept(await readFarm(join(examples, file)));
});

test.each(farmGenerators)("the farm of $name, written and read, is the same", async (generator) => {
  await expectKept(generator.farm(5000));
});

test("so is a farm with every setting", async () => {
  const farm = farmOfMachines(parseShorthand("3x8c64g+2x16c128g"));
  const pool = {
    ...farm.pools[0],
    policy: "max-jobs",
    maxJobsList: ["mix-fit"],
    intervalSeconds: 30,
    reserving: 7,
  };
  await expectKept({
    ...farm,
    sites: ["a", "b"],
    transferSeconds: [
      [0, 5],
      [9, 0],
    ],
    pools: [
      {
        ...pool,
        shares: [{ path: "/cpu", share: 2 }],
        licences: [
          { name: "matlab", count: 20 },
          { name: "vcs@server", count: 0 },
        ],
      },
      {
        ...pool,
        name: "q",
        site: 1,
        reserving: 0,
        shares: [],
        usage: { halfLifeSeconds: 3600, of: "dominant" },
      },
    ],
    virtualPools: [
      { name: "v", site: 0, pools: [1, 0], routing: "utilization", viewAgeSeconds: 3, hasQueue: true },
    ],
    preemption: { keepsMemory: true, victim: null },
    rescheduling: { ...farm.rescheduling, maxRestarts: 3, candidates: [1], checkpointSeconds: 60 },
    limits: [
      { of: "user", name: null, runningJobs: 3, runningCores: 1.5, waitingJobs: null, jobsAtOnce: null },
      {
        of: "user",
        name: "ann",
        runningJobs: null,
        runningCores: null,
        waitingJobs: 5,
        jobsAtOnce: 0,
        storedMiB: 64,
      },
      {
        of: "project",
        name: "/cpu",
        runningJobs: 1,
        runningCores: null,
        waitingJobs: null,
        jobsAtOnce: null,
      },
    ],
    reservations: [
      {
        name: "disks",
        pool: 0,
        machines: 1,
        from: { since: "1970", seconds: 1_795_000_000 },
        seconds: 7200,
        users: [],
        groups: [],
        projects: [],
        reason: "new disks",
      },
      {
        name: "course",
        pool: 0,
        machines: null,
        from: { since: "log", seconds: 3.5 },
        seconds: 60,
        users: ["ann"],
        groups: ["red"],
        projects: ["/a"],
        reason: null,
      },
    ],
    userGroups: [
      { name: "cpu", users: ["ann"], unixGroups: [], maxPriority: 80, projects: ["/cpu"] },
      { name: "gpu", users: [], unixGroups: ["gpu"], maxPriority: null, projects: [], role: "operator" },
    ],
    channels: [
      { name: "ops", kind: "webhook", url: "https://ops.example/x" },
      { name: "mail", kind: "command", command: ["/bin/m", "a"] },
    ],
    outputMiB: 2048,
    retentionSeconds: 3600,
  });
});

test("so is a farm with GPUs that are named, one that finds them, and one with hooks", async () => {
  const farm = farmOfMachines(parseShorthand("1x8c64g"));
  const [pool] = farm.pools;
  const named = {
    ...pool,
    gpus: { devices: ["0", "GPU-x"], kind: "a100", parts: 2 },
    groups: pool.groups.map((group) => ({ ...group, gpuMilli: 2000, attributes: { gpuKind: "a100" } })),
  };
  const found = { ...pool, gpus: { devices: null, kind: null, parts: 1 } };
  await expectKept({ ...farm, pools: [named] });
  await expectKept({ ...farm, pools: [found] });
  const hooks = { prolog: "/p", epilog: null, limitSeconds: 5, scratch: "/scratch" };
  await expectKept({ ...farm, pools: [{ ...pool, hooks }] });
});
