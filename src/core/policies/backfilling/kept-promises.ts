import type { Heuristic } from "../../matching/heuristic.ts";
import { NONE } from "../../none.ts";
import { FailedRequests } from "../../pool/failed-requests.ts";
import type { Plan } from "../../pool/plan.ts";
import type { Joining, Policy, PolicyContext, PolicyState, PromiseView } from "../../pool/policy.ts";
import { CandidatesOfQueue, earliestFirst, type Candidates } from "./candidates.ts";
import { CandidatesByKind } from "./candidates-by-kind.ts";
import {
  ABOVE_LIMIT,
  countsByDelay,
  delayNames,
  delayOf,
  HIGHER_RANK,
  MACHINE_LOST,
  NOT_DELAYED,
  OVERRUN,
  REFUSED,
  RESUMED,
} from "./delays.ts";
import { KeptBySuspended } from "./kept-by-suspended.ts";
import { takeGivenBack } from "./given-back.ts";
import { LostJobs } from "./lost-jobs.ts";
import { PlannedRuns } from "./planned-runs.ts";
import { Planner } from "./planner.ts";
import { PromiseNotes } from "./promise-notes.ts";
import { RecentStarts } from "./recent-starts.ts";
import { isAmount, isBelow, isSeconds, loadCounts, savedColumn } from "./saved-columns.ts";

/** What a job that takes machines outside of passes does to promises. */
const causes: Readonly<Record<Joining, number>> = {
  started: HIGHER_RANK,
  resumed: RESUMED,
  longer: OVERRUN,
};

/**
 * Backfilling in which the first waiting jobs hold promises: a time, and a machine for each task. A promise is made
 * once, and kept: see `Planner`. The jobs behind them start whenever they fit beside all promises.
 */
export class KeptPromises implements Policy {
  readonly promised: PromiseView;
  private readonly context: PolicyContext;
  private readonly depth: number;
  private readonly planner: Planner;
  private readonly running: PlannedRuns;
  private readonly notes: PromiseNotes;
  private readonly candidates: Candidates;
  private readonly failed: FailedRequests;
  /** Waiting jobs that came since the last pass, in order. */
  private arrived: number[] = [];
  /** The jobs that this pass has started. */
  private readonly startedNow = new Set<number>();
  /** The last arrival that holds a promise, or held one. */
  private lastArrival = -Infinity;
  private ranks = 0;
  /** Whether what was learned of candidates in earlier passes may no longer hold. */
  private isStale = true;
  /** What of the limits had been given back when candidates were looked at last. */
  private limitsGiven = 0;
  /** What had been freed when candidates were looked at last: see `Planner.freeCount`. */
  private freeCount = 0;
  private readonly recent: RecentStarts;
  private readonly lost: LostJobs;
  private readonly kept: KeptBySuspended;
  /** By delay: the machines that jobs have taken outside of passes since the last one. */
  private readonly shortOn: number[][] = delayNames.map(() => []);
  /** By delay: the jobs that started later than they were first promised. */
  private readonly broken = new Float64Array(delayNames.length);

  /** @param depth how many waiting jobs hold promises */
  constructor(context: PolicyContext, heuristic: Heuristic, depth: number) {
    const { jobs, machines, queue, waitingKinds } = context;
    this.context = context;
    this.depth = depth;
    this.planner = new Planner(context, context.chooser(heuristic));
    this.notes = new PromiseNotes(context, this.planner);
    this.running = new PlannedRuns(context, this.planner);
    this.recent = new RecentStarts(jobs);
    this.lost = new LostJobs(context);
    this.kept = new KeptBySuspended(context, this.planner);
    this.failed = new FailedRequests(jobs, waitingKinds);
    const { kinds } = jobs;
    const mayFit = (kind: number): boolean =>
      kinds.cores[kind] * kinds.tasks[kind] <= machines.totalFreeCores && !this.failed.includes(kind);
    if (queue.isByArrival)
      this.candidates = new CandidatesByKind(jobs, waitingKinds, mayFit, earliestFirst(jobs));
    else this.candidates = new CandidatesOfQueue(context, mayFit, null);
    this.promised = {
      firstSeconds: (job) => this.planner.firstKnown(job),
      delayOf: (job) => delayOf(this.delayOfStarted(job)),
      broken: () => countsByDelay(this.broken),
    };
  }

