import type { PlainRequest } from "../core/index.ts";
import { attributeTypesOf, ownersOf, readRequirement, rejectionText } from "../simulation/index.ts";
import { Draws } from "../live/service/draws.ts";
import { licenceNames } from "../live/service/licence-requests.ts";
import { placeOf } from "../live/service/place.ts";
import { Onward, type Present } from "./present.ts";

/** A job of which many are to be run. */
export interface Wanted {
  /** Of each task. */
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly tasks: number;
  /** How long each runs; null: no end is seen. */
  readonly timeSeconds: number | null;
  readonly priority: number;
  /** An expression over machines' attributes; empty: any machine. */
  readonly requires: string;
  /** Null: the first virtual pool. */
  readonly pool: string | null;
  readonly group: string;
}

export interface Fits {
  /** Why no machine could ever hold one; null: some could. */
  readonly never: string | null;
  /** By the times asked for: how many have started by then. */
  readonly started: readonly number[];
  /** By pool, of those that start at once. */
  readonly nowByPool: Readonly<Record<string, number>>;
  /** Whether the look ahead ended before its time, as there was too much to decide. */
  readonly isCutShort: boolean;
}

const MOST_INSTANTS = 20_000;

/**
 * How many of these jobs would start if they were submitted now, behind all that wait, and nothing else came.
 *
 * @param count how many are submitted
 * @param withinSeconds ascending; 0: at once
 */
export function fits(
  present: Present,
  wanted: Wanted,
  count: number,
  withinSeconds: readonly number[],
): Fits {
  const { port, farm, requirements, draws, now, firstNumber } = present;
  const request = requestOf(present, wanted);
  const fork = port.fork(new Draws(farm.seed, draws.count).below);
  const trial = port.fork(new Draws(farm.seed, draws.count).below);
  const answer = trial.apply({ type: "submitted", at: now, job: firstNumber, request });
  if (answer.answer === "rejected") {
    const licences = licenceNames(farm.pools, requirements.licences);
    const never = rejectionText(answer.reason, { requirements: requirements.all, licences });
    return { never, started: withinSeconds.map(() => 0), nowByPool: {}, isCutShort: false };
  }
  const copies = Array.from({ length: count }, () => ({
    submitSeconds: now,
    request,
    runSeconds: wanted.timeSeconds ?? Infinity,
  }));
  const onward = new Onward(fork, present, copies);
  const nowByPool: Record<string, number> = {};
  for (const decision of onward.decideNow())
    if (decision.type === "START" && decision.job >= firstNumber) {
      const { name } = farm.pools[decision.pool]!;
      nowByPool[name] = (nowByPool[name] ?? 0) + 1;
    }
  const isWhole = onward.goOn(now + (withinSeconds.at(-1) ?? 0), MOST_INSTANTS);
  const starts = [...onward.course.starts].filter(([job]) => job >= firstNumber).map(([, at]) => at);
  const started = withinSeconds.map((seconds) => starts.filter((at) => at <= now + seconds).length);
  return { never: null, started, nowByPool, isCutShort: !isWhole };
}

/** @throws InputError or Refusal where the farm has no such pool, or cannot read the requirement */
function requestOf({ farm, requirements }: Present, wanted: Wanted): PlainRequest {
  const { cores, memoryMiB, gpus, tasks, timeSeconds, priority, requires, pool, group } = wanted;
  let requirement = 0;
  if (requires.trim() !== "") {
    readRequirement(requires, attributeTypesOf(farm));
    requirement = requirements.numberOf(requires) || requirements.add(requires);
  }
  return {
    cores: Math.round(cores * 1000),
    memory: memoryMiB,
    gpu: Math.round(gpus * 1000),
    tasks,
    project: 0,
    heuristic: -1,
    estimateSeconds: timeSeconds,
    requirement,
    owner: ownersOf(farm).indexOf(group) + 1,
    ...placeOf(farm, pool),
    priority,
    retries: 0,
  };
}
