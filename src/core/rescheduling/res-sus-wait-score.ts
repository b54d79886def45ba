import { toBestScore } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const resSusWaitScore: Strategy = {
  name: "ResSusWaitScore",
  summary:
    "suspended jobs and those that wait too long start again where utilisation, queue and predicted completion are best",
  onSuspension: toBestScore,
  onLongWait: toBestScore,
};
