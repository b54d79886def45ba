import type { PoolView } from "../src/core/index.ts";
import { buildEngine } from "../src/simulation/build/build-engine.ts";
import { runCycles } from "../src/simulation/clocks/cycles.ts";
import { CYCLE_SECONDS, defaultSettings, offeredLoad } from "../src/simulation/index.ts";
import { Driver } from "../src/simulation/run/driver.ts";
import { Ledger } from "../src/simulation/run/ledger.ts";
import { Sampler } from "../src/simulation/figures/sampler.ts";
import { Random, Weighted } from "../src/workload/random.ts";
import { farmOfMachines, type Machines, type Workload } from "../src/workload/index.ts";

/** A workload that finds its pool full: the first rows run, or wait, when the others begin to come. */
export interface FullPool {
  readonly workload: Workload;
  /** The rows that run from the start. */
  readonly residents: number;
}

/**
 * A workload's jobs at a load, on a pool that has carried this load for a long time.
 *
 * Half of the work is in jobs of days, and a pool takes weeks to fill with them.
 * So it begins with the jobs that it would hold then, drawn by run time, each
 * partly done.
 *
 * @param backlog jobs that are there at the start besides those that run
 */
export function onFullPool(workload: Workload, machines: Machines, load: number, backlog = 0): FullPool {
  const { count, submitSeconds, runtimeSeconds, coresMilli, memoryMiB } = workload;
  const random = new Random(1);
  const byRuntime = new Weighted(Array.from(runtimeSeconds));
  const capacity = machines.coresMilli.reduce((sum, cores) => sum + cores, 0);
  const rows: number[] = [];
  const residualSeconds: number[] = [];
  for (let cores = 0; cores < Math.min(1, load) * capacity;) {
    const row = byRuntime.draw(random);
    rows.push(row);
    residualSeconds.push(Math.ceil(runtimeSeconds[row] * random.unit()));
    cores += coresMilli[row];
  }
  const beta = offeredLoad(workload, machines) / load;
  const start = submitSeconds[Math.min(backlog, count - 1)];
  const pace = submitSeconds.map((time) => Math.max(0, time - start) * beta);
  const residents = rows.length;
  return {
    residents,
    workload: {
      ...workload,
      count: residents + count,
      submitSeconds: Float64Array.from([...rows.map(() => 0), ...pace]),
      runtimeSeconds: joined(Float64Array.from(residualSeconds), runtimeSeconds),
      coresMilli: joined(
        Int32Array.from(rows, (row) => coresMilli[row]),
        coresMilli,
      ),
      memoryMiB: joined(
        Int32Array.from(rows, (row) => memoryMiB![row]),
        memoryMiB!,
      ),
      project: null,
      user: null,
    },
  };
}

/**
 * Runs a workload under a policy.
 *
 * @param around runs each cycle and may look at the clock before and after
 */
export function runPool(
  workload: Workload,
  machines: Machines,
  policy: string,
  around: (runCycle: () => void, pool: PoolView, driver: Driver) => void,
  intervalSeconds = CYCLE_SECONDS,
): void {
  const { submitSeconds, runtimeSeconds, count } = workload;
  const settings = { ...defaultSettings, policy, intervalSeconds };
  const built = buildEngine(workload, farmOfMachines(machines), settings);
  const driver = new Driver({
    built,
    workload,
    ledger: new Ledger(submitSeconds, runtimeSeconds, 1),
    estimateSeconds: runtimeSeconds,
    predictions: null,
    checkpointSeconds: null,
    placements: null,
    promisedSeconds: null,
    progress: null,
    runsToTheEnd: false,
  });
  const { port } = built;
  const { pools } = port.view;
  const runCycle = port.cycle.bind(port);
  port.cycle = (pool, now) => around(() => runCycle(pool, now), pools[pool], driver);
  const sampler = new Sampler(pools, 0, submitSeconds[count - 1], { cores: 1000, memory: 0 });
  runCycles(driver, sampler);
}

function joined<T extends Float64Array | Int32Array>(first: T, second: T): T {
  const both = new (first.constructor as new (length: number) => T)(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
