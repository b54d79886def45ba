import { NONE, SUSPENDED, type PlainDecision, type Port } from "../../core/index.ts";
import { InputError, type Farm } from "../../workload/index.ts";
import { plainFarm, type KnownMachines, type PlannedPool } from "../service/farm-plan.ts";
import { pauseSentences } from "../service/pause-sentence.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import { goOn, Onward, type Present } from "./present.ts";
import { settingsChanged } from "./settings-changed.ts";

/** A running job that would have to leave its machines. */
export interface Evicted {
  readonly job: number;
  readonly user: string;
  readonly pool: string;
  readonly machines: readonly string[];
  /** What becomes of it: it stays there, stopped; it waits again, from its beginning; or it goes to another pool. */
  readonly becomes: "suspended" | "waits again" | "moved";
  /** The pool that it goes to; null: it stays in its own. */
  readonly to: string | null;
  /** What it has run, and would lose. */
  readonly lostSeconds: number;
}

/** A suspended job that its machines could not hold, however empty they were. */
export interface Stranded {
  readonly job: number;
  readonly user: string;
  readonly pool: string;
  readonly machines: readonly string[];
}

/** When a waiting job is expected to start, from now; null: not within the time looked ahead. */
export interface Start {
  readonly job: number;
  readonly user: string;
  readonly beforeSeconds: number | null;
  readonly afterSeconds: number | null;
}

export type ReloadTrial =
  | { readonly refused: string }
  | {
      readonly refused: null;
      /** What the file says otherwise, a line each. */
      readonly changes: readonly string[];
      readonly evicted: readonly Evicted[];
      /** Suspended jobs, those that would be stopped now among them, that could never go on. */
      readonly stranded: readonly Stranded[];
      /** Jobs that would start at once, and would not without. */
      readonly startNow: readonly number[];
      /** Jobs that would be expected to start later, and sooner, by more than a minute: the most changed first. */
      readonly later: readonly Start[];
      readonly sooner: readonly Start[];
      /** Whether the look ahead ended before its time, as there was too much to decide. */
      readonly isCutShort: boolean;
    };

const AHEAD_SECONDS = 7 * 86_400;
const MOST_INSTANTS = 20_000;
const NO_MATTER_SECONDS = 60;

/**
 * What would become of the jobs of a farm if it read this file: by what a reload does itself, on a copy of the decision
 * engine. Nothing is changed.
 *
 * @param planned the engines of the farm to try, not open
 */
export function tryReload(
  present: Present,
  file: Farm,
  planned: readonly PlannedPool[],
  known: KnownMachines,
  mayGoOn = () => true,
): ReloadTrial {
  const { replica, now, users } = present;
  const { farm } = replica;
  try {
    const next = withKnown(plainFarm(file, planned, farm.seed, known), farm, planned);
    const moved = replica.movedTo(next);
    closeMachines(moved, next, present, planned, known);
    const before = new Onward(replica.copy(), present);
    const after = new Onward(moved, present);
    const placed = new Map(Array.from(present.runs.keys(), (job) => [job, machinesOf(next, moved, job)]));
    const unchanged = before.decideNow();
    const decisions = after.decideNow();
    const started = new Set(startsIn(unchanged));
    const suspended = suspendedIn(moved).filter((job) => users.has(job));
    const until = now + AHEAD_SECONDS;
    const isWhole = goOn([before, after], until, MOST_INSTANTS, mayGoOn);
    const starts = comparedStarts(before, after, present);
    return {
      refused: null,
      changes: settingsChanged(farm, next),
      evicted: evictedBy(decisions, present, next, placed),
      // A strategy may take them to other machines, sooner or later.
      stranded: suspended
        .filter((job) => isStranded(moved, job))
        .map((job) => ({
          job,
          user: users.get(job)!,
          pool: next.pools[moved.poolOf(job)]!.name,
          machines: machinesOf(next, moved, job),
        })),
      startNow: startsIn(decisions).filter((job) => !started.has(job) && users.has(job)),
      later: starts.filter((each) => delay(each) > NO_MATTER_SECONDS).sort((a, b) => delay(b) - delay(a)),
      sooner: starts.filter((each) => delay(each) < -NO_MATTER_SECONDS).sort((a, b) => delay(a) - delay(b)),
      isCutShort: !isWhole,
    };
  } catch (error) {
    if (error instanceof InputError) return { refused: error.message };
    throw error;
  }
}

