import { workloadOf, type Workload } from "../src/index.ts";
import type { Farm, MachineGroup } from "../src/workload/index.ts";
import { Random, Weighted } from "../src/workload/random.ts";

/** What a synthetic farm and its jobs are like; all made from the seed. */
export interface FarmShape {
  readonly pools: number;
  readonly machines: number;
  readonly jobs: number;
  /** Seconds over which jobs come. */
  readonly spanSeconds: number;
  /** Part of the farm's cores that the jobs ask for while they come. */
  readonly load: number;
  readonly intervalSeconds: number;
}

const SEED = 20;
/** Part of the jobs that are urgent, come in bursts, and may run in a few pools only. */
const URGENT = 0.06;

/** A farm of pools of very different sizes, with three kinds of machines. */
export function syntheticFarm({ pools, machines, intervalSeconds }: FarmShape): Farm {
  const random = new Random(SEED);
  const weights = Array.from({ length: pools }, () => 0.1 + random.unit() ** 3 * 4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const kind = (count: number, cores: number, memory: number, speed: number): MachineGroup => ({
    count,
    coresMilli: cores * 1000,
    memoryMiB: memory * 1024,
    gpuMilli: null,
    speed,
    owner: null,
    attributes: { os: "linux" },
  });
  return {
    name: "synthetic farm",
    sites: ["site"],
    transferSeconds: [[0]],
    pools: weights.map((weight, number) => {
      const count = Math.max(3, Math.round((machines * weight) / total));
      const third = Math.floor(count / 3);
      return {
        name: `pool${number}`,
        site: 0,
        groups: [kind(count - 2 * third, 4, 16, 1), kind(third, 8, 32, 1.2), kind(third, 16, 128, 0.9)],
        policy: "first-fit",
        maxJobsList: [],
        intervalSeconds,
        reserving: Infinity,
        shares: null,
      };
    }),
    virtualPools: [
      {
        name: "users",
        site: 0,
        pools: weights.map((_, pool) => pool),
        routing: "round-robin",
        viewAgeSeconds: 0,
        hasQueue: false,
      },
    ],
    preemption: { keepsMemory: true, victim: "lowest-priority" },
    rescheduling: {
      strategy: "NoRes",
      waitThresholdSeconds: 1800,
      checkSeconds: 60,
      maxRestarts: Infinity,
      candidates: null,
      checkpointSeconds: null,
    },
  };
}

/** Jobs for such a farm, with pools named in proportion to their sizes. */
export function syntheticFarmJobs(shape: FarmShape, farm: Farm): Workload {
  const random = new Random(SEED + 1);
  const { jobs, spanSeconds, load } = shape;
  const cores = new Weighted([70, 15, 10, 5]);
  const memory = new Weighted([50, 30, 15, 5]);
  const coresOfPool = farm.pools.map(({ groups }) =>
    groups.reduce((sum, { count, coresMilli }) => sum + count * coresMilli, 0),
  );
  // Round-robin knows nothing of sizes: jobs that may run anywhere name one of the lists of large pools as well.
  const bySize = coresOfPool.map((_, pool) => pool).sort((a, b) => coresOfPool[b] - coresOfPool[a]);
  const lists = [
    "",
    ...[0.5, 0.25, 0.1].map((part) => bySize.slice(0, Math.max(2, Math.round(part * bySize.length)))),
  ].map((pools) =>
    typeof pools === "string" ? pools : pools.map((pool) => farm.pools[pool].name).join(";"),
  );
  const burstPools = bySize.filter((_, rank) => rank % 5 === 2).slice(0, 4);
  lists.push(burstPools.map((pool) => farm.pools[pool].name).join(";"));
  const anywhere = new Weighted([15, 20, 30, 35]);
  const submitSeconds = new Float64Array(jobs);
  const runtimeSeconds = new Float64Array(jobs);
  const coresMilli = new Int32Array(jobs);
  const memoryMiB = new Int32Array(jobs);
  const priority = new Int32Array(jobs);
  const codes = new Int32Array(jobs);
  const work = new Float64Array(jobs);
  let sum = 0;
  for (let row = 0; row < jobs; row++) {
    submitSeconds[row] = Math.floor((row / jobs) * spanSeconds);
    const isUrgent = (submitSeconds[row] / spanSeconds) % 0.25 < 0.1 && random.unit() < URGENT * 2.5;
    priority[row] = isUrgent ? 10 : 0;
    codes[row] = isUrgent ? lists.length - 1 : anywhere.draw(random);
    coresMilli[row] = [1000, 2000, 4000, 8000][cores.draw(random)]!;
    memoryMiB[row] = [1024, 2048, 4096, 16_384][memory.draw(random)]!;
    // Long and short run times, none above a day.
    work[row] = Math.min(40, 0.02 - Math.log(1 - random.unit()) * (random.unit() < 0.2 ? 6 : 0.6));
    sum += work[row] * coresMilli[row];
  }
  const capacity = coresOfPool.reduce((total, each) => total + each, 0) * spanSeconds;
  const scale = (load * capacity) / sum;
  for (let row = 0; row < jobs; row++) runtimeSeconds[row] = Math.max(1, Math.round(work[row] * scale));
  return workloadOf({
    name: "synthetic farm jobs",
    synthetic: true,
    submitSeconds,
    runtimeSeconds,
    coresMilli,
    memoryMiB,
    priority,
    pools: { names: lists, codes },
  });
}
