import type { Strategy } from "./strategy.ts";

export const noRes: Strategy = {
  name: "NoRes",
  summary: "jobs stay where they are",
  onSuspension: null,
  onLongWait: null,
};
