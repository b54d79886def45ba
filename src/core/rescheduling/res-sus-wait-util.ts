import { toLeastUtilized } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const resSusWaitUtil: Strategy = {
  name: "ResSusWaitUtil",
  summary: "as ResSusUtil; jobs that wait for long as well",
  onSuspension: toLeastUtilized,
  onLongWait: toLeastUtilized,
};
