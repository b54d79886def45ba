import { asSimulated } from "./as-simulated.ts";
import { badHooks } from "./bad-hooks.ts";
import { comesBack } from "./comes-back.ts";
import { histories } from "./histories.ts";
import { hostile } from "./hostile.ts";
import { fullKills } from "./full-kills.ts";
import { kills } from "./kills.ts";
import { odd } from "./odd.ts";
import { podsKills } from "./pods-kills.ts";
import { processKills } from "./process-kills.ts";
import { randomKills } from "./random-kills.ts";
import { slurmKills } from "./slurm-kills.ts";
import { suspendKills } from "./suspend-kills.ts";
import { sweepOnClusters } from "./sweep-on-clusters.ts";
import { weeks } from "./weeks.ts";
import type { Trial } from "./trial.ts";

export const trials: readonly Trial[] = [
  kills,
  randomKills,
  fullKills,
  suspendKills,
  processKills,
  slurmKills,
  podsKills,
  badHooks,
  comesBack,
  histories,
  hostile,
  odd,
  weeks,
  asSimulated,
  sweepOnClusters,
];