  get nextChange(): number {
    return this.planner.promises.nextTime;
  }

  cycle(now: number, plan: Plan): void {
    const { planner, startedNow } = this;
    const { notes } = this.context;
    startedNow.clear();
    this.recent.begin(now);
    planner.begin(now);
    const short = this.running.followOverruns(now);
    if (short.length > 0) planner.makeGood(short, OVERRUN);
    planner.followLate();
    this.shortOn.forEach((machines, delay) => {
      if (machines.length > 0) planner.makeGood(machines, delay);
    });
    this.arrange();
    this.lost.passEnds();
    this.giveBack();
    if (notes.isAsked) notes.begin();
    while (this.startDue(plan)) if (this.depth < Infinity) this.arrange();
    if (this.depth < Infinity || planner.moves.isRoundCut) this.backfill(now, plan);
    if (notes.isAsked) this.notes.note(startedNow);
  }

  save(placeOf: (job: number) => number): PolicyState {
    const { running, shortOn, lastArrival, ranks } = this;
    return {
      ...this.planner.save(placeOf),
      ...running.save(placeOf),
      kept: this.kept.save(placeOf),
      shortOn: Float64Array.from(shortOn.flatMap((on, delay) => on.flatMap((machine) => [machine, delay]))),
      counts: Float64Array.of(lastArrival, ranks),
      broken: this.broken.slice(),
    };
  }

  /** @throws RangeError where the state is damaged */
  load(state: PolicyState): void {
    const { planner, broken } = this;
    const { machines } = this.context;
    planner.load(state);
    this.running.load(state);
    this.kept.load(state);
    this.arrived = this.arrived.filter((job) => !planner.promises.has(job));
    for (const on of this.shortOn) on.length = 0;
    const shortOn = savedColumn(state, "shortOn", [isBelow(machines.count), isBelow(delayNames.length)]);
    for (let i = 0; i < shortOn.length; i += 2) this.shortOn[shortOn[i + 1]].push(shortOn[i]);
    [this.lastArrival, this.ranks] = savedColumn(state, "counts", [isSeconds, isAmount], 1);
    loadCounts(state, "broken", broken);
  }

  waits(job: number): void {
    const isUndone = this.recent.undo(job) && !this.lost.has(job);
    if (isUndone) this.countStart(job, -1);
    this.planner.waits(job, isUndone);
    this.arrived.push(job);
    this.candidates.add?.(job);
  }

  leaves(job: number): void {
    if (this.context.jobs.placement[job] !== NONE) {
      this.countStart(job, 1);
      this.recent.add(job);
    }
    if (this.planner.promises.has(job)) this.isStale = true;
    this.planner.leaves(job);
    this.candidates.remove?.(job);
    const at = this.arrived.indexOf(job);
    if (at >= 0) this.arrived.splice(at, 1);
    // It leaves without having started: if it was the last of its kind, the kind's number may go to another request.
    if (this.context.jobs.placement[job] === NONE) this.isStale = true;
  }

  finished(job: number): void {
    const { running } = this;
    this.lost.finished(job);
    running.stops(job, running.heldBy(job));
    this.isStale = true;
  }

  suspended(job: number, keepsMemory: boolean): void {
    const { planner, running, kept } = this;
    const held = running.heldBy(job);
    const keeps = { ...held, cores: 0, ...(keepsMemory ? {} : { memory: 0, gpu: 0 }) };
    takeGivenBack(planner.plans, keeps, -1);
    running.stops(job, { ...held, licences: 0, ...(keepsMemory ? { memory: 0, gpu: 0 } : {}) });
    this.isStale = true;
    kept.add(job, keepsMemory);
    // It was in nobody's way after its expected end, and is now.
    this.shortOn[HIGHER_RANK].push(...held.machine);
  }

  suspensionEnds(job: number): void {
    const { planner, kept } = this;
    const { jobs } = this.context;
    this.lost.finished(job);
    planner.moves.mayMove = this.isStale = true;
    if (!kept.has(job)) return;
    for (const machine of kept.machinesOf(job)) planner.moves.freedOn(machine, Infinity);
    if (jobs.kinds.licences[jobs.kind[job]] !== 0) planner.moves.freedLicences(Infinity);
    kept.remove(job);
  }

