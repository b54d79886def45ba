import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { simulate } from "../../src/simulation/index.ts";
import { Random } from "../../src/workload/random.ts";
import { parseShorthand } from "../../src/workload/machines/shorthand.ts";
import { readWorkload, type Workload } from "../../src/workload/index.ts";
import { workloadOf } from "../../src/workload/workload-of.ts";
import type { Benchmark, Row } from "../benchmark.ts";
import { below, peakMiB, speedOf, timed } from "../measure.ts";
import { jobsWhere } from "../workloads.ts";

const logs = fileURLToPath(new URL("../../../shared/traces/swf/", import.meta.url));
const kth = `${logs}KTH-SP2-1996-2.1-cln.swf.gz`;
const curie = `${logs}CEA-Curie-2011-2.1-cln.swf.gz`;

interface Run {
  readonly log: string;
  readonly machines: string;
  readonly target?: number;
  /** Takes minutes: left out of a quick run. */
  readonly isLong?: boolean;
}

/** What is replayed, on which machines, and in how many seconds at most. */
const runs: Readonly<Record<string, Run>> = {
  KTH: { log: kth, machines: "1x100c", target: 1 },
  Curie: { log: curie, machines: "1x80640c", target: 10 },
  "Curie, 5,040 machines": { log: curie, machines: "5040x16c", isLong: true },
};
const STAND_IN = "stand-in for Curie";

export const easy: Benchmark = {
  name: "easy",
  summary: "EASY backfilling, from the log's text to the figures; a made workload where a log is not there",
  cases: ({ quick }) => [
    ...Object.keys(runs).filter((name) => !quick || runs[name].isLong !== true),
    ...(existsSync(curie) ? [] : [STAND_IN]),
  ],
  async measure(name): Promise<readonly Row[]> {
    if (name === STAND_IN) return [await replay(name, parallelJobs, "1x80640c", 10)];
    const { log, machines, target } = runs[name];
    if (!existsSync(log)) return [{ what: name, figure: `skipped: ${log.slice(logs.length)} is not there` }];
    const read = async (): Promise<Workload> => {
      const workload = await readWorkload(log);
      return log === curie ? jobsWhere(workload, (row) => workload.runtimeSeconds[row] > 0) : workload;
    };
    return [await replay(name, read, machines, target)];
  },
};

async function replay(
  what: string,
  read: () => Workload | Promise<Workload>,
  machines: string,
  target?: number,
): Promise<Row> {
  const run = await timed(async () => simulate(await read(), parseShorthand(machines), { policy: "easy" }));
  const { jobs, queueLengthMax } = run.result.result;
  return {
    what: `${what}, ${jobs.toLocaleString("en")} jobs`,
    speed: speedOf(jobs, run),
    figure: `${run.processorSeconds.toFixed(2)} CPU s, up to ${queueLengthMax.toLocaleString("en")} waiting`,
    peakMiB: peakMiB(),
    ...(target === undefined ? {} : { target: below(target, "s", run.processorSeconds) }),
  };
}

/** As many jobs as Curie's that ran: powers of two of tasks, run times of seconds to a day, rough estimates. */
function parallelJobs(): Workload {
  const count = 295_540;
  const random = new Random(1);
  const between = (least: number, most: number): number =>
    Math.round(least * (most / least) ** random.unit());
  const runtimeSeconds = Float64Array.from({ length: count }, () => between(1, 86_400));
  const tasks = Int32Array.from({ length: count }, () => 2 ** Math.min(random.index(13), random.index(13)));
  let work = 0;
  for (let row = 0; row < count; row++) work += runtimeSeconds[row] * tasks[row];
  const meanGapSeconds = work / (0.75 * 80_640) / count;
  let time = 0;
  // Arrivals in bursts, so that a queue builds up now and then.
  const submitSeconds = Float64Array.from({ length: count }, () => {
    if (random.unit() < 0.02) time += Math.round(-50 * meanGapSeconds * Math.log(1 - random.unit()));
    return time;
  });
  return workloadOf({
    name: STAND_IN,
    synthetic: true,
    submitSeconds,
    runtimeSeconds,
    coresMilli: new Int32Array(count).fill(1000),
    tasks,
    estimateSeconds: runtimeSeconds.map((seconds) => Math.max(600, between(seconds, seconds * 20))),
  });
}
