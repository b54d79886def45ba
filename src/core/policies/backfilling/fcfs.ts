import type { PolicyKind } from "../../pool/policy.ts";
import { NONE } from "../../none.ts";

/** First come, first served: in order of arrival. No job passes the first one that does not fit. */
export const fcfs: PolicyKind = {
  name: "fcfs",
  summary: "in order of arrival; no job passes the first one that does not fit",
  takesHeuristic: true,
  needsEstimates: false,
  needsMemory: false,
  reactsToEvents: true,
  heedsLimits: false,
  create(context, heuristic) {
    const { queue, placer, notes } = context;
    const own = context.chooser(heuristic);
    return {
      cycle(_now, plan) {
        queue.begin();
        let job = queue.next();
        for (; job !== NONE && placer.place(job, own, plan); job = queue.next()) queue.placed(job);
        if (!notes.isAsked || job === NONE) return;
        notes.begin();
        notes.passedBy(job);
        notes.passEnds({ kind: "behind", job });
      },
    };
  },
};
