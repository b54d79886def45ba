import { farmOfMachines, type Farm, type Machines, type Workload } from "../workload/index.ts";
import type { JobRequest } from "./service/job-request.ts";
import { DEFAULT_PRIORITY } from "./service/plain-farm.ts";
import type { Serving } from "./serve.ts";

/** Machines that only pretend to run what they are given. */
export function demoFarm(machines: Machines): Farm {
  const farm = farmOfMachines(machines);
  return {
    ...farm,
    pools: farm.pools.map((pool) => ({ ...pool, engine: { kind: "simulated", settings: {} } })),
  };
}

/**
 * Submits the jobs of a log as they came, in the farm's own time.
 *
 * @param speed seconds of the farm in a second
 */
export function replayLog(serving: Serving, workload: Workload, speed: number): void {
  const first = workload.submitSeconds[0] ?? 0;
  const begun = performance.now();
  let row = 0;
  const submitDue = (): void => {
    const now = first + ((performance.now() - begun) / 1000) * speed;
    while (row < workload.count && workload.submitSeconds[row]! <= now) {
      submit(serving, workload, row++);
    }
    if (row === workload.count) return;
    const pause = Math.max(20, ((workload.submitSeconds[row]! - now) / speed) * 1000);
    setTimeout(submitDue, pause).unref();
  };
  submitDue();
}

function submit({ service }: Serving, workload: Workload, row: number): void {
  const { coresMilli, memoryMiB, runtimeSeconds, estimateSeconds, project, user } = workload;
  const name = project === null ? workload.name : project.names[project.codes[row]!]!;
  const request: JobRequest = {
    command: ["pretend"],
    directory: "/",
    name: name.slice(0, 200),
    cores: coresMilli[row]! / 1000,
    memoryMiB: memoryMiB === null ? 0 : memoryMiB[row]!,
    gpus: 0,
    timeSeconds: estimateSeconds === null ? null : Math.max(1, estimateSeconds[row]!),
    priority: DEFAULT_PRIORITY,
    pool: null,
    requires: "",
    project: "",
    group: "",
    retries: 0,
    hold: false,
    after: [],
    output: null,
    errorOutput: null,
    array: null,
  };
  const environment = { CROFT_SIMULATED_SECONDS: String(runtimeSeconds[row]!) };
  const owner = user === null ? "demo" : user.names[user.codes[row]!]!;
  // Where the farm stops, or is just reading its file again, a job of a demonstration is no loss.
  void service.loop
    .act((turn) => service.submitting.submit(turn, { user: owner, jobs: [request], environment, key: null }))
    .catch(() => undefined);
}