/** An engine that has to be asked for its machines has to be asked what it may do, too: it is taken to be as it was. */
function withKnown(next: PlainFarm, { pools }: PlainFarm, planned: readonly PlannedPool[]): PlainFarm {
  const asked = next.pools.map((pool, number) => {
    const before = pools.find(({ name }) => name === pool.name);
    const isUnknown = planned[number]!.engine.machines().length === 0;
    return isUnknown && before?.engine?.kind === pool.engine?.kind && before !== undefined
      ? { ...pool, suspend: before.suspend }
      : pool;
  });
  return { ...next, pools: asked };
}

/**
 * A service closes machines before anything is decided: those that its engines do not list, that people have drained or
 * that are down, and all of pools that are paused. Of an engine that is not open nothing new is known.
 */
function closeMachines(
  moved: Port,
  next: PlainFarm,
  { connection, replica: { port, farm }, now }: Present,
  planned: readonly PlannedPool[],
  { drained }: KnownMachines,
): void {
  const paused = pauseSentences(connection);
  for (const [pool, { name, machines }] of next.pools.entries()) {
    const isPaused = paused.has(name) || paused.has("");
    const old = farm.pools.findIndex((each) => each.name === name);
    const before = port.view.pools[old]?.machines;
    const wasClosed = new Set(
      farm.pools[old]?.machines
        .filter((_, machine) => !before!.isInService(machine))
        .map((each) => each.name),
    );
    const listed = new Set(planned[pool]!.engine.machines().map((machine) => machine.name));
    for (const [machine, each] of machines.entries()) {
      const isMissing = listed.size > 0 && !listed.has(each.name);
      if (isPaused || isMissing || wasClosed.has(each.name) || drained.has(`${name}/${each.name}`))
        moved.apply({ type: "machineDrained", at: now, pool, machine });
    }
  }
}

function delay({ beforeSeconds, afterSeconds }: Start): number {
  // One of them at least is known.
  return (afterSeconds ?? Infinity) - (beforeSeconds ?? Infinity);
}

function startsIn(decisions: readonly PlainDecision[]): number[] {
  return decisions.flatMap((decision) => (decision.type === "START" ? [decision.job] : []));
}

function machinesOf(farm: PlainFarm, port: Port, job: number): string[] {
  const pool = port.poolOf(job);
  const placement = port.view.pools[pool]?.placementOf(port.handleOf(job)) ?? [];
  return placement.map(({ machine }) => farm.pools[pool]!.machines[machine]!.name);
}

function suspendedIn(port: Port): number[] {
  const { jobs } = port.view;
  return Array.from(jobs)
    .filter((handle) => jobs.stateOf(handle) === SUSPENDED)
    .map((handle) => port.numberOf(handle));
}

function isStranded(port: Port, job: number): boolean {
  const handle = port.handleOf(job);
  if (handle === NONE || port.view.jobs.stateOf(handle) !== SUSPENDED) return false;
  return !port.view.pools[port.poolOf(job)]!.couldHold(handle);
}

/** The jobs that ran and were stopped for others or moved. */
function evictedBy(
  decisions: readonly PlainDecision[],
  { runs, users, now }: Present,
  farm: PlainFarm,
  placed: ReadonlyMap<number, readonly string[]>,
): Evicted[] {
  const evicted = new Map<number, Evicted>();
  for (const decision of decisions) {
    if (decision.type === "SUSPEND" || (decision.type === "KILL" && decision.why !== "cancel")) {
      const { job, pool } = decision;
      const run = runs.get(job);
      if (run === undefined) continue;
      const done = Number.isNaN(run.sinceSeconds)
        ? run.doneSeconds
        : run.doneSeconds + (now - run.sinceSeconds);
      const isKept = decision.type === "SUSPEND";
      evicted.set(job, {
        job,
        user: users.get(job) ?? "",
        pool: farm.pools[pool]!.name,
        machines: placed.get(job) ?? [],
        becomes: isKept ? "suspended" : "waits again",
        to: null,
        lostSeconds: isKept ? 0 : done,
      });
    }
    if (decision.type === "MOVE") {
      const known = evicted.get(decision.job);
      if (known !== undefined)
        evicted.set(decision.job, { ...known, becomes: "moved", to: farm.pools[decision.pool]!.name });
    }
  }
  return [...evicted.values()];
}

/** When the jobs that wait start in both courses. */
function comparedStarts(before: Onward, after: Onward, { now, users, runs }: Present): Start[] {
  const startOf = ({ course }: Onward, job: number): number | null => {
    const start = course.starts.get(job);
    return start === undefined ? null : start - now;
  };
  const starts: Start[] = [];
  for (const [job, user] of users) {
    if (runs.has(job)) continue;
    const beforeSeconds = startOf(before, job);
    const afterSeconds = startOf(after, job);
    if (beforeSeconds !== null || afterSeconds !== null)
      starts.push({ job, user, beforeSeconds, afterSeconds });
  }
  return starts;
}
