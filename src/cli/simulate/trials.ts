import {
  AS_BELIEVED,
  hardlyWaits,
  type BusyQueue,
  type Trial,
  type Trials,
  type Verdict,
} from "../../report/index.ts";
import {
  drawnUnits,
  drawsTellMore,
  FEWEST_UNITS,
  FEWEST_WEEKS,
  wholeWeeks,
  type Fidelity,
  type RunResult,
  type SimulateAllOptions,
  type SimulationSettings,
} from "../../simulation/index.ts";
import { InputError, type Workload } from "../../workload/index.ts";
import type { AsItWas } from "./as-it-was.ts";
import { busyQueueOf, otherMachines } from "./other-machines.ts";
import type { Place } from "./place.ts";
import { runAll } from "./run-all.ts";
import type { PlannedRun } from "./runs.ts";
import { asBelieved, plansWithLimits } from "./without-limits.ts";

/** Logs drawn where nothing is said and runs take seconds. */
const USUAL_DRAWS = 20;
const MOST_DRAWS = 1000;
/** Jobs of all drawn logs together, and of all runs with other input, where nothing is said. */
const MOST_DRAWN_JOBS = 500_000;
const MOST_OTHER_JOBS = 1_000_000;
/** Policies whose mean wait is more than so many times the best are far enough from it. */
const NEAR_FACTOR = 2;

/** @throws InputError where so many logs cannot be drawn from this one */
export function checkDraws(draws: number | undefined, workload: Workload): void {
  if (draws === undefined || draws === 0) return;
  const weeks = wholeWeeks(workload);
  if (weeks < FEWEST_WEEKS)
    throw new InputError(
      `--resample: logs are drawn by whole weeks, and workload ${workload.name} is shorter than ${FEWEST_WEEKS}`,
    );
  if (drawnUnits(workload) < FEWEST_UNITS)
    throw new InputError(
      `--resample: logs are drawn by users, and nearly all work of workload ${workload.name} is of fewer than ${FEWEST_UNITS}; leave the option out`,
    );
  if (draws > MOST_DRAWS) throw new InputError(`--resample: at most ${MOST_DRAWS} logs are drawn`);
}

/** What the verdict is on, and what it was made of. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly workload: Workload;
  readonly place: Place;
  readonly planned: readonly PlannedRun[];
  /** All runs, the extra one of `was` last. */
  readonly made: readonly RunResult[];
  readonly was: AsItWas | null;
  readonly fidelity: Fidelity | undefined;
  /** Whether jobs have no limit, and policies plan with it. */
  readonly lacksLimits: boolean;
}

/** A policy to try again. */
interface Tried {
  readonly name: string;
  readonly settings: SimulationSettings;
  /** On the log itself. */
  readonly run: RunResult;
  /** Absent: where the others are. */
  readonly on?: Place;
}

/**
 * Runs the policies of a verdict again, on logs drawn from this one and on other estimates and machines; undefined where
 * nothing can be learned from that, or it would take long.
 *
 * @param draws how many logs; undefined: as many as are usual, where that takes seconds
 */
export async function makeTrials(
  judgement: Judgement,
  draws: number | undefined,
  options: Pick<SimulateAllOptions, "threads" | "plugin" | "onProgress">,
): Promise<Trials | undefined> {
  const { verdict, workload, place } = judgement;
  const { best, hasVerdict, standing } = verdict;
  if (!hasVerdict || standing === "nothing to win" || verdict.waits === null) return undefined;
  const tried = triedAgain(judgement);
  const [reference] = tried;
  if (reference === undefined || verdict.ranked.length < 2) return undefined;
  const beta = verdict.ranked[0]!.run.beta;
  const jobs = workload.count * tried.length;
  const units = drawnUnits(workload);
  const silences = verdict.waits.againstBaseline.map(({ silence }) => silence);
  const isUsual =
    wholeWeeks(workload) >= FEWEST_WEEKS &&
    drawsTellMore(units, silences) &&
    USUAL_DRAWS * jobs <= MOST_DRAWN_JOBS;
  const number = tried.length < 2 ? 0 : (draws ?? (isUsual ? USUAL_DRAWS : 0));
  const seeds = Array.from({ length: number }, (_, i) => i + 1);
  const runs = seeds.flatMap((seed) => tried.map(({ settings, on }) => ({ seed, settings, ...onPlace(on) })));
  const drawn =
    runs.length === 0
      ? []
      : await runAll(workload, place, runs, { ...options, draws: runs.map(({ seed }) => seed) });
  const changed = tried.filter(({ name }) => name === reference.name || name === best);
  const busyQueue = busyQueueOf(reference.run.waitsBy, workload, reference.on ?? place);
  const others = otherwise(changed, workload, judgement.lacksLimits, busyQueue);
  const isLong = draws === undefined && workload.count * others.length * changed.length > MOST_OTHER_JOBS;
  const sensitivity: Trial[] = [];
  for (const { what, log, place: other, settings, ...more } of isLong ? [] : others) {
    const again = changed.map((each) => ({ settings: settings(each), on: other(each.on ?? place) }));
    const made = await runAll(log, place, again, options);
    const waits = changed.map(({ name }, i) => ({ policy: name, waitMeanSeconds: made[i]!.waitMeanSeconds }));
    const isOfOtherJobs = changed.some(({ run }, i) => made[i]!.started !== run.started);
    sensitivity.push({ what, ...more, waits, ...(isOfOtherJobs ? { isOfOtherJobs } : {}) });
  }
  return {
    beta,
    units,
    draws: tried.map(({ name }, i) => ({
      policy: name,
      waitMeanSeconds: seeds.map((_, draw) => drawn[draw * tried.length + i]!.waitMeanSeconds),
    })),
    sensitivity,
    ...(busyQueue === undefined ? {} : { busyQueue }),
  };
}

