import type { Rejection } from "../../core/index.ts";
import { rejectionText } from "../../simulation/index.ts";
import type { PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

/** Why no pool can ever hold a job, in words. */
export function ineligibleOf(rejection: Rejection, requirements: Requirements, farm: PlainFarm): string {
  const text = rejectionText(rejection, requirements.all);
  return farm.pools.length === 1 ? text : `no pool takes it: ${text}`;
}
