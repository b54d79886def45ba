import type { Jobs } from "../jobs/jobs.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import { MatchingPass } from "./matching-pass.ts";
import { Plan } from "../pool/plan.ts";
import type { PolicyKind } from "../pool/policy.ts";
import type { PassNotes } from "../reasons/cycle-notes.ts";

/** What makes one schedule of a cycle better than another. */
export interface Objective {
  readonly name: string;
  readonly summary: string;
  /** The value of starting this job now; a schedule's value is the sum over its jobs. Absent: every job counts 1. */
  readonly value?: (jobs: Jobs, job: number, now: number) => number;
}

/**
 * Every cycle tries each heuristic of a list over the same queue and the same machines, and keeps the schedule of the
 * highest value. Ties go to the one of more jobs, then to the first in the list.
 */
export function bestTrial(objective: Objective, list: readonly Heuristic[]): PolicyKind {
  return {
    name: objective.name,
    summary: objective.summary,
    takesHeuristic: false,
    needsEstimates: false,
    reactsToEvents: false,
    needsMemory: list.some((heuristic) => heuristic.needsMemory),
    withList: (other) => bestTrial(objective, other),
    create(context) {
      const { placer, notes, jobs } = context;
      const { value } = objective;
      const pass = new MatchingPass(context);
      const choosers = list.map((heuristic) => context.chooser(heuristic));
      const trials = list.map(() => new Plan());
      const values = new Float64Array(list.length);
      const winners = { names: list.map((heuristic) => heuristic.name), won: new Uint8Array(list.length) };
      return {
        winners,
        cycle(now, plan) {
          let best = 0;
          const lengths: number[] = [];
          const noted: PassNotes[] = [];
          /** Above 0 if a trial is better than the best so far, 0 if it is as good. */
          const compare = (i: number): number =>
            values[i] - values[best] || trials[i].jobCount - trials[best].jobCount;
          for (let i = 0; i < trials.length; i++) {
            const trial = trials[i];
            pass.run(choosers[i], trial);
            lengths.push(trial.length);
            noted.push(notes.pass);
            values[i] = value === undefined ? 0 : valueOf(trial, (job) => value(jobs, job, now));
            if (compare(i) > 0) best = i;
            placer.undo(trial);
          }
          for (let i = 0; i < trials.length; i++) winners.won[i] = compare(i) === 0 ? 1 : 0;
          placer.redo(trials[best], lengths[best]);
          notes.pass = noted[best];
          plan.takeFrom(trials[best]);
        },
      };
    },
  };
}

function valueOf(plan: Plan, value: (job: number) => number): number {
  let sum = 0;
  for (const job of plan.jobs()) sum += value(job);
  return sum;
}
