import type { Port } from "../../core/index.ts";
import { asItStands, runAhead, type Moment } from "../../forecast/index.ts";
import { aboveText, limitReason, type EngineNames } from "../../simulation/index.ts";
import { limitNamed } from "../service/accounts.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import type { Requirements } from "../service/requirements.ts";
import { NOW_SECONDS } from "./start-forecast.ts";

/** Of the seconds that count as at once. */
const MOST_INSTANTS = 50;

/** Those of the jobs that start at once if no job ends and none comes. */
export function startingAtOnce(moment: Moment, jobs: readonly number[]): Set<number> {
  const budget = { members: 1, horizonSeconds: NOW_SECONDS, steps: MOST_INSTANTS };
  const waits = runAhead(moment, jobs, asItStands, budget);
  return new Set(jobs.filter((job) => waits.get(job)!.some((wait) => wait < Infinity)));
}

export function namesOfLimits(farm: PlainFarm, requirements: Requirements): Pick<EngineNames, "limit"> {
  return { limit: (excess) => limitNamed(farm, requirements, excess) };
}

export function limitsText({ view }: Port, handle: number, names: Pick<EngineNames, "limit">): string[] {
  return view.limitsAbove(handle).map((excess) => aboveText(limitReason(excess, names)));
}

export function licencesText(asked: ReadonlyMap<string, number>): string {
  return Array.from(asked, ([licence, count]) => `${licence}=${count}`).join(",");
}

export function poolName({ pools }: PlainFarm, pool: number): string | null {
  return pools[pool]?.name ?? null;
}
