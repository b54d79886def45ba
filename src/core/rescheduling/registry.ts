import { dupSusUtil } from "./dup-sus-util.ts";
import { noRes } from "./no-res.ts";
import { resSusRand } from "./res-sus-rand.ts";
import { resSusUtil } from "./res-sus-util.ts";
import { resSusWaitRand } from "./res-sus-wait-rand.ts";
import { resSusWaitScore } from "./res-sus-wait-score.ts";
import { resSusWaitUtil } from "./res-sus-wait-util.ts";
import type { Strategy } from "./strategy.ts";

/** Every rescheduling strategy. To add one: a file beside the others, and a line here. */
export const strategies: readonly Strategy[] = [
  noRes,
  resSusUtil,
  resSusRand,
  resSusWaitUtil,
  resSusWaitRand,
  resSusWaitScore,
  dupSusUtil,
];
