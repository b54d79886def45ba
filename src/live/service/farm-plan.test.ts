import { describe, expect, it } from "vitest";

import { farmOfMachines } from "../../workload/index.ts";
import { parseShorthand } from "../../workload/machines/shorthand.ts";
import { systemClock } from "../engines/system/clock.ts";
import { systemCommands } from "../engines/system/commands.ts";
import { systemDisk } from "../engines/system/disk.ts";
import { Farm } from "./farm.fixture.ts";
import { planPools } from "./farm-plan.ts";

describe("a pool of this machine", () => {
  const plan = (gpuMilli: number | null, name = "p") => {
    const farm = farmOfMachines(parseShorthand("1x8c64g"));
    const [pool] = farm.pools;
    const groups = pool.groups.map((group) => ({ ...group, gpuMilli }));
    const system = { clock: systemClock(), disk: systemDisk, commands: systemCommands, folder: "/none" };
    return planPools(
      { ...farm, pools: [{ ...pool, name, engine: { kind: "local", settings: {} }, groups }] },
      () => system,
    );
  };

  it("cannot have GPUs that have no names, which no job would get", () => {
    expect(() => plan(2000)).toThrow(
      /^pool .*: the engine local gives each job devices of its own.*gpus: auto/,
    );
    expect(plan(0)).toHaveLength(1);
    expect(plan(null)).toHaveLength(1);
  });

  it.each(["../../x", "a/b", "/x", ".", ".."])(
    "is not called by what would be another folder: %s",
    (name) => {
      expect(() => plan(null, name)).toThrow(/a live farm keeps a folder for each pool/);
    },
  );
});

it.each(["simulated", "slurm", "kubernetes"])(
  "the engine %s is refused devices and hooks that it does not know",
  (kind) => {
    const farm = farmOfMachines(parseShorthand("1x8c64g"));
    const gpus = { devices: ["0"], kind: null, parts: 1 };
    const pools = farm.pools.map((pool) => ({ ...pool, name: "p", gpus, engine: { kind, settings: {} } }));
    const system = { clock: systemClock(), disk: systemDisk, commands: systemCommands, folder: "/none" };
    expect(() => planPools({ ...farm, pools }, () => system)).toThrow(
      `pool p: the engine ${kind} gives no job devices of its own: leave gpus out`,
    );
    const hooks = { prolog: "/p", epilog: null, limitSeconds: null, scratch: null };
    const withHooks = farm.pools.map((pool) => ({
      ...pool,
      name: "p",
      hooks,
      engine: { kind, settings: {} },
    }));
    expect(() => planPools({ ...farm, pools: withHooks }, () => system)).toThrow(
      `pool p: the engine ${kind} runs no prolog or epilog and makes no scratch folders: leave hooks out`,
    );
  },
);

it("a policy that plans on predictions is refused: a live farm makes none", async () => {
  const farm = Farm.of([{ name: "one", machines: 1, cores: 4 }], { policy: "easy++" });
  await expect(farm).rejects.toThrow(
    "pool one: policy easy++ plans on predicted run times, and a live farm predicts none",
  );
});

it("a limit of output is refused where an engine has none, when the farm is read", () => {
  const farm = farmOfMachines(parseShorthand("1x8c64g"));
  const system = { clock: systemClock(), disk: systemDisk, commands: systemCommands, folder: "/none" };
  const plan = (kind: string) =>
    planPools(
      {
        ...farm,
        outputMiB: 5,
        pools: farm.pools.map((pool) => ({ ...pool, engine: { kind, settings: {} } })),
      },
      () => system,
    );
  expect(() => plan("slurm")).toThrow(/its engine slurm does not limit what jobs print/);
  expect(() => plan("simulated")).toThrow(/no pool's engine has jobs that print, .* leave output out/);
  expect(plan("local")).toHaveLength(1);
});
