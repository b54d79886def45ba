import { memoryText, type Port } from "../../core/index.ts";
import { jobsBefore, sumOf, whatHelps, type Ahead, type Help } from "../../simulation/index.ts";
import { PRIORITIES } from "../limits.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import type { Connection } from "../store/connection.ts";
import { attemptsOf } from "../store/job-views.ts";
import { replicaOf } from "../replica/replica.ts";
import { changesOf, type ReasonChange } from "./changes.ts";
import { firstJobs } from "./waiting.ts";
import { Told } from "./told.ts";

/** What is found out of a job beside the farm's loop. Times are ISO 8601, in UTC. */
export interface FoundOut {
  /** Who waits before it in its pool; null: it waits in none. */
  readonly ahead: (Ahead & { readonly first: readonly number[] }) | null;
  readonly helps: {
    readonly startsAsItIs: boolean;
    readonly changes: readonly Helping[];
    readonly trials: number;
    readonly isCutShort: boolean;
  } | null;
  readonly notTried: string | null;
  readonly changes: readonly ReasonChange[];
  readonly lost: readonly LostAttempt[];
}

/** What could be different about a job, as `PATCH /v1/jobs/:job` takes it. */
export interface LiveChange {
  readonly cores?: number;
  readonly memoryMiB?: number;
  readonly gpus?: number;
  readonly timeSeconds?: number;
  readonly priority?: number;
  readonly pool?: string;
  /** It is submitted again without its requirement. */
  readonly requires?: "";
}

export interface Helping {
  readonly change: LiveChange;
  readonly machines: number;
  readonly sentence: string;
}

export interface LostAttempt {
  readonly attempt: number;
  readonly machines: readonly string[];
  readonly from: string;
  readonly to: string;
  /** That it ran, without the time that it was suspended. */
  readonly seconds: number;
  readonly suspendedSeconds: number;
}

const MOST_TRIALS = 24;
const TRYING_SECONDS = 3;
const MOST_LOST = 20;
const MOST_AHEAD = 5;

const told = new Told<number, Tried>();

type Tried = Pick<FoundOut, "ahead" | "helps" | "notTried">;

export interface WhyOne {
  readonly job: number;
  /** The farm's time. */
  readonly at: number;
  /** Whether it waits for machines of a pool. */
  readonly isWaiting: boolean;
}

export function whyOne(connection: Connection, { job, at, isWaiting }: WhyOne): FoundOut {
  const tried = isWaiting ? trial(connection, job, at) : nothing(null);
  return { ...tried, changes: changesOf(connection, job), lost: lostOf(connection, job) };
}

function trial(connection: Connection, job: number, at: number): Tried {
  const replica = replicaOf(connection);
  if (replica === null) return nothing("the farm has too many jobs for a copy of it to be tried on");
  const known = told.get(connection, replica, job, at);
  if (known !== undefined) return known;
  const { farm } = replica;
  const copy = (): Port => replica.copy();
  const port = copy();
  if (!port.has(job)) return nothing("it has been over since");
  const until = performance.now() + TRYING_SECONDS * 1000;
  const before = asked(port, job);
  const places = farm.pools.flatMap((_, pool) => {
    const virtualPool = farm.virtualPools.findIndex((each) => each.pools.includes(pool));
    return virtualPool < 0 ? [] : [{ pool, virtualPool, candidates: pool + 1 }];
  });
  const { helps, startsAsItIs, trials, isCutShort } = whatHelps({
    copy,
    job,
    at,
    places,
    priorities: PRIORITIES,
    mostTrials: MOST_TRIALS,
    isLate: () => performance.now() > until,
  });
  const ahead = aheadIn(port, port.handleOf(job), at, firstJobs(connection));
  const isFirst = ahead?.jobs === 0;
  const changes = helps.map((help) => helping(help, before, farm, isFirst));
  const tried: Tried = {
    ahead,
    helps: { startsAsItIs, trials, isCutShort, changes },
    notTried: null,
  };
  if (!isCutShort) told.set(connection, job, tried);
  return tried;
}