  joined(job: number, now: number, how: Joining): void {
    const { jobs, placements } = this.context;
    this.planner.followMachines();
    if (how === "longer") this.running.runsOn(job, now);
    else this.running.joins(job, now);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      this.shortOn[causes[how]].push(placements.machineOf(entry));
      this.planner.plans.mayBeShort(placements.machineOf(entry));
    }
  }

  /** Counts a job that starts if that is later than it was first promised; with `sign` -1 no longer. */
  private countStart(job: number, sign: number): void {
    const { promises, now } = this.planner;
    if (now > promises.first[job]) this.broken[this.delayOfStarted(job)] += sign;
  }

  private delayOfStarted(job: number): number {
    const delay = this.planner.promises.delay[job];
    // A promise that ended without another in its place made room for jobs of higher rank.
    return delay === NOT_DELAYED ? HIGHER_RANK : delay;
  }

  /** Gives promises to the first waiting jobs that have none, in the order of the queue. */
  private arrange(): void {
    const { planner, arrived, depth } = this;
    const { promises } = planner;
    const { jobs, queue, licences } = this.context;
    const { arrival } = jobs;
    // With limits any job may lose its promise, or get one, whenever others start and end.
    if (queue.isByArrival && (licences === null || licences.limits === null)) {
      arrived.sort((a, b) => arrival[a] - arrival[b]);
      const isBehind = arrived.length === 0 || arrival[arrived[0]] > this.lastArrival;
      if (isBehind && depth === Infinity) {
        for (const job of arrived) this.promise(job);
        arrived.length = 0;
        return;
      }
      if (isBehind && promises.count >= depth) {
        arrived.length = 0;
        return;
      }
    }
    arrived.length = 0;
    const ordered = this.first(depth);
    // Those keep their promises that come before all whose rank has changed, and before all without a promise.
    let place = ordered.length;
    let least = Infinity;
    for (let i = ordered.length - 1; i >= 0; i--) {
      const job = ordered[i];
      if (!promises.has(job) || promises.rank[job] > least) place = i;
      else least = promises.rank[job];
    }
    const behind = ordered.slice(place);
    const before = new Map<number, number>();
    if (promises.count > place) {
      const kept = new Set(ordered.slice(0, place));
      for (const job of this.first(Infinity, true)) {
        if (!promises.has(job) || kept.has(job)) continue;
        before.set(job, promises.start[job]);
        planner.withdraw(job);
        if (promises.delay[job] === NOT_DELAYED && this.isExcessive(job)) promises.delay[job] = ABOVE_LIMIT;
        this.isStale = planner.moves.mayMove = true;
      }
    }
    // Of jobs that lost their machines and are in their old places again none has come.
    const areLost = behind.some((job) => this.lost.has(job));
    let delay = areLost ? MACHINE_LOST : HIGHER_RANK;
    for (const job of behind) {
      if (areLost && !before.has(job) && !this.lost.has(job)) delay = HIGHER_RANK;
      this.promise(job);
      // It was above its limit for a while, and is not late for that.
      if (promises.delay[job] === ABOVE_LIMIT && promises.start[job] <= promises.first[job])
        promises.delay[job] = NOT_DELAYED;
      // It may have been late before, for another reason.
      const isLater =
        promises.delay[job] === NOT_DELAYED || promises.start[job] > (before.get(job) ?? Infinity);
      if (isLater && promises.start[job] > promises.first[job]) promises.delay[job] = delay;
    }
    // Those that hold no promise now get one again when nothing tells any more what took it.
    for (const job of before.keys())
      if (areLost && !promises.has(job) && promises.delay[job] === NOT_DELAYED) promises.delay[job] = delay;
  }

  private promise(job: number): void {
    const { arrival } = this.context.jobs;
    if (arrival[job] > this.lastArrival) this.lastArrival = arrival[job];
    this.planner.promise(job, ++this.ranks);
  }

  /**
   * The first waiting jobs in the order of the queue, without those that have just been started.
   *
   * @param withExcessive also those above their limits, which hold no promise: no time is known at which they may start
   */
  private first(count: number, withExcessive = false): number[] {
    const { queue, licences, jobs } = this.context;
    const limits = withExcessive ? null : (licences?.limits ?? null);
    const found: number[] = [];
    queue.begin();
    // The queue goes no further than the last of them: the candidates are those behind it.
    while (found.length < count) {
      const job = queue.next();
      if (job === NONE) break;
      if (this.startedNow.has(job)) queue.placed(job);
      else if (limits === null || limits.allow(jobs.kind[job])) found.push(job);
    }
    return found;
  }

  private isExcessive(job: number): boolean {
    const { licences, jobs } = this.context;
    return licences?.limits?.allow(jobs.kind[job]) === false;
  }

  /** Gives back what jobs that have ended left unused, one job after the other, and lets others move there. */
  private giveBack(): void {
    const { planner, depth } = this;
    const { now, plans, givenBack } = planner;
    for (const each of givenBack) {
      const { until, machine, licences } = each;
      takeGivenBack(plans, each, -1);
      if (until > now) for (const number of machine) planner.moves.freedOn(number, until);
      if (until > now && licences !== 0) planner.moves.freedLicences(until);
      // Also after a job that has ended when it was to: others may have moved since, and left room to those before them.
      if (planner.promises.count > 0) planner.moves.round(this.first(depth));
    }
    givenBack.length = 0;
    if (planner.moves.mayMove && planner.promises.count > 0) planner.moves.round(this.first(depth));
  }

  /** Starts the jobs whose time has come. Returns whether there were any. */
  private startDue(plan: Plan): boolean {
    const { planner, context } = this;
    const { promises, now } = planner;
    if (context.notes.isAsked) this.notes.beginPromised();
    const due = promises.due(now);
    for (const job of due) {
      // It may have been placed again since, behind one that was refused.
      if (!(promises.start[job] <= now)) continue;
      const places = planner.placesOf(job);
      if (context.notes.isAsked) this.notes.comesToPromised(job);
      if (!context.placer.placeOn(job, places.machine, places.tasks, plan)) {
        planner.refuse(job, this.isExcessive(job) ? ABOVE_LIMIT : REFUSED);
        continue;
      }
      promises.remove(job);
      this.started(job, now);
    }
    return due.length > 0;
  }

  /** A job is in the plan, and its machines are taken until its expected end. */
  private started(job: number, now: number): void {
    this.context.queue.placed(job);
    this.context.notes.starts(job);
    this.running.starts(job, now);
    this.startedNow.add(job);
  }

  /**
   * Starts jobs behind those with promises, where they fit beside all of these. If the pass could not look at all
   * promised jobs, these are candidates as well: they may start before the time promised.
   */
  private backfill(now: number, plan: Plan): void {
    const { planner, context, candidates } = this;
    const { machines, queue, placer } = context;
    const { promises } = planner;
    if (machines.totalFreeCores === 0) return;
    if (!planner.moves.isRoundCut && queue.length <= promises.count) return;
    // A promise that was put off, or a machine that came back, leaves room too.
    const given = context.licences?.limits?.given ?? 0;
    if (this.isStale || this.freeCount !== planner.freeCount || this.limitsGiven !== given)
      candidates.forget?.();
    this.limitsGiven = given;
    this.freeCount = planner.freeCount;
    this.failed.clear();
    this.isStale = false;
    const promised = this.first(planner.moves.isRoundCut ? 1 : this.depth);
    const last = promised.at(-1);
    if (last === undefined || (!planner.moves.isRoundCut && promised.length < this.depth)) return;
    candidates.begin(last, now);
    const { isAsked } = context.notes;
    if (isAsked) this.notes.beginBehind(this.startedNow, (one, other) => candidates.comesBefore(one, other));
    for (let job = candidates.next(); job !== NONE; job = candidates.next()) {
      if (isAsked) this.notes.comesTo(job);
      if (this.startedNow.has(job)) continue;
      const seconds = planner.secondsOf(job);
      const placing = planner.startsNow(job);
      if (placing !== null && placer.placeOn(job, placing.machine, placing.tasks, plan)) {
        planner.startOn(job, placing);
        this.started(job, now);
      } else if (planner.roomNow < context.jobs.tasksOf(job)) {
        this.failed.add(job, planner.roomNow);
        candidates.leaveOutKind?.();
      } else if (!placer.hasNamed) {
        // Just below its own time, so that equal jobs are left out as well.
        candidates.leaveOutLong?.(now + seconds * (1 - 2 ** -40));
      }
    }
  }
}
