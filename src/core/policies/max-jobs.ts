import type { Heuristic } from "../matching/heuristic.ts";
import { MatchingPass } from "../pool/matching-pass.ts";
import { Plan } from "../pool/plan.ts";
import type { PolicyKind } from "../pool/policy.ts";
import type { PassNotes } from "../reasons/cycle-notes.ts";

/**
 * Max-Jobs (Shai 2014, section 5): every cycle tries each heuristic of a list
 * over the same queue and the same machines, and keeps the schedule that matches
 * the most jobs; of several, the first in the list.
 */
export function maxJobs(list: readonly Heuristic[]): PolicyKind {
  return {
    name: "max-jobs",
    summary: "in every cycle, of all heuristics the one that places the most jobs",
    takesHeuristic: false,
    needsEstimates: false,
    reactsToEvents: false,
    needsMemory: list.some((heuristic) => heuristic.needsMemory),
    create(context) {
      const { placer, notes } = context;
      const pass = new MatchingPass(context);
      const choosers = list.map((heuristic) => context.chooser(heuristic));
      const trials = list.map(() => new Plan());
      const winners = { names: list.map((heuristic) => heuristic.name), won: new Uint8Array(list.length) };
      return {
        winners,
        cycle(_now, plan) {
          let best = 0;
          const lengths: number[] = [];
          const noted: PassNotes[] = [];
          for (let i = 0; i < trials.length; i++) {
            const trial = trials[i];
            pass.run(choosers[i], trial);
            lengths.push(trial.length);
            noted.push(notes.pass);
            if (trial.jobCount > trials[best].jobCount) best = i;
            placer.undo(trial);
          }
          for (let i = 0; i < trials.length; i++) {
            winners.won[i] = trials[i].jobCount === trials[best].jobCount ? 1 : 0;
          }
          placer.redo(trials[best], lengths[best]);
          notes.pass = noted[best];
          plan.takeFrom(trials[best]);
        },
      };
    },
  };
}
