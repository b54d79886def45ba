import { parseFamily, simulate, type SimulationSettings } from "../../src/simulation/index.ts";
import { accountingFarm, generateAccounting } from "../../src/research/generators/accounting.ts";
import type { Benchmark } from "../benchmark.ts";
import { below, peakMiB, speedOf, timed } from "../measure.ts";

const MONTH_JOBS = 5_000_000;
const QUICK_JOBS = 500_000;
const TARGET_SECONDS = 15;
/** The load of the time-driven clock. Above it the queue grows for as long as the log lasts. */
const LOAD = 0.9;

type Case = Pick<SimulationSettings, "clock" | "load"> & {
  readonly packing: "relaxed" | "exclusive" | "none";
  readonly ttlSeconds: number;
};

const cases: Readonly<Record<string, Case>> = {
  "order, relaxed": { clock: "order", load: null, packing: "relaxed", ttlSeconds: 0 },
  "order, exclusive": { clock: "order", load: null, packing: "exclusive", ttlSeconds: Infinity },
  "order, exclusive, 1 h to live": { clock: "order", load: null, packing: "exclusive", ttlSeconds: 3600 },
  "order, none": { clock: "order", load: null, packing: "none", ttlSeconds: 0 },
  "time, exclusive": { clock: "time", load: LOAD, packing: "exclusive", ttlSeconds: Infinity },
};

export const packing: Benchmark = {
  name: "packing",
  summary: `a month of 5 million jobs on 800 nodes of 8 slots; by the order of the log, and by time at load ${LOAD}`,
  cases: () => Object.keys(cases),
  async measure(name, { quick }) {
    const { packing: policy, ttlSeconds, ...settings } = cases[name];
    const workload = generateAccounting({ jobs: quick ? QUICK_JOBS : MONTH_JOBS });
    const run = await timed(() =>
      simulate(workload, accountingFarm(), {
        policy: "worse-fit-cores",
        packing: { policy, ttlSeconds, families: [parseFamily("queue=ams")] },
        ...settings,
      }),
    );
    const { fillFactorMean, packingIndexMean } = run.result.result;
    return [
      {
        what: name,
        speed: speedOf(workload.count, run),
        figure: `${run.processorSeconds.toFixed(1)} s; packing index ${packingIndexMean!.toFixed(2)}, fill factor ${fillFactorMean!.toFixed(3)}`,
        peakMiB: peakMiB(),
        ...(quick ? {} : { target: below(TARGET_SECONDS, "s", run.processorSeconds) }),
      },
    ];
  },
};
