import { parentPort, workerData } from "node:worker_threads";

import { offeredLoad, simulate, type RunResult } from "../../../simulation/index.ts";
import { publishedNames } from "../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { researchGenerators } from "../../generators/registry.ts";
import { register } from "../../register.ts";
import type { Unit } from "./plan.ts";
import type { OnlineRow } from "./row.ts";

/** What a worker of the study is started with. */
export interface OnlineWorkerInput {
  readonly machines: Machines;
  readonly jobs: number;
  readonly nodeMemoryGiB: number | null;
  /** Slices of a log; null: traces are made. */
  readonly slices: readonly Workload[] | null;
}

/** A row for each policy of a unit, then `done`; or why there is none. */
export type OnlineReply =
  | { readonly kind: "row"; readonly row: OnlineRow }
  | { readonly kind: "done" }
  | { readonly kind: "bad-input"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

const input = workerData as OnlineWorkerInput;
const port = parentPort!;
register();
const lublin = researchGenerators.find(({ name }) => name === "lublin")!;

port.on("message", (unit: Unit) => {
  try {
    const workload =
      input.slices?.[unit.number] ??
      lublin.generate({
        seed: unit.number + 1,
        jobs: input.jobs,
        ...(unit.load !== null && { load: unit.load }),
      });
    // The load of a slice is that of the log, the same for all policies, since rows are grouped by it.
    const load = unit.load ?? offeredLoad(workload, input.machines);
    for (const policy of unit.policies) {
      const row = rowOf({ ...unit, load }, policy, run(workload, unit, policy));
      port.postMessage({ kind: "row", row } satisfies OnlineReply);
    }
    port.postMessage({ kind: "done" } satisfies OnlineReply);
  } catch (error) {
    port.postMessage(
      error instanceof InputError
        ? ({ kind: "bad-input", message: error.message } satisfies OnlineReply)
        : ({ kind: "failed", error } satisfies OnlineReply),
    );
  }
});

function run(workload: Workload, { penaltySeconds, periodSeconds }: Unit, policy: string): RunResult {
  const { machines, nodeMemoryGiB } = input;
  const settings = { penaltySeconds, periodSeconds, nodeMemoryGiB };
  return simulate(workload, machines, { ...settings, policy: publishedNames.get(policy) ?? policy }).result;
}

function rowOf(
  { trace, load, penaltySeconds, periodSeconds }: Unit & { readonly load: number },
  policy: string,
  result: RunResult,
): OnlineRow {
  return {
    trace,
    load,
    penaltySeconds,
    periodSeconds,
    policy,
    jobs: result.jobs,
    stretchMean: result.stretchMean!,
    stretchMax: result.stretchMax!,
    stretchBound: result.stretchBound!,
    pauses: result.pauses!,
    migrations: result.migrations!,
    pauseGBPerSecondMean: result.pauseGBPerSecondMean!,
    migrationGBPerSecondMean: result.migrationGBPerSecondMean!,
    simulationSeconds: result.simulationSeconds,
  };
}
