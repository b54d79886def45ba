import { toAnyPool } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const resSusRand: Strategy = {
  name: "ResSusRand",
  summary: "suspended jobs start again at a pool drawn at random",
  onSuspension: toAnyPool,
  onLongWait: null,
};
