import {
  batchOf,
  Calibration,
  expectedSeconds,
  likeThePast,
  MEDIAN,
  quantilesOf,
  runAhead,
  type JobTraits,
  type Limits,
  type Moment,
  type Possible,
} from "../../forecast/index.ts";
import { rejectionText } from "../../simulation/index.ts";
import { asking } from "../service/asked.ts";
import type { JobRequest } from "../store/job-request.ts";
import { licenceNames } from "../service/licence-requests.ts";
import { storedRequirements } from "../service/requirements.ts";
import type { Connection } from "../store/database.ts";
import type { Instant } from "../replica/replica.ts";
import { traitsOf } from "../replica/run-times.ts";
import { inQueues } from "./ahead.ts";
import { assumedText } from "./assumed.ts";
import { afterOthers, correctedAfter, EarliestStarts } from "./earliest.ts";
import { Extrapolation } from "./extrapolation.ts";
import { licencesText, limitsText, namesOfLimits, poolName, startingAtOnce } from "./facts.ts";
import { forFailures, heldAs, heldJobs, limitedArrays, type LiveHeldJob } from "../replica/held-jobs.ts";
import type { KeptForecasts, Told } from "./kept-forecasts.ts";
import { whyNever } from "./never.ts";
import { Nowhere } from "../replica/nowhere.ts";
import { FarmPast } from "./past.ts";
import { Shadow } from "./shadow.ts";
import { behindStopped, stoodByHand } from "./standing.ts";
import { forecastOf, neverStarts, shown, type Forecast, type StartForecast } from "./start-forecast.ts";

/** Possible futures, as many as the time allows. */
const MEMBERS = 40;
/** So many are begun, however short the time is for each. */
const LEAST_MEMBERS = 5;
/** Futures go on for held jobs, which may be far away, as far as there is time for so many. */
const LEAST_MEMBERS_OF_HELD = 20;
/** Nobody plans further ahead. */
const HORIZON_SECONDS = 60 * 86_400;
/** Instants of a member. */
const STEPS = 20_000;
/** How many new jobs are remembered of a forecast, to learn from what comes of it. */
const MOST_TOLD = 200;
/** Horizons that differ by a quarter of a factor of e are corrected alike. */
const CALIBRATION_STEP = 0.25;
const SEED = 1;
/** For a look at who waits for jobs that are suspended by hand. */
const STANDING_MILLISECONDS = 200;

/** A moment of a live farm. */
interface LiveMoment extends Moment {
  readonly held: readonly LiveHeldJob[];
}

/** For budgets alone. */
export interface Stopwatch {
  /** Begins to measure. Returns what tells the milliseconds that were spent since. */
  spent(): () => number;
}

/** Makes forecasts in a thread of its own, from what the farm has written. */
export class Forecaster {
  private readonly connection: Connection;
  private readonly kept: KeptForecasts;
  private readonly stopwatch: Stopwatch;
  private readonly shadow: Shadow;
  private readonly past: FarmPast;
  private readonly calibration = new Calibration();
  /** Forecasts whose jobs still wait, by job. */
  private readonly open = new Map<number, Told>();
  /** What became of them since they were last written. */
  private over: { readonly job: number; readonly waitedSeconds: number }[] = [];
  private withdrawn: number[] = [];
  private offsetSeconds: number;

  constructor(connection: Connection, kept: KeptForecasts, stopwatch: Stopwatch, instant: Instant) {
    this.connection = connection;
    this.kept = kept;
    this.stopwatch = stopwatch;
    this.offsetSeconds = instant.unixSeconds - instant.farmSeconds;
    this.shadow = new Shadow(connection);
    this.shadow.follow();
    this.shadow.findRuns(this.offsetSeconds);
    this.past = new FarmPast(connection, this.shadow, this.offsetSeconds);
    this.restore();
    this.shadow.watch = {
      submitted: (job, request, at) => this.past.submitted(job, request, at),
      started: (job, at) => this.cameTrue(job, at + this.offsetSeconds),
      ended: (job, seconds) => this.past.ended(job, seconds),
      changed: (job) => {
        this.past.changed(job);
        // What was told was of another request.
        this.withdraw(job);
      },
      withdrawn: (job) => {
        if (!this.shadow.port.has(job)) this.past.gone(job);
        this.withdraw(job);
      },
    };
  }