function aheadIn(
  port: Port,
  handle: number,
  now: number,
  jobOf: (engineJob: number) => number,
): Tried["ahead"] {
  const before = jobsBefore(port.view, handle, now);
  if (before === null) return null;
  const first = before.slice(0, MOST_AHEAD).map((other) => jobOf(port.numberOf(other)));
  return { ...sumOf(port.view, before), first };
}

function nothing(notTried: string | null): Tried {
  return { ahead: null, helps: null, notTried };
}

interface Asked {
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly timeSeconds: number;
}

function asked(port: Port, job: number): Asked {
  const { jobs } = port.view;
  const handle = port.handleOf(job);
  const { cores, memory, gpu } = jobs.requestOf(handle);
  return {
    cores: cores / 1000,
    memoryMiB: memory,
    gpus: gpu / 1000,
    timeSeconds: jobs.estimateSecondsOf(handle),
  };
}

/** @param isFirst whether no job is ahead of it: a limit that ends before a reservation lets it go before nobody */
function helping({ change, machines }: Help, before: Asked, farm: PlainFarm, isFirst: boolean): Helping {
  const { cores, memory, gpu, estimateSeconds, priority, pool, withoutRequirement } = change;
  const live: LiveChange = {
    ...(cores === undefined ? {} : { cores: cores / 1000 }),
    ...(memory === undefined ? {} : { memoryMiB: memory }),
    ...(gpu === undefined ? {} : { gpus: gpu / 1000 }),
    ...(estimateSeconds === undefined ? {} : { timeSeconds: estimateSeconds }),
    ...(priority === undefined ? {} : { priority }),
    ...(pool === undefined ? {} : { pool: farm.pools[pool]!.name }),
    ...(withoutRequirement === undefined ? {} : { requires: "" as const }),
  };
  const parts = [
    ...(live.cores === undefined ? [] : [`${counted(live.cores, "core")} instead of ${before.cores}`]),
    ...(live.memoryMiB === undefined
      ? []
      : [`${memoryText(live.memoryMiB)} instead of ${memoryText(before.memoryMiB)}`]),
    ...(live.gpus === undefined || live.gpus === 0
      ? []
      : [`${counted(live.gpus, "GPU")} instead of ${before.gpus}`]),
    ...(live.timeSeconds === undefined ? [] : [`a limit of ${timeText(live.timeSeconds)}`]),
    ...(live.priority === undefined ? [] : [`the priority ${live.priority}`]),
  ];
  const how =
    live.pool !== undefined
      ? `in pool ${live.pool}`
      : live.gpus === 0
        ? "without GPUs"
        : live.requires !== undefined
          ? "submitted again without its requirement"
          : `with ${parts.join(" and ")}`;
  const where =
    machines === 0
      ? ", in the place of jobs that run"
      : machines === 1
        ? ", on 1 machine"
        : `, on one of ${machines} machines`;
  const verb = live.timeSeconds === undefined || isFirst ? "start now" : "be let go before others now";
  return { change: live, machines, sentence: `${how} it would ${verb}${where}` };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function timeText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`;
}

/** Attempts that are over while the job is tried again, the last ones. */
function lostOf(connection: Connection, job: number): LostAttempt[] {
  const attempts = attemptsOf(connection, job);
  const over = connection.get("SELECT ended_at FROM job WHERE number = ?", job)?.["ended_at"];
  // Of a job that is over the last attempt is what came of it.
  const before = over === null || over === undefined ? attempts : attempts.slice(0, -1);
  return before
    .flatMap(({ attempt, machines, startedAt, suspendedSeconds, endedAt }) =>
      startedAt === null || endedAt === null
        ? []
        : [
            {
              attempt,
              machines,
              from: startedAt,
              to: endedAt,
              seconds: Math.max(0, (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 - suspendedSeconds),
              suspendedSeconds,
            },
          ],
    )
    .slice(-MOST_LOST);
}
