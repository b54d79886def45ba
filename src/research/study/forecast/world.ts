import { Course, NOBODY, type Coming, type CourseWatch, type JobTraits } from "../../../forecast/index.ts";
import type { PlainRequest, Port } from "../../../core/index.ts";
import { buildEngine } from "../../../simulation/build/build-engine.ts";
import { machinesOfFarm } from "../../../simulation/build/machines.ts";
import { RowRequests } from "../../../simulation/build/row-requests.ts";
import { betaFor, offeredLoad, stretched } from "../../../simulation/figures/offered-load.ts";
import { estimatesOfLog } from "../../../simulation/settings/estimates.ts";
import { defaultSettings, type GivenSettings } from "../../../simulation/index.ts";
import type { Farm, Workload } from "../../../workload/index.ts";

/** A log that runs on a farm under a policy, as a forecast sees it. Row r is job r + 1. */
export interface ForecastWorld {
  readonly submitSeconds: Float64Array;
  /** By row, of a run of the whole log: NaN where a job is rejected. */
  startSeconds(): Float64Array;
  /** The whole log from its beginning. */
  course(watch?: CourseWatch): Course;
  request(row: number): PlainRequest;
  traits(row: number): JobTraits;
  runSeconds(row: number): number;
  /** How many jobs wait before one in its queue. */
  ahead(port: Port, job: number, now: number): number;
}

/** @throws InputError where the workload names what the farm does not have */
export function forecastWorld(workload: Workload, farm: Farm, given: GivenSettings): ForecastWorld {
  const settings = { ...defaultSettings, ...given };
  const beta = betaFor(settings, offeredLoad(workload, machinesOfFarm(farm)));
  const submitSeconds = stretched(workload, beta);
  const estimateSeconds = estimatesOfLog(workload);
  const isLimited = workload.estimateSeconds !== null;
  const { count, runtimeSeconds, user } = workload;
  const builtFirst = buildEngine(workload, farm, settings, "numbers");
  const requests = new RowRequests(workload, builtFirst);
  const request = (row: number): PlainRequest => ({ ...requests.of(row, estimateSeconds[row]!) });

  function* coming(): Generator<Coming> {
    for (let row = 0; row < count; row++)
      yield { submitSeconds: submitSeconds[row]!, request: request(row), runSeconds: runtimeSeconds[row]! };
  }

  const course = (watch?: CourseWatch): Course =>
    new Course({
      port: buildEngine(workload, farm, settings, "numbers").port,
      now: submitSeconds[0] ?? 0,
      runs: new Map(),
      runSecondsOf: () => NaN,
      coming: coming(),
      firstNumber: 1,
      ...(watch === undefined ? {} : { watch }),
    });

  return {
    submitSeconds,
    course,
    request,
    runSeconds: (row) => runtimeSeconds[row]!,
    startSeconds() {
      const all = course();
      while (all.nextSeconds < Infinity) all.step();
      return Float64Array.from(submitSeconds, (_, row) => all.starts.get(row + 1) ?? NaN);
    },
    traits: (row) => ({
      user: user === null || user === undefined ? NOBODY : user.codes[row]!,
      name: NOBODY,
      requestedSeconds: isLimited ? estimateSeconds[row]! : Infinity,
    }),
    ahead(port, job, now) {
      for (const pool of port.view.pools) {
        const queue = pool.queue(now);
        const place = queue.findIndex((handle) => port.numberOf(handle) === job);
        if (place !== -1) return place;
      }
      return 0;
    },
  };
}