  /**
   * Forecasts all waiting jobs, and keeps the forecasts.
   *
   * @returns of how many possible futures they are made
   */
  renew(instant: Instant, milliseconds: number): number {
    const moment = this.momentAt(instant);
    const { port, farm } = this.shadow;
    const held = new Map(moment.held.map((each) => [each.job, each]));
    const queues = inQueues(moment, this.expecting(), held.keys());
    const pastJobs = this.past.knownFor(port);
    const numbers = queues.map(({ job }) => job);
    const never = this.whyNever(moment, numbers);
    // To wait for what never starts would take each future to its end.
    const able = numbers.filter((job) => !never.has(job));
    const waits = this.ahead(moment, numbers, milliseconds, {
      until: able.filter((job) => !held.has(job)),
      further: able.filter((job) => held.has(job)),
    });
    const futures = numbers.length === 0 ? 0 : waits.get(numbers[0]!)!.length;
    const withRoom = startingAtOnce(moment, able);
    const extrapolation = new Extrapolation(queues, waits);
    const correct = this.corrector(instant);
    const earliest = new EarliestStarts(moment, farm);
    const forecasts = new Map<number, Forecast>();
    const told: Told[] = [];
    const correctedOf = new Map<number, readonly number[]>();
    const { jobs } = port.view;
    const limitNames = namesOfLimits(farm, this.shadow.requirements);
    const unknown = numbers.filter((job) => !this.open.has(job)).length;
    const each = Math.max(1, Math.ceil(unknown / MOST_TOLD));
    for (const { job, handle, jobsAhead, coreSecondsAhead } of queues) {
      const { cores, memory, gpu, licences = 0 } = jobs.requestOf(handle);
      const holds = held.get(job);
      const facts = {
        pool: poolName(farm, jobs.poolOf(handle)),
        futures,
        isCutShort: extrapolation.isCutShort(job),
        hasRoom: withRoom.has(job),
        pastJobs,
        jobsAhead,
        coreHoursAhead: Math.round(coreSecondsAhead / 36) / 100,
        cores: cores / 1000,
        memoryMiB: memory,
        gpus: gpu / 1000,
        licences: licencesText(this.shadow.requirements.licences.of(licences)),
        // What others have now does not matter to one that may not start yet.
        limits: holds === undefined ? limitsText(port, handle, limitNames) : [],
        assumed: assumedText(holds ?? null),
      };
      const why = never.get(job);
      if (why !== undefined) {
        // What was told before somebody held what it waits for says nothing of how well forecasts come true.
        if (holds !== undefined) this.withdraw(job);
        forecasts.set(
          job,
          neverStarts(why, instant.unixSeconds, {
            ...facts,
            futures: 0,
            isCutShort: false,
            hasRoom: false,
          }),
        );
        continue;
      }
      const raw = quantilesOf(extrapolation.of(job));
      const least = earliest.leastWaitOf(job);
      const others = (holds?.after ?? []).flatMap((other) => {
        const quantiles = correctedOf.get(other);
        return quantiles === undefined ? [] : [quantiles];
      });
      const corrected = afterOthers(correctedAfter(least, raw, correct), others);
      correctedOf.set(job, corrected);
      forecasts.set(job, forecastOf(corrected, instant.unixSeconds, { ...facts, never: null }));
      // How long it waits where that is known says nothing of how well forecasts come true.
      if (least === 0 && !this.open.has(job) && job % each === 0 && raw[MEDIAN]! < Infinity)
        told.push({ job, at: instant.unixSeconds, raw, told: corrected });
    }
    for (const each of told) this.open.set(each.job, each);
    this.kept.write(forecasts, { told, over: this.over, withdrawn: this.withdrawn });
    this.over = [];
    this.withdrawn = [];
    return futures;
  }

