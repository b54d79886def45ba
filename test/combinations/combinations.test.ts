import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { combinationsPage } from "../../scripts/combinations-page.ts";
import { prepare } from "../../src/cli/commands/simulate.ts";
import type { SimulateFlags } from "../../src/cli/simulate/flags.ts";
import {
  combinations,
  explainJob,
  parseFamily,
  runKinds,
  sharesAt,
  simulate,
  type Combination,
  type RunKind,
} from "../../src/simulation/index.ts";
import { temporaryFolder } from "../cli/croft.fixture.ts";
import { register } from "../../src/research/register.ts";

register();

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const kinds = Object.keys(runKinds) as RunKind[];

/** Forty jobs that come faster than they can be run: the arithmetic makes them differ. */
const columnsOfAll: Readonly<Record<string, (i: number) => string | number>> = {
  submit: (i) => i * 20,
  runtime: (i) => ((i * 79) % 300) + 30,
  estimate: (i) => (((i * 79) % 300) + 30) * (1 + (i % 3)),
  cores: (i) => 1 + (i % 2),
  memory: (i) => 512 * (1 + (i % 4)),
  queue: (i) => (i % 4 === 0 ? "ams" : "other"),
  project: (i) => `/p${i % 3}`,
};
const ownColumns: Readonly<Record<string, (i: number) => string | number>> = {
  tasks: (i) => 1 + (i % 3),
  policy: (i) => (i % 5 < 3 ? "best-fit-memory" : ""),
  requires: (i) => (i % 5 === 1 ? "cores >= 4" : ""),
  priority: (i) => (i % 3 === 2 ? 5 : 0),
  group: (i) => (i % 4 === 0 ? "red" : ""),
  pools: (i) => (i % 2 === 0 ? "a" : ""),
  restart_pools: (i) => (i % 2 === 0 ? "a" : ""),
  site: (i) => (i % 2 === 0 ? "users" : ""),
  licences: (i) => (i % 2 === 0 ? "lic" : ""),
};

function log(name: string, columns: Readonly<Record<string, (i: number) => string | number>>): string {
  const rows = Array.from({ length: 40 }, (_, i) => Object.values(columns).map((column) => column(i)));
  const path = at(`log-${name}.csv`);
  writeFileSync(path, `${[Object.keys(columns), ...rows].map((row) => row.join(",")).join("\n")}\n`);
  return path;
}

const pool = (name: string): string =>
  `  - { name: ${name}, interval: 30, licences: { lic: 1 }, machines: [{ count: 2, cores: 2, memory: 4 GiB, owner: red }, { count: 2, cores: 2, memory: 2 GiB }] }\n`;
const tail = "virtualPools: [{ name: users, pools: [a] }]\n";

