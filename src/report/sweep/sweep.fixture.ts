import { uniform } from "../report.fixture.ts";
import type { SweepInput, SweepRow } from "./sweep-input.ts";

/** An invented sweep: two logs, of which one is drawn anew for each seed. It means nothing. */
export function inventSweep(): SweepInput {
  const policies = ["easy", "fcfs", "first-fit", "conservative/best-fit-cores"];
  const loads = [null, 0.8, 0.9];
  const estimates = ["log", "exact"];
  const random = uniform(7);
  const rows = ["cluster", "netbatch-b"].flatMap((log, l) =>
    (l === 0 ? [null] : [1, 2, 3]).flatMap((seed) =>
      loads.flatMap((load, k) =>
        estimates.flatMap((given) =>
          policies.map((policy, p): SweepRow => {
            const wait = 600 * (k + 1) * [1, 25, 0.7, 0.8][p] * (0.9 + 0.2 * random());
            return { log, policy, load, estimates: given, seed, run: run(wait, load ?? 0.7) };
          }),
        ),
      ),
    ),
  );
  return {
    title: "A sweep",
    logs: [
      { name: "cluster", synthetic: false, on: "8x8c32g", unseen: [] },
      {
        name: "netbatch-b",
        synthetic: true,
        on: "20x8c32g",
        unseen: [
          "No job has a limit of its run time in the log: simulated, easy plans with how long they really ran.",
        ],
      },
    ],
    policies,
    baseline: "easy",
    loads,
    estimates,
    rows,
    settings: [{ name: "Scheduling cycle", value: "30 s" }],
    command: "croft sweep study.yaml --out sweep",
    version: "0.1.0",
  };
}

function run(waitMeanSeconds: number, offeredLoad: number): SweepRow["run"] {
  return {
    offeredLoad,
    jobs: 1000,
    rejected: 2,
    waitMeanSeconds,
    waitMedianSeconds: waitMeanSeconds / 5,
    waitP95Seconds: waitMeanSeconds * 4,
    slowdownMean: 1 + waitMeanSeconds / 40,
    boundedSlowdownMean: 1 + waitMeanSeconds / 100,
    queueLengthMean: waitMeanSeconds / 50,
    coreUtilizationMean: offeredLoad,
    makespanSeconds: 1e6,
  };
}
