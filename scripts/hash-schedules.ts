/**
 * Prints a hash of every schedule of a set of runs: when each job starts and ends, and where. Two versions of Croft that
 * print the same decide the same: `node scripts/hash-schedules.ts [--log FILE] [--jobs N]`.
 *
 * The runs are of pools, and of farms with suspension, rescheduling, failures, packing and fair share. A log in
 * the Standard Workload Format, such as KTH's, is run under backfilling as well.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";

import { syntheticFarm, syntheticFarmJobs } from "../bench/farms.ts";
import { poolMachines, somePoolJobs } from "../bench/workloads.ts";
import { simulate, type GivenSettings } from "../src/simulation/index.ts";
import {
  readMachines,
  readWorkload,
  type Farm,
  type Machines,
  type Workload,
} from "../src/workload/index.ts";

const { values } = parseArgs({
  options: { log: { type: "string" }, jobs: { type: "string", default: "20000" } },
});
const jobs = Number(values.jobs);

function print(name: string, workload: Workload, on: Machines | Farm, settings: GivenSettings): void {
  const { schedule, ledger, result } = simulate(workload, on, settings, { keepMachines: true });
  const hash = createHash("sha256");
  hash.update(schedule.startSeconds);
  if (schedule.endSeconds !== undefined) hash.update(schedule.endSeconds);
  if (schedule.machines !== null) {
    const { only, lists } = schedule.machines.toLists();
    hash.update(only).update(lists);
  }
  if (ledger !== undefined)
    hash.update(Float64Array.from(schedule.startSeconds, (_, row) => ledger.endOf(row)));
  const { simulationSeconds: _seconds, simulatedJobsPerSecond: _speed, ...figures } = result;
  hash.update(JSON.stringify(figures));
  console.log(`${hash.digest("hex").slice(0, 16)}  ${name}`);
}

const pool = somePoolJobs(jobs);
for (const policy of [
  "first-fit",
  "mix-fit",
  "max-jobs",
  "lookahead",
  "fcfs",
  "easy",
  "easy-sjbf",
  "conservative",
])
  for (const intervalSeconds of [30, 0])
    print(`pool, ${policy}, every ${intervalSeconds} s`, pool, poolMachines(300), {
      policy,
      intervalSeconds,
      load: 0.9,
    });
print(
  "pool, order-driven",
  { ...pool, coresMilli: pool.coresMilli.map(() => 1000), memoryMiB: null },
  await readMachines("50x8c"),
  {
    policy: "first-fit",
    clock: "order",
  },
);
const projects = { names: ["", "/a/x", "/a/y", "/b"], codes: pool.coresMilli.map((_, row) => row % 4) };
const shares = [
  { path: "/a", share: 2 },
  { path: "/b", share: 1 },
];
for (const [name, usage] of [
  ["by what runs", null],
  ["by what was used", { halfLifeSeconds: 86_400, of: "dominant" }],
] as const)
  print(`pool, fair share ${name}`, { ...pool, project: projects }, poolMachines(200), {
    policy: "mix-fit",
    fairShare: shares,
    usage,
    load: 1.1,
  });
for (const packed of ["relaxed", "exclusive"] as const)
  print(`pool, packing ${packed}`, { ...pool, project: projects }, poolMachines(300), {
    policy: "first-fit",
    packing: { policy: packed, ttlSeconds: 600, families: [{ field: "project", values: ["/a/x"] }] },
    load: 0.9,
  });
print("pool, predicted run times", pool, poolMachines(300), {
  policy: "easy",
  estimates: "predicted",
  load: 0.9,
});

for (const load of [0.8, 1.2]) {
  const shape = { pools: 8, machines: 100, jobs, spanSeconds: 7 * 86_400, load, intervalSeconds: 30 };
  const farm = syntheticFarm(shape);
  const workload = syntheticFarmJobs(shape, farm);
  for (const strategy of [
    "NoRes",
    "ResSusUtil",
    "ResSusWaitRand",
    "ResSusWaitUtil",
    "ResSusWaitScore",
    "DupSusUtil",
  ])
    for (const routing of ["round-robin", "utilization"])
      print(`farm at load ${load}, ${strategy}, ${routing}`, workload, farm, { strategy, routing, seed: 5 });
  const queueing = { ...farm, virtualPools: farm.virtualPools.map((each) => ({ ...each, hasQueue: true })) };
  print(`farm at load ${load}, jobs wait at virtual pools`, workload, queueing, { strategy: "ResSusUtil" });
  const far: Farm = {
    ...farm,
    sites: ["a", "b"],
    transferSeconds: [
      [0, 90],
      [90, 0],
    ],
    pools: farm.pools.map((each, number) => ({
      ...each,
      site: number % 2,
      intervalSeconds: number % 3 === 0 ? 0 : 30,
    })),
    virtualPools: farm.virtualPools.map((each) => ({ ...each, viewAgeSeconds: 300 })),
  };
  print(`farm at load ${load}, two sites`, workload, far, {
    strategy: "ResSusWaitRand",
    routing: "utilization",
  });
  print(`farm at load ${load}, machines fail`, workload, far, {
    strategy: "DupSusUtil",
    failures: { kind: "drawn", mtbfSeconds: 4_000_000, mttrSeconds: 7200, shape: 1 },
  });
  const backfilling = {
    ...farm,
    pools: farm.pools.map((each, number) => ({
      ...each,
      policy: number % 2 === 0 ? "easy" : "conservative",
    })),
  };
  print(`farm at load ${load}, backfilling`, workload, backfilling, { strategy: "ResSusUtil" });
}

if (values.log !== undefined) {
  const log = await readWorkload(values.log);
  const machines = await readMachines("100x1c");
  for (const policy of ["easy", "conservative", "fcfs", "first-fit"]) {
    print(`${log.name}, ${policy}`, log, machines, { policy });
    print(`${log.name}, ${policy}, single events`, log, machines, { policy, eventOrder: "single" });
  }
}