/** The reference, simulated, and all policies that are near to the best. */
function triedAgain({ verdict, planned, made, was, fidelity }: Judgement): Tried[] {
  const { ranked, reference } = verdict;
  const beta = ranked[0]!.run.beta;
  // The load's run again at the pace that it had here: a drawn log has a load of its own.
  const of = (settings: SimulationSettings): SimulationSettings => ({ ...settings, beta, load: null });
  const limit = NEAR_FACTOR * ranked.find(({ policy }) => policy === verdict.best)!.run.waitMeanSeconds;
  const near = ranked.flatMap(({ policy, run }) => {
    const index = made.indexOf(run);
    const isNear = run.waitMeanSeconds <= limit || policy === reference.policy;
    return isNear && !hardlyWaits({ run })
      ? [
          {
            name: policy,
            settings: of(planned[index]!.settings),
            run,
            ...onPlace(planned[index]!.on),
          },
        ]
      : [];
  });
  const own =
    (reference.kind === "record" || reference.kind === "own") && was !== null && fidelity !== undefined
      ? {
          name: fidelity.policy,
          settings: of(was.settings),
          run: made[was.run]!,
        }
      : near.find(({ name }) => name === reference.policy);
  if (own === undefined || own.run.waitMeanSeconds > 10 * limit) return [];
  return [own, ...near.filter(({ name }) => name !== own.name)];
}

function onPlace(on: Place | undefined): { readonly on?: Place } {
  return on === undefined ? {} : { on };
}

interface Otherwise extends Pick<Trial, "what" | "on"> {
  readonly log: Workload;
  readonly place: (place: Place) => Place;
  readonly settings: (tried: Tried) => SimulationSettings;
}

/** The changes of what was assumed. */
function otherwise(
  tried: readonly Tried[],
  workload: Workload,
  lacksLimits: boolean,
  busyQueue: BusyQueue | undefined,
): readonly Otherwise[] {
  const { estimateSeconds } = workload;
  const planning = tried.some(({ settings }) => plansWithLimits(settings));
  const same = { log: workload, place: (place: Place) => place, settings: ({ settings }: Tried) => settings };
  const believed = lacksLimits ? [{ ...same, what: AS_BELIEVED, log: asBelieved(workload) }] : [];
  const estimates = !planning
    ? []
    : ([...(estimateSeconds === null ? [] : (["exact"] as const)), 2, 5] as const).map((each) => ({
        ...same,
        what: each === "exact" ? "exact estimates" : `${each} times the run time as estimates`,
        settings: ({ settings }: Tried): SimulationSettings => ({ ...settings, estimates: each }),
      }));
  // Failures that are listed are of the machines by their places, and the order-driven clock is for equal nodes.
  const isFixed = tried.some(
    ({ settings: { failures, clock } }) => failures?.kind === "listed" || clock === "order",
  );
  const machines = isFixed ? [] : otherMachines(busyQueue).map((each) => ({ ...same, ...each }));
  // Of one policy alone other estimates tell nothing, other machines do.
  return tried.length < 2 ? machines : [...believed, ...estimates, ...machines];
}
