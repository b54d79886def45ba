import type { Heuristic } from "../matching/heuristic.ts";
import type { PolicyKind } from "../pool/policy.ts";
import { bestTrial, type Objective } from "./best-trial.ts";

/** Max-Cost: Max-Jobs with other objectives than the number of jobs. */
const objectives: readonly Objective[] = [
  {
    name: "max-cores",
    summary: "in every cycle, of all heuristics the one that fills the most cores",
    value: (jobs, job) => jobs.coresOf(job) * jobs.tasksOf(job),
  },
  {
    name: "max-wait",
    summary: "in every cycle, of all heuristics the one whose jobs have waited longest in sum",
    value: (jobs, job, now) => now - jobs.submittedAt[job],
  },
  {
    name: "max-starved",
    summary:
      "in every cycle, of all heuristics the one whose jobs have the highest sum of squared waits: starving jobs count most",
    value(jobs, job, now) {
      const wait = now - jobs.submittedAt[job];
      // Not `**`, which is not the same to the last bit on every machine.
      return wait * wait;
    },
  },
];

export function maxCosts(list: readonly Heuristic[]): PolicyKind[] {
  return objectives.map((objective) => bestTrial(objective, list));
}
