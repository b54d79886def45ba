import { farmOfMachines, type Farm, type Machines, type Workload } from "../workload/index.ts";
import { jobRequest } from "./store/job-request.ts";
import type { Serving } from "./serve.ts";

/** A farm of simulated machines, which only pretend to run jobs. */
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
  const request = jobRequest(["pretend"], {
    name: name.slice(0, 200),
    cores: coresMilli[row]! / 1000,
    memoryMiB: memoryMiB === null ? 0 : memoryMiB[row]!,
    timeSeconds: estimateSeconds === null ? null : Math.max(1, estimateSeconds[row]!),
  });
  const environment = { CROFT_SIMULATED_SECONDS: String(runtimeSeconds[row]!) };
  const owner = user === null ? "demo" : user.names[user.codes[row]!]!;
  // A farm that stops, or reads its file again, refuses the job: in a demonstration it may be dropped.
  void service.loop
    .act((turn) => service.submitting.submit(turn, { user: owner, jobs: [request], environment, key: null }))
    .catch(() => undefined);
}
