import type { EngineSettings } from "../../core/index.ts";
import {
  engineSettings as settingsOf,
  type FarmSpec,
  type JobTerms,
  type MachineSpec,
  type PoolSpec,
} from "../../simulation/index.ts";
import type { PoolGpus, PoolHooks } from "../../workload/index.ts";
import { licenceNames } from "./licence-requests.ts";
import type { Requirements } from "./requirements.ts";
import { PRIORITIES } from "../limits.ts";

/**
 * A live farm's description. It is stored, since the journal can only be replayed with it. Names were checked when the
 * farm was read, and every machine tells its memory and GPUs.
 */
export interface PlainFarm extends FarmSpec {
  readonly pools: readonly PlainPool[];
  /** What no decision depends on; kept to say what a new file changes. Absent: as it is by default. */
  readonly outputMiB?: number;
  readonly retentionSeconds?: number;
  /** By name: what each is, without what may be secret of it. */
  readonly channels?: Readonly<Record<string, string>>;
}

export interface PlainPool extends PoolSpec {
  readonly machines: readonly PlainMachine[];
  /** As `channels`. */
  readonly hooks?: PoolHooks;
  /** As the farm's file has them. */
  readonly gpus?: PoolGpus;
}

export interface PlainMachine extends MachineSpec {
  readonly memoryMiB: number;
  readonly gpuMilli: number;
}

/** How long a job avoids a machine on which it could not start. */
const RETRY_SECONDS = 30;
const MAX_START_FAILURES = 5;

/** The projects that have shares; number 0 is that of jobs without one. */
export function projectsOf({ pools }: FarmSpec): string[] {
  return ["", ...new Set(pools.flatMap(({ shares }) => (shares ?? []).map(({ path }) => path)))];
}

/** Whether it counts whom a job is of. */
export function countsAccounts({ limits, reservations }: FarmSpec): boolean {
  return limits !== undefined || reservations !== undefined;
}

/** What jobs of a live farm name by number. */
export function jobTerms(farm: FarmSpec, requirements: Requirements): JobTerms {
  const names = licenceNames(farm.pools, requirements.licences);
  return {
    projects: projectsOf(farm),
    // The first is any pool; then each pool by itself.
    candidateLists: [
      { pools: null, restartPools: farm.restartPools },
      ...farm.pools.map((_, number) => ({ pools: [number], restartPools: null })),
    ],
    priorities: PRIORITIES,
    heuristics: [],
    requirement: (number) => requirements.expressions.of(number),
    account: (number) => requirements.accounts.of(number),
    licences: names.length === 0 ? null : { names, asked: (request) => requirements.licences.of(request) },
  };
}

export function engineSettings(
  farm: FarmSpec,
  requirements: Requirements,
  random: (below: number) => number,
): EngineSettings {
  const faults = { retrySeconds: RETRY_SECONDS, maxStartFailures: MAX_START_FAILURES };
  return settingsOf(farm, jobTerms(farm, requirements), { random, faults });
}