  /** When a job would start that is not submitted. */
  wouldStart(request: JobRequest, user: string, instant: Instant, milliseconds: number): StartForecast {
    const moment = this.momentAt(instant);
    const { shadow, past } = this;
    const { farm } = shadow;
    // Its requirement or licences may be new to the farm: they get numbers here that the farm may later give to others.
    const requirements = storedRequirements(this.connection);
    const asked = asking(farm)(request, requirements.numbersOf(request, user));
    const copy = shadow.copy(requirements);
    const job = moment.nextNumber;
    const nothingYet = {
      pool: null,
      futures: 0,
      isCutShort: false,
      hasRoom: false,
      pastJobs: past.knownFor(shadow.port),
      jobsAhead: 0,
      coreHoursAhead: 0,
      cores: request.cores,
      memoryMiB: request.memoryMiB,
      gpus: request.gpus,
      licences: request.licences,
      limits: [],
      assumed: "",
    };
    const answer = copy.apply({ type: "submitted", at: moment.now, job, request: asked });
    if (answer.answer === "rejected") {
      const names = {
        requirements: requirements.expressions.all,
        licences: licenceNames(farm.pools, requirements.licences),
        farm,
        ...namesOfLimits(farm, requirements),
      };
      const why = rejectionText(answer.reason, names);
      return shown(neverStarts(why, instant.unixSeconds, nothingYet));
    }
    // As its virtual pool chooses with the pools as they are; it has none where it waits there.
    const own = heldAs(this.connection, job, request, {
      unixSeconds: instant.unixSeconds,
      offsetSeconds: this.offsetSeconds,
    });
    const facts = {
      ...nothingYet,
      assumed: assumedText(own),
      pool: poolName(farm, copy.view.jobs.poolOf(copy.handleOf(job))),
    };
    const traits = traitsOf(user, request.name, request.timeSeconds);
    if (own !== null) copy.apply({ type: "held", at: moment.now, job });
    const arrivals = new Map(moment.arrivals);
    for (const decision of answer.decisions)
      if (decision.type === "MOVE") arrivals.set(decision.job, moment.now + decision.seconds);
    const withIt: LiveMoment = {
      ...moment,
      port: copy,
      arrivals,
      held: own === null ? moment.held : [...moment.held, own],
      nextNumber: job + 1,
      traitsOf: (each) => (each === job ? traits : past.traitsOf(each)),
    };
    const held = withIt.held.map((each) => each.job);
    const queues = inQueues(withIt, this.expecting({ job, traits }), held);
    const place = queues.find((each) => each.job === job);
    const numbers = queues.map((each) => each.job);
    const never = this.whyNever(withIt, numbers).get(job);
    if (never !== undefined) return shown(neverStarts(never, instant.unixSeconds, facts));
    // All are looked at, for the pace at which the queue goes.
    const waits = this.ahead(withIt, place === undefined ? [job] : numbers, milliseconds, { until: [job] });
    const extrapolation = new Extrapolation(queues, waits);
    const inQueue = {
      futures: waits.get(job)!.length,
      isCutShort: place !== undefined && extrapolation.isCutShort(job),
      hasRoom: startingAtOnce(withIt, [job]).has(job),
      jobsAhead: place?.jobsAhead ?? 0,
      coreHoursAhead: Math.round((place?.coreSecondsAhead ?? 0) / 36) / 100,
      limits: own === null ? limitsText(copy, copy.handleOf(job), namesOfLimits(farm, requirements)) : [],
      never: null,
    };
    const earliest = new EarliestStarts(withIt, farm);
    const correct = this.corrector(instant);
    const correctedOf = (each: number): number[] => {
      const raw = place === undefined ? waits.get(each)! : extrapolation.of(each);
      return correctedAfter(earliest.leastWaitOf(each), quantilesOf(raw), correct);
    };
    const others = (own?.after ?? []).filter((other) => waits.has(other)).map(correctedOf);
    const quantiles = afterOthers(correctedOf(job), others);
    return shown(forecastOf(quantiles, instant.unixSeconds, { ...facts, ...inQueue }));
  }

  /** All that is read is of one turn. */
  private momentAt(instant: Instant): LiveMoment {
    return this.connection.together(() => this.readMoment(instant));
  }

  private readMoment({ farmSeconds, unixSeconds }: Instant): LiveMoment {
    const { shadow, past } = this;
    this.offsetSeconds = unixSeconds - farmSeconds;
    shadow.follow();
    const held = heldJobs(this.connection, shadow.port, this.offsetSeconds);
    const { port, arrivals, twins } = shadow;
    // To suspend a job by hand is nothing that the decision engine hears of, and so no news of the shadow's.
    const now = Math.max(farmSeconds, shadow.now);
    const stood = stoodByHand(this.connection, { port, now }, this.offsetSeconds);
    return {
      port,
      now,
      runs: new Map([...shadow.runs, ...stood]),
      traitsOf: (job) => past.traitsOf(job),
      nextNumber: port.highest + 1,
      arrivals,
      held,
      arrays: limitedArrays(this.connection, held),
      twins,
    };
  }