beforeAll(() => {
  writeFileSync(at("machines.csv"), "id,cores,memory\na-1,2,4096\na-2,2,2048\na-3,2,4096\na-4,2,2048\n");
  writeFileSync(at("pool.yaml"), `pools:\n${pool("a")}${tail}`);
  writeFileSync(at("farm.yaml"), `pools:\n${pool("a")}${pool("b")}${tail.replace("[a]", "[a, b]")}`);
  writeFileSync(
    at("slots.yaml"),
    "pools: [{ name: a, interval: 0, licences: { lic: 1 }, machines: [{ count: 2, cores: 2 }] }]\n",
  );
  writeFileSync(at("alike.csv"), "id,cores,memory\na-1,2,4096\na-2,2,4096\n");
  writeFileSync(at("slots.csv"), "id,cores\na-1,2\na-2,2\n");
  for (const [name, memory] of [
    ["alike.txt", " RealMemory=4096"],
    ["slots.txt", ""],
  ]) {
    const node = (id: string, state: string): string => `NodeName=${id} CPUTot=2${memory} State=${state}\n`;
    writeFileSync(at(name), node("n1", "IDLE") + node("n2", "IDLE") + node("n3", "DOWN"));
  }
  writeFileSync(at("shares.csv"), "project,share\n/p0,9\n");
  writeFileSync(
    at("plugin.mjs"),
    "export default { heuristics: [{ name: 'last', summary: 'the last', needsMemory: false, keepsChoice: false, score: (_, machine) => -machine }] };\n",
  );
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterAll(() => void vi.restoreAllMocks());

const family = parseFamily("queue=ams");

/** A run of each kind to which things are added. */
const bases: Readonly<
  Record<
    RunKind,
    { flags: SimulateFlags; columns?: Readonly<Record<string, (i: number) => string | number>> }
  >
> = {
  machines: { flags: { machines: at("machines.csv"), policy: ["first-fit"] } },
  pool: { flags: { farm: at("pool.yaml") } },
  farm: { flags: { farm: at("farm.yaml") } },
  packing: { flags: { farm: at("farm.yaml"), packing: ["exclusive"], family: [family] } },
  order: {
    flags: { machines: "4x2c", policy: ["first-fit"], clock: "order" },
    columns: { ...columnsOfAll, cores: () => 1 },
  },
  single: { flags: { machines: at("machines.csv"), policy: ["easy"], preset: "pyss" } },
  whole: { flags: { machines: "4x2c4g", policy: ["whole-node/easy"] } },
  shared: { flags: { machines: "4x2c4g", policy: ["GreedyPM */per"] } },
};

interface Trial {
  readonly flags: SimulateFlags;
  /** What the option needs beside it, and is compared with. */
  readonly beside?: SimulateFlags;
  /** Kinds of run whose results it cannot change, or not in this log. */
  readonly unseen?: readonly RunKind[] | "all";
}
const contended: SimulateFlags = { policy: ["best-fit-cores"] };
const packed: SimulateFlags = { packing: ["exclusive"], family: [family] };

const trials: Readonly<Record<string, Trial>> = {
  "--policy": { flags: { policy: ["fcfs"] }, unseen: ["shared", "whole"] },
  "--plugin": { flags: { plugin: at("plugin.mjs") }, unseen: "all" },
  "--beta": { flags: { beta: [0.5] } },
  "--load": { flags: { load: [0.5] } },
  "--interval": { flags: { interval: 77 } },
  "--estimates": { flags: { estimates: 3 }, beside: { policy: ["easy"] } },
  "--preset simba": { flags: { preset: "simba" }, unseen: ["whole"] },
  "--preset pyss": { flags: { preset: "pyss" }, beside: { policy: ["first-fit"] }, unseen: ["single"] },
  "--max-jobs": {
    flags: { maxJobs: ["worse-fit-cores"] },
    beside: { policy: ["max-jobs"], maxJobs: ["best-fit-cores"] },
    unseen: ["whole"],
  },
  "--fair-share running": { flags: { fairShare: "running" } },
  "--fair-share usage": { flags: { fairShare: "usage" } },
  "--half-life": { flags: { fairShare: "usage", halfLife: 60 }, beside: { fairShare: "usage" } },
  "--fair-share-of": {
    flags: { fairShare: "usage", fairShareOf: "memory" },
    beside: { fairShare: "usage" },
  },
  "--shares": { flags: { shares: at("shares.csv") }, beside: { fairShare: "running" } },
  "--reservations": { flags: { reservations: 0 }, beside: contended, unseen: ["farm", "packing", "whole"] },
  "--examine": { flags: { examine: 1 }, beside: contended, unseen: ["whole"] },
  "--strategy": { flags: { strategy: ["ResSusUtil"] } },
  "--routing": { flags: { routing: "utilization" } },
  "--pool-detail": { flags: { poolDetail: true } },
  "--seed": { flags: { seed: 9 }, beside: { strategy: ["ResSusWaitRand"] }, unseen: "all" },
  "--failures": { flags: { failures: "mtbf=20m,mttr=2m" } },
  "--packing": { flags: packed, unseen: ["packing"] },
  "--family": { flags: { ...packed, family: [family] }, beside: packed, unseen: "all" },
  "--ttl": { flags: { ...packed, ttl: [0] }, beside: packed },
  "--idle-watts": { flags: { ...packed, idleWatts: 90, busyWatts: 200 }, beside: packed },
  "--busy-watts": { flags: { ...packed, idleWatts: 90, busyWatts: 200 }, beside: packed },
  "--frames": { flags: { ...packed, frames: [60] }, beside: packed, unseen: "all" },
  "--clock order": { flags: { clock: "order" }, unseen: ["order"] },
  "--queue": { flags: { clock: "order", queue: 1 }, beside: { clock: "order" } },
  "--penalty": { flags: { penalty: 30 } },
  "--period": { flags: { period: 60 } },
  "--mft": { flags: { mft: 1 }, beside: { policy: ["GreedyPM */per/MFT"] }, unseen: "all" },
  "--mvt": { flags: { mvt: 1 }, beside: { policy: ["GreedyPM */per/MVT"] }, unseen: "all" },
  "--node-speeds": { flags: { nodeSpeeds: [1, 1, 0.5, 0.5] } },
  "--node-memory": { flags: { nodeMemory: 99 } },
  "--warmup": { flags: { warmup: 200 } },
  "--cooldown": { flags: { cooldown: 200 } },
  "--from": { flags: { from: "200" } },
  "--to": { flags: { to: "300" } },
  "--scale-cores": { flags: { scaleCores: 2 } },
  "--scale-memory": { flags: { scaleMemory: 2 }, unseen: ["order", "whole"] },
  "--machine-memory-unit": { flags: { machineMemoryUnit: "GiB" }, unseen: "all" },
  "--leave-out-down": { flags: { leaveOutDown: true } },
  "--schedule": { flags: { schedule: at("schedule.csv") }, unseen: "all" },
  "--out": { flags: { out: at("out") }, unseen: "all" },
  "--figures": { flags: { figures: at("figures") }, unseen: "all" },
  "--json": { flags: { json: true }, unseen: "all" },
};

/** What comes of a run: its figures, but for those of the clock on the wall, and its schedule. */
async function resultsOf(
  path: string,
  flags: SimulateFlags,
): Promise<{ text: string; remarks: readonly string[] }> {
  const { place, workload, planned, remarks } = await prepare(path, flags);
  const results = planned.map(({ settings }) => {
    const { result, schedule } = simulate(workload, place, settings, { keepMachines: true });
    const { simulationSeconds: _s, simulatedJobsPerSecond: _r, ...figures } = result;
    const machines = Array.from({ length: workload.count }, (_, row) => schedule.machines?.of(row) ?? []);
    return {
      figures,
      machines,
      start: Array.from(schedule.startSeconds),
      end: Array.from(schedule.endSeconds ?? []),
    };
  });
  return { text: JSON.stringify(results), remarks };
}

/** What is for one pool only, or for lists of machines, is tried with packing there. */
const packedMachines: SimulateFlags = {
  machines: "4x2c4g",
  policy: ["first-fit"],
  packing: ["exclusive"],
  family: [family],
};
const onMachines = ["--preset pyss", "--machine-memory-unit", "--leave-out-down"];
/** Options on how a list of machines is read need a list that they say something of. */
const lists: Readonly<Record<string, (kind: RunKind) => string>> = {
  "--machine-memory-unit": (kind) => at(kind === "order" ? "slots.csv" : "alike.csv"),
  "--leave-out-down": (kind) => at(kind === "order" ? "slots.txt" : "alike.txt"),
};
/** The order-driven clock is for slots. */
const slots: Partial<Record<RunKind, SimulateFlags>> = {
  machines: { machines: "2x2c", policy: ["first-fit"] },
  pool: { farm: at("slots.yaml") },
  packing: { ...packedMachines, machines: "2x2c" },
};

function baseOf(kind: RunKind, name: string): (typeof bases)[RunKind] {
  const ofSlots = name === "--clock order" || name === "--queue" ? slots[kind] : undefined;
  if (ofSlots !== undefined) return { flags: ofSlots, columns: { ...columnsOfAll, cores: () => 1 } };
  const base = kind === "packing" && onMachines.includes(name) ? { flags: packedMachines } : bases[kind];
  return name in lists && base.flags.farm === undefined
    ? { ...base, flags: { ...base.flags, machines: lists[name](kind) } }
    : base;
}

function setUp(kind: RunKind, beside: SimulateFlags = {}, name = ""): { path: string; flags: SimulateFlags } {
  const { flags, columns = columnsOfAll } = baseOf(kind, name);
  return { path: log(kind, columns), flags: { ...flags, ...beside } };
}

const rows = (what: Combination["what"]): [string, RunKind, Combination["limits"]][] =>
  combinations
    .filter((row) => row.what === what)
    .flatMap(({ name, limits }) =>
      kinds.map((kind): [string, RunKind, Combination["limits"]] => [name, kind, limits]),
    );

/** Runs it and holds what comes of it against the table. */
async function hold(
  limit: Combination["limits"][RunKind],
  base: { path: string; flags: SimulateFlags },
  trial: { path: string; flags: SimulateFlags },
  isSeen: boolean,
  told?: string,
): Promise<void> {
  if (limit !== undefined && "refused" in limit) {
    await expect(resultsOf(trial.path, trial.flags)).rejects.toThrow(limit.refused);
    return;
  }
  const { text, remarks } = await resultsOf(trial.path, trial.flags);
  if (limit !== undefined) {
    // Where several kinds of a run say so, the first is told.
    expect(remarks.filter((remark) => remark.includes("no effect")).join()).toContain(told ?? limit.told);
    return;
  }
  if (isSeen) expect(text).not.toBe((await resultsOf(base.path, base.flags)).text);
}

/** Slots have no memory to choose by. */
function columnOf(name: string, kind: RunKind): (i: number) => string | number {
  return name === "policy" && kind === "order"
    ? (i) => (i % 5 < 3 ? "worse-fit-cores" : "")
    : ownColumns[name];
}

/** Machines of a list, on which the clocks are tried otherwise, have no licences. */
const withLicences: Partial<Record<RunKind, SimulateFlags>> = {
  order: { farm: at("slots.yaml"), policy: ["first-fit"], clock: "order" },
  single: { farm: at("pool.yaml"), policy: ["first-fit"], preset: "pyss" },
};

/** Machines of a list, on which the clocks are tried, have no owners. */
function toldFirst(name: string, kind: RunKind): string | undefined {
  return name === "group" && (kind === "order" || kind === "single") ? "no machine has an owner" : undefined;
}

describe("every option", () => {
  it.each(rows("option"))("%s in a run of kind %s", async (name, kind, limits) => {
    const { flags, beside, unseen = [] } = trials[name];
    const isRefused = limits[kind] !== undefined;
    // What is refused or told needs nothing beside it.
    const base = setUp(kind, isRefused || kind === "shared" || kind === "whole" ? {} : beside, name);
    const trial = { path: base.path, flags: { ...base.flags, ...flags } };
    await hold(limits[kind], base, trial, unseen !== "all" && !unseen.includes(kind));
  });
});

describe("every column", () => {
  it.each(rows("column"))("%s in a run of kind %s", async (name, kind, limits) => {
    const plain = setUp(kind);
    const own = name === "licences" ? withLicences[kind] : undefined;
    const base = { ...plain, flags: own ?? plain.flags };
    const columns = bases[kind].columns ?? columnsOfAll;
    const path = log(`${kind}-with`, { ...columns, [name]: columnOf(name, kind) });
    // In one pool the only pool is named, at the only site; the farm has one site as well,
    // and its strategy restarts no job.
    // Whole nodes that are all alike are the same to every heuristic.
    const isAlike = name === "policy" && kind === "whole";
    const isSeen =
      !isAlike &&
      !["site", "restart_pools"].includes(name) &&
      !(name === "pools" && ["pool", "order", "single"].includes(kind));
    await hold(limits[kind], base, { path, flags: base.flags }, isSeen, toldFirst(name, kind));
  });
});

describe("every policy", () => {
  const policies = ["best-fit-cores", "whole-node/fcfs", "GreedyPM *"];
  const names = combinations.filter(({ what }) => what === "policy");
  it.each(
    names.flatMap(({ limits }, i) => kinds.slice(0, 6).map((kind) => [policies[i], kind, limits] as const)),
  )("%s in a run of kind %s", async (policy, kind, limits) => {
    const { path, flags } = setUp(kind);
    // Policies that give out nodes are for nodes that are all alike.
    const alike = kind === "machines" || kind === "single" ? { machines: "4x2c4g" } : {};
    const base = { path, flags: { ...flags, ...alike } };
    await hold(limits[kind], base, { path, flags: { ...base.flags, policy: [policy] } }, true);
  });
});

describe("explain", () => {
  it.each(["machines", "pool", "farm", "packing", "order", "single"] as const)(
    "works in a run of kind %s",
    async (kind) => {
      const { path, flags } = setUp(kind);
      const { place, workload, planned } = await prepare(path, flags);
      expect(explainJob(7, workload, place, planned[0].settings).steps.length).toBeGreaterThan(0);
    },
  );
});

describe("shares", () => {
  it.each(["machines", "pool", "farm", "packing", "order", "single"] as const)(
    "works in a run of kind %s",
    async (kind) => {
      const { path, flags } = setUp(kind, { fairShare: "usage" });
      const { place, workload, planned } = await prepare(path, flags);
      const { pools } = sharesAt(null, workload, place, planned[0].settings);
      expect(pools[0].projects.reduce((sum, { usedPart }) => sum + usedPart!, 0)).toBeCloseTo(1, 10);
    },
  );
});

it("the page in docs/ is that of the table: run node scripts/make-combinations.ts", () => {
  const page = fileURLToPath(new URL("../../docs/combinations.md", import.meta.url));
  expect(readFileSync(page, "utf8")).toBe(combinationsPage());
});
