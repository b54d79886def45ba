import { toAnyPool } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const resSusWaitRand: Strategy = {
  name: "ResSusWaitRand",
  summary: "as ResSusRand, for jobs that wait too long as well",
  onSuspension: toAnyPool,
  onLongWait: toAnyPool,
};