  private whyNever(moment: Moment, jobs: readonly number[]): Map<number, string> {
    const { connection } = this;
    const nowhere = new Nowhere(moment.port, this.shadow.farm, connection);
    const behindStopped = (placed: readonly number[]) => this.behindStopped(moment, placed);
    return whyNever(moment, jobs, { connection, nowhere, behindStopped });
  }

  /** Why jobs start in no future, as long as others are suspended by hand. */
  private behindStopped(moment: Moment, jobs: readonly number[]): Map<number, string> {
    const { twins, farm } = this.shadow;
    const restsFrom = Math.max(
      moment.now,
      ...(farm.reservations ?? []).map(({ untilSeconds }) => untilSeconds),
    );
    // Each that waits is looked at once by the strategy, and may be moved to a pool where it starts.
    const restSeconds = farm.strategy === "NoRes" ? 0 : farm.waitThresholdSeconds + farm.checkSeconds;
    const spent = this.stopwatch.spent();
    return behindStopped(
      moment,
      jobs,
      { restsFrom, restSeconds },
      (job) => twins.get(job) ?? job,
      () => spent() <= STANDING_MILLISECONDS,
    );
  }

  /** @param starting those with whose start a future ends: see `Limits` */
  private ahead(
    moment: LiveMoment,
    jobs: readonly number[],
    milliseconds: number,
    starting: Pick<Limits, "until" | "further">,
  ): Map<number, number[]> {
    const spent = this.stopwatch.spent();
    const budget = { members: MEMBERS, horizonSeconds: HORIZON_SECONDS, steps: MEMBERS * STEPS };
    // Several futures that are cut off say more than one that is whole.
    const mayGoOn = (member: number, isForHeld: boolean): boolean =>
      spent() <=
      milliseconds * Math.min(1, (member + 1) / (isForHeld ? LEAST_MEMBERS_OF_HELD : LEAST_MEMBERS));
    const like = likeThePast(moment, this.past, SEED);
    const ofFailures = forFailures(moment.held);
    const possible: Possible = {
      // When they would start is wanted, and that others mostly find their room free.
      runSeconds: (job, elapsed, member) =>
        ofFailures.has(job) ? elapsed : like.runSeconds(job, elapsed, member),
      coming: like.coming,
    };
    return runAhead(moment, jobs, possible, budget, { ...starting, mayGoOn });
  }

  private corrector({ unixSeconds }: Instant): (forecast: readonly number[]) => number[] {
    const waiting = Array.from(this.open.values(), (told) => ({
      forecast: told.raw,
      waitSeconds: unixSeconds - told.at,
      batch: this.batchOf(told),
    }));
    return this.calibration.corrector(waiting, CALIBRATION_STEP);
  }

  /** How long a job is expected to run. Many are of the same user, name and limit. */
  private expecting(own?: { readonly job: number; readonly traits: JobTraits }): (job: number) => number {
    const { runTimes } = this.past;
    const known = new Map<string, number>();
    return (job) => {
      const traits = job === own?.job ? own.traits : this.past.traitsOf(job);
      const key = `${traits.user} ${traits.name} ${traits.requestedSeconds}`;
      const seconds = known.get(key) ?? expectedSeconds(runTimes, traits, 0);
      known.set(key, seconds);
      return seconds;
    };
  }

  /** What the service before has told, and what came of it. */
  private restore(): void {
    for (const each of this.kept.over())
      this.calibration.learn(each.raw, each.waitedSeconds, each.told, this.batchOf(each));
    for (const told of this.kept.open()) {
      const row = this.connection.get("SELECT state, started_at FROM job WHERE number = ?", told.job);
      this.open.set(told.job, told);
      const startedAt = row?.["started_at"];
      if (typeof startedAt === "number") this.cameTrue(told.job, startedAt);
      else if (row?.["state"] !== "waiting") this.withdraw(told.job);
    }
  }

  private cameTrue(job: number, unixSeconds: number): void {
    const told = this.open.get(job);
    if (told === undefined) return;
    const waitedSeconds = Math.max(0, unixSeconds - told.at);
    this.open.delete(job);
    this.over.push({ job, waitedSeconds });
    this.calibration.learn(told.raw, waitedSeconds, told.told, this.batchOf(told));
  }

  private batchOf({ job, at }: Told): number {
    return batchOf(this.past.traitsOf(job).user, at);
  }

  private withdraw(job: number): void {
    if (this.open.delete(job)) this.withdrawn.push(job);
  }
}
