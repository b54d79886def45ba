import { toLessUtilized, toNoMoreUtilized } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const resSusWaitUtil: Strategy = {
  name: "ResSusWaitUtil",
  summary: "as ResSusUtil, for jobs that wait too long as well",
  onSuspension: toNoMoreUtilized,
  onLongWait: toLessUtilized,
};
