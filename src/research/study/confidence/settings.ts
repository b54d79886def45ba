import { offeredLoad, simulate, type RunResult } from "../../../simulation/index.ts";
import { generators, pickedRows, Random, type Machines, type Workload } from "../../../workload/index.ts";
import { researchGenerators } from "../../generators/registry.ts";
import { randomFit } from "./random-fit.ts";

/** A policy on trial. */
export interface Contestant {
  readonly name: string;
  /** @param seed of what the policy draws at random; another for each log */
  run(log: Workload, machines: Machines, seed: number): RunResult;
}

/** Logs of which any number can be made, and policies on them of which it is known whether they are the same. */
export interface ConfidenceSetting {
  readonly name: string;
  readonly summary: string;
  /** The same seed makes the same log. */
  log(seed: number): { readonly workload: Workload; readonly machines: Machines };
  /** One of any number of policies that are the same in distribution. */
  equal(number: number): Contestant;
  /** One that differs from them. */
  readonly other: Contestant;
}

const CLUSTER_CORES = 128;
const JOBS_PER_DAY_AT_FULL_LOAD = 357;

const NETBATCH_JOBS = 800_000;
/** One job of so many is kept, so that a few machines take a month for them and campaigns are not too large. */
const KEPT_EVERY = 40;

/** Every setting, in the order of the table. */
export const confidenceSettings: readonly ConfidenceSetting[] = [
  lublin(0.7, 14),
  lublin(0.7, 28),
  lublin(0.95, 28),
  netbatch("netbatch-b", 0.45, 8, 1, "short waits"),
  netbatch("netbatch-b", 0.6, 6, 1, "long waits"),
  netbatch("netbatch-b", 0.8, 4, 0.8, "a queue of days"),
  netbatch("netbatch-a", 0.55, 7, 1, "short waits"),
  netbatch("netbatch-b", 0.35, 10, 1, "few users", 10),
  netbatch("netbatch-b", 0.6, 6, 1, "few users, a queue of days", 10),
];

/** Jobs of Lublin and Feitelson's model on one machine of 128 cores: backfilling, its estimates drawn anew each time. */
function lublin(load: number, days: number): ConfidenceSetting {
  const generator = researchGenerators.find(({ name }) => name === "lublin")!;
  const machines: Machines = {
    name: `1x${CLUSTER_CORES}c`,
    count: 1,
    ids: ["m1"],
    coresMilli: Int32Array.of(CLUSTER_CORES * 1000),
    memoryMiB: null,
    gpuMilli: null,
  };
  const jobs = Math.round(JOBS_PER_DAY_AT_FULL_LOAD * days * load);
  const backfilling = (name: string, policy: string, number: number): Contestant => ({
    name,
    run: (log, on, seed) => simulate(withEstimates(log, 1000 * seed + number), on, { policy }).result,
  });
  return {
    name: `lublin ${load} ${days} d`,
    summary: "EASY backfilling with estimates drawn anew; the other tries the shortest first",
    log: (seed) => {
      const { nodeCpu: _cpu, nodeMemory: _memory, ...made } = generator.generate({ jobs, seed });
      const sizes = made.tasks!.map((tasks) => 1000 * Math.min(CLUSTER_CORES, tasks));
      return atLoad({ ...made, coresMilli: sizes, tasks: null, memoryMiB: null }, machines, load);
    },
    equal: (number) => backfilling(`easy-${number}`, "easy", number),
    other: backfilling("easy-sjbf", "easy-sjbf", 999),
  };
}

/** Up to ten times the run time, mostly not far above it. */
function withEstimates(log: Workload, seed: number): Workload {
  const random = new Random(seed);
  return {
    ...log,
    estimateSeconds: log.runtimeSeconds.map((each) => Math.max(1, each) * (1 + 9 * random.unit() ** 2)),
  };
}

/**
 * Some jobs of a NetBatch pool on a few of its machines: a heuristic that chooses at random.
 *
 * @param usersEvery one user of so many is kept, and as many more of their jobs
 */
function netbatch(
  pool: string,
  load: number,
  count: number,
  memory: number,
  what: string,
  usersEvery = 1,
): ConfidenceSetting {
  const generator = generators.find(({ name }) => name === pool)!;
  const all = generator.machines();
  const chosen = Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * all.count) / count));
  const machines: Machines = {
    name: `${count} machines of ${pool}`,
    count,
    ids: chosen.map((machine) => all.ids[machine]!),
    coresMilli: Int32Array.from(chosen, (machine) => all.coresMilli[machine]!),
    memoryMiB: Int32Array.from(chosen, (machine) => memory * all.memoryMiB![machine]!),
    gpuMilli: null,
  };
  return {
    name: `${pool} ${load} ${what}`,
    summary: "a heuristic that chooses machines at random; the other is mix-fit",
    log: (seed) => {
      const made = generator.generate({ jobs: NETBATCH_JOBS, seed });
      const random = new Random(seed);
      const rows = Array.from({ length: made.count }, (_, row) => row);
      const isKept = made.user!.names.map(() => usersEvery === 1 || random.index(usersEvery) === 0);
      const kept = rows.filter(
        (row) => isKept[made.user!.codes[row]!] && random.index(KEPT_EVERY / usersEvery) === 0,
      );
      return atLoad(pickedRows(made, kept), machines, load);
    },
    equal: (number) => ({
      name: `random-fit-${number}`,
      run: (log, on, seed) => simulate(log, on, { policy: randomFit(number, seed) }).result,
    }),
    other: { name: "mix-fit", run: (log, on) => simulate(log, on, { policy: "mix-fit" }).result },
  };
}

/** The log from time 0, stretched to a load. */
function atLoad(
  log: Workload,
  machines: Machines,
  load: number,
): { readonly workload: Workload; readonly machines: Machines } {
  const factor = offeredLoad(log, machines) / load;
  const first = log.submitSeconds[0]!;
  const submitSeconds = log.submitSeconds.map((time) => Math.floor((time - first) * factor));
  return { workload: { ...log, submitSeconds, farm: null }, machines };
}
