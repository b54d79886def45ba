import type { LimitExcess, PlainRequest } from "../../core/index.ts";
import { readRequirement, rejectionText } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { asking } from "../service/asked.ts";
import type { JobRequest } from "../store/job-request.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import type { Requirements } from "../service/requirements.ts";
import { Refusal } from "../refusal.ts";
import { knownAttributes } from "../service/request-checks.ts";
import { awaitedText } from "../service/awaited-pools.ts";
import { limitNamed } from "../service/accounts.ts";
import { licenceNames } from "../service/licence-requests.ts";
import type { Connection } from "../store/connection.ts";
import { Nowhere } from "./nowhere.ts";
import { goOn, Onward, readPresent, type Present } from "./present.ts";
import { replicaOf, type Instant, type Replica } from "./replica.ts";

/** Jobs of which many are to be run. */
export interface Wanted {
  /** What a task asks for. */
  readonly request: JobRequest;
  /** Tasks of each job, which start together. */
  readonly tasks: number;
  /** How many jobs are submitted. */
  readonly count: number;
}

export interface Fits {
  /** Why none starts as the farm is: no machine could hold one, all that could are closed, or none is known yet; null: some may. */
  readonly never: string | null;
  readonly count: number;
  /** How many have started so long after now. */
  readonly within: readonly { readonly seconds: number; readonly jobs: number }[];
  /** By pool, of those that start at once. */
  readonly nowByPool: Readonly<Record<string, number>>;
  /** Whether the look ahead ended before its time, as there was too much to decide. */
  readonly isCutShort: boolean;
}

const HOUR_SECONDS = 3600;
/** At once, in half a day, in a week. */
const WITHIN_SECONDS = [0, 12 * HOUR_SECONDS, 168 * HOUR_SECONDS] as const;
const MOST_INSTANTS = 20_000;
const LOOKING_SECONDS = 4;

/** For a farm that serves: null where it has too many jobs to be copied. */
export function fitsNow(connection: Connection, wanted: Wanted & { readonly instant: Instant }): Fits | null {
  const present = connection.together(() => {
    const replica = replicaOf(connection);
    return replica === null ? null : readPresent(connection, replica, wanted.instant);
  });
  const until = performance.now() + 1000 * LOOKING_SECONDS;
  return present === null ? null : fits(present, wanted, WITHIN_SECONDS, () => performance.now() < until);
}

/**
 * How many of these jobs would start if they were submitted now, behind all that wait, and nothing else came.
 *
 * @param withinSeconds ascending; 0: at once
 * @throws Refusal where the farm has no such pool, or cannot read the requirement
 */
export function fits(
  present: Present,
  { request, tasks, count }: Wanted,
  withinSeconds: readonly number[] = WITHIN_SECONDS,
  mayGoOn = () => true,
): Fits {
  const { replica, requirements, now } = present;
  const { farm } = replica;
  const nowhere = (never: string): Fits => ({
    never,
    count,
    within: withinSeconds.map((seconds) => ({ seconds, jobs: 0 })),
    nowByPool: {},
    isCutShort: false,
  });
  checkRequirement(request.requires, farm);
  const asked = { ...asking(farm)(request, requirements.numbersOf(request, "")), tasks };
  const first = replica.port.highest + 1;
  const trial = replica.copy(requirements);
  const answer = trial.apply({ type: "submitted", at: now, job: first, request: asked });
  if (answer.answer === "rejected") {
    const licences = licenceNames(farm.pools, requirements.licences);
    const limit = (excess: LimitExcess) => limitNamed(farm, requirements, excess);
    const never = rejectionText(answer.reason, {
      requirements: requirements.expressions.all,
      licences,
      limit,
      farm,
    });
    return nowhere(never);
  }
  const awaited = trial.view.awaitedBy(trial.handleOf(first)).map((pool) => farm.pools[pool]!);
  if (awaited.length > 0) return nowhere(awaitedText(awaited));
  const places = placesOf(asked, replica, requirements, now);
  const closed = new Set(places.map((place) => whyClosed(present, { ...asked, ...place })));
  if (!closed.has(null)) return nowhere([...closed].join("; and "));
  const copies = places.flatMap((place) =>
    Array.from({ length: count }, () => ({
      submitSeconds: now,
      request: { ...asked, ...place },
      runSeconds: request.timeSeconds ?? Infinity,
    })),
  );
  const onward = new Onward(replica.copy(requirements), present, copies);
  const nowByPool: Record<string, number> = {};
  let left = count;
  for (const decision of onward.decideNow())
    if (decision.type === "START" && decision.job >= first && left-- > 0) {
      const { name } = farm.pools[decision.pool]!;
      nowByPool[name] = (nowByPool[name] ?? 0) + 1;
    }
  const isWhole = goOn([onward], now + (withinSeconds.at(-1) ?? 0), MOST_INSTANTS, mayGoOn);
  const starts = [...onward.course.starts].filter(([job]) => job >= first).map(([, at]) => at);
  const within = withinSeconds.map((seconds) => ({
    seconds,
    jobs: Math.min(count, starts.filter((at) => at <= now + seconds).length),
  }));
  return { never: null, count, within, nowByPool, isCutShort: !isWhole };
}

/**
 * Where the jobs are put: in each pool that could hold them, as many in each. A routing that goes by what is in use
 * would send all of them to the one pool that has most free at this moment, and the others' room would not be seen.
 */
function placesOf(
  asked: PlainRequest,
  replica: Replica,
  requirements: Requirements,
  now: number,
): { virtualPool: number; candidates: number }[] {
  const { virtualPool, candidates } = asked;
  const { pools } = replica.farm.virtualPools[virtualPool]!;
  if (candidates !== 0 || pools.length === 1) return [{ virtualPool, candidates }];
  return pools
    .map((pool) => ({ virtualPool, candidates: pool + 1 }))
    .filter((place) => {
      const job = replica.port.highest + 1;
      const event = { type: "submitted", at: now, job, request: { ...asked, ...place } } as const;
      return replica.copy(requirements).apply(event).answer !== "rejected";
    });
}

/** Why all machines that could hold such a job are closed; null: some are not. */
function whyClosed(
  { connection, replica, requirements, now }: Present,
  request: PlainRequest,
): string | null {
  const port = replica.copy(requirements);
  const job = port.highest + 1;
  port.apply({ type: "submitted", at: now, job, request });
  return new Nowhere(port, replica.farm, connection).whyOf(port.handleOf(job));
}

/** The farm may have read its file again since the service checked it. */
function checkRequirement(requires: string, farm: PlainFarm): void {
  if (requires.trim() === "") return;
  try {
    readRequirement(requires, knownAttributes(farm));
  } catch (error) {
    throw error instanceof InputError ? new Refusal(422, error.message) : error;
  }
}
