import { lengthened } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext, PolicyState } from "../../pool/policy.ts";
import type { Chooser } from "../../pool/search.ts";
import { delayNames, LATE_CYCLE, MACHINE_LOST, NOT_DELAYED, REFUSED } from "./delays.ts";
import { Displacing } from "./displacing.ts";
import { Frees } from "./frees.ts";
import { FamilyTimes } from "./family-times.ts";
import type { GivenBack } from "./given-back.ts";
import { MachinePlans } from "./machine-plans.ts";
import { Moves } from "./moves.ts";
import { Placing } from "./placing.ts";
import { Promises } from "./promises.ts";
import { RequestGroups } from "./request-groups.ts";
import { isAmount, isAnything, isBelow, isSeconds, savedColumn } from "./saved-columns.ts";

/**
 * How long a job without an estimate is thought to run: longer than any other, so that jobs with an estimate may pass
 * those that wait for its end. The jobs' numbers of arrival are added, so that none that came later ends at the time
 * that a waiting job is promised.
 */
const UNKNOWN_SECONDS = 2 ** 40;
/** A promise this far ahead waits for a job whose end is not known. */
const UNKNOWN_TIME = 2 ** 39;
/** A job estimated at nothing holds its machines for this long. */
export const LEAST_SECONDS = 1;
/**
 * Less than this is nothing. A live farm counts in seconds since 1970, where numbers are 2.4e-7 apart: what ends sooner
 * ends at the instant at which it starts. Users ask for it (a limit of 1e-9 s), and suspensions leave such rests.
 */
const NOTHING_SECONDS = 0.001;

/**
 * The planner of promises: it places jobs at the earliest time at which they fit beside all that runs and is promised,
 * on every machine and in the licences of the pool, and keeps these promises.
 *
 * Conservative backfilling after Mu'alem and Feitelson 2001: when something is freed early, waiting jobs are taken out
 * and placed again in the order of the queue, and move only to an earlier time. So without failures and overruns no job
 * starts later than it was first promised.
 */
export class Planner {
  readonly promises: Promises;
  readonly plans: MachinePlans;
  /** What jobs that have stopped since the last pass left unused, in order: the plans still count it. */
  readonly givenBack: GivenBack[] = [];
  private readonly context: PolicyContext;
  private readonly jobs: Jobs;
  private readonly chooser: Chooser;
  private readonly placing: Placing;
  private readonly groups: RequestGroups;
  private readonly displacing: Displacing;
  private readonly frees = new Frees();
  /** By group: the last time that was found for a job of it, and how much had been freed by then. */
  private groupFound = new Float64Array(0);
  private groupFrees = new Float64Array(0);
  readonly moves: Moves;
  private reservationChanges = 0;
  /** The changes of the bookings that promises have followed. */
  private bookingChanges = 0;

  constructor(context: PolicyContext, chooser: Chooser) {
    const { jobs, packing } = context;
    this.context = context;
    this.jobs = jobs;
    this.chooser = chooser;
    this.plans = new MachinePlans(context);
    this.promises = new Promises(jobs);
    const families = packing?.isExclusive === true ? new FamilyTimes(packing, jobs, this.promises) : null;
    this.placing = new Placing(context, this.plans, families);
    this.groups = new RequestGroups(jobs);
    this.displacing = new Displacing(this, jobs);
    this.moves = new Moves(this, context, this.placing, this.groups, this.frees);
  }

  get now(): number {
    return this.plans.now;
  }

  /** Counts up with everything that is freed of what was planned, and with every promise taken back. */
  get freeCount(): number {
    return this.frees.count;
  }

  /** How long a job is thought to run. */
  secondsOf(job: number): number {
    const seconds = this.jobs.estimateSeconds[job];
    if (seconds === Infinity) return UNKNOWN_SECONDS + this.jobs.arrival[job];
    return seconds > NOTHING_SECONDS ? seconds : LEAST_SECONDS;
  }

  /** The first time that a job was promised; NaN if there is none, or if it has only waited for an end not known. */
  firstKnown(job: number): number {
    const { first } = this.promises;
    return job < first.length ? first[job] : NaN;
  }

  /** A time that was promised; null if it depends on a job whose end is not known. */
  knownTime(time: number): number | null {
    return time < this.now + UNKNOWN_TIME ? time : null;
  }

  /** Starts a pass. */
  begin(now: number): void {
    const { plans, promises, context } = this;
    plans.now = now;
    this.frees.forget(now);
    promises.makeRoom(context.machines.count);
    this.moves.makeRoom();
    this.followMachines();
    plans.followOwing();
    const changes = context.packing?.reservationChanges ?? 0;
    if (changes !== this.reservationChanges) this.moves.freedLicences(Infinity);
    this.reservationChanges = changes;
    if (plans.shortMachines.length > 0) this.makeGood(plans.shortMachines, MACHINE_LOST);
    const { bookings } = context;
    if (bookings === null || bookings.changes === this.bookingChanges) return;
    this.bookingChanges = bookings.changes;
    this.moves.freedLicences(Infinity);
    this.followBookings();
  }

  /** Places those jobs again whose machines are booked for others before they would end. */
  private followBookings(): void {
    const { promises, placing, jobs } = this;
    const kept: number[] = [];
    promises.visitAll((job) => {
      const start = Math.max(promises.start[job], this.now);
      const isOpen = (machine: number): boolean =>
        placing.opensAt(jobs.kind[job], machine, promises.seconds[job], start) === start;
      if (!this.placesOf(job).machine.every(isOpen)) kept.push(job);
    });
    this.displacing.placeAgain(
      kept.map((job) => this.displacing.displace(job)),
      REFUSED,
    );
  }

  /**
   * A job waits, and has no promise.
   *
   * @param isUndone whether it had started, and that was undone: its first promise stands
   */
  waits(job: number, isUndone: boolean): void {
    this.promises.makeRoom(0);
    this.moves.makeRoom();
    if (!isUndone) this.promises.clear(job);
    const group = this.groups.add(job, this.secondsOf(job));
    if (group >= this.groupFound.length) {
      this.groupFound = lengthened(this.groupFound, this.groups.capacity);
      this.groupFrees = lengthened(this.groupFrees, this.groups.capacity);
    }
    if (this.groups.isNew(group)) this.groupFound[group] = -Infinity;
  }

  /** A job stops waiting. */
  leaves(job: number): void {
    this.groups.remove(job);
    if (!this.promises.has(job)) return;
    this.withdraw(job);
    this.moves.mayMove = true;
  }

  /** Promises a job the earliest time at which it fits. It ranks behind all that have been promised one. */
  promise(job: number, rank: number, from = this.now): void {
    this.promises.rank[job] = rank;
    this.place(job, from);
  }

  /** The machines that a job is promised, and how many of its tasks are to go to each. */
  placesOf(job: number): { machine: number[]; tasks: number[] } {
    const { places } = this.promises;
    const machine: number[] = [];
    const tasks: number[] = [];
    for (let entry = this.promises.firstPlace(job); entry !== NONE; entry = places.after(entry)) {
      machine.unshift(places.machineOf(entry));
      tasks.unshift(places.tasksOf(entry));
    }
    return { machine, tasks };
  }

  /**
   * The promises whose time passed without a pass begin now, so the jobs hold their machines for longer: what is planned
   * behind them makes room before anything else is promised there.
   */
  followLate(): void {
    const { promises, now } = this;
    const short: number[] = [];
    for (const job of promises.due(now)) {
      if (promises.start[job] < now) {
        this.changeAll(job, -1);
        promises.start[job] = now;
        this.changeAll(job, 1);
        short.push(...this.placesOf(job).machine);
        if (promises.delay[job] === NOT_DELAYED) promises.delay[job] = LATE_CYCLE;
      }
      promises.add(job, now, promises.seconds[job]);
    }
    if (short.length > 0) this.makeGood(short, LATE_CYCLE);
  }

  /** A job starts on the machines that were found for it. A promise of another time or place ends. */
  startOn(job: number, { machine, tasks }: Placing): void {
    const { now, plans, jobs } = this;
    if (this.promises.has(job)) this.withdraw(job);
    const until = now + this.secondsOf(job);
    machine.forEach((number, i) => {
      const n = tasks[i];
      plans.take(number, now, until, jobs.coresOf(job) * n, jobs.memoryOf(job) * n, jobs.gpuOf(job) * n);
    });
    plans.takeLicences(jobs.kinds.licences[jobs.kind[job]], now, until, 1);
  }

  /** After `startsNow`: for how many of the job's tasks there is room now, whatever becomes of promises. */
  get roomNow(): number {
    return this.placing.roomNow;
  }

  followMachines(): void {
    if (this.plans.followMachines()) this.moves.freedLicences(Infinity);
  }

  /** Takes back a job's promise. */
  withdraw(job: number): void {
    this.changeAll(job, -1);
    this.free(job);
    this.promises.remove(job);
  }

  /** Finds machines on which a job fits from now on for as long as it is to run; null if there are none. */
  startsNow(job: number): Placing | null {
    const seconds = this.secondsOf(job);
    const { plans, now, placing } = this;
    const { kind, kinds } = this.jobs;
    placing.roomNow = Infinity;
    if (!placing.mayFitNow(job, seconds)) return null;
    if (plans.licencesFrom(kinds.licences[kind[job]], seconds, now, now + LEAST_SECONDS) !== now) return null;
    return placing.choose(job, seconds, now, this.chooserOf(job)) ? placing : null;
  }

  /** More is planned on these machines, or of licences, than there is. */
  makeGood(machines: number[], delay: number): void {
    this.displacing.makeGood(machines, delay);
  }

  /**
   * A job cannot start on the machines that it was promised. It is placed again; if that would be at once, it holds no
   * promise until something changes.
   */
  refuse(job: number, delay: number): void {
    const { promises } = this;
    this.displacing.placeAgain([this.displacing.displace(job)], delay);
    if (promises.start[job] > this.now) return;
    this.withdraw(job);
    promises.add(job, Infinity, this.secondsOf(job));
    promises.delay[job] = delay;
  }

  /** Takes a running job's machines until its expected end, or with `sign` -1 gives them back. */
  takeRunning(job: number, from: number, until: number, sign: number): void {
    const { jobs, plans } = this;
    const { placements } = this.context;
    const cores = sign * jobs.coresOf(job);
    const memory = sign * jobs.memoryOf(job);
    const gpu = sign * jobs.gpuOf(job);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      const n = placements.tasksOf(entry);
      plans.take(placements.machineOf(entry), from, until, cores * n, memory * n, gpu * n);
    }
    plans.takeLicences(jobs.kinds.licences[jobs.kind[job]], from, until, sign);
  }

  /** For a snapshot: the promises, and what may still be moved into. What is learned of groups only saves time. */
  save(placeOf: (job: number) => number): PolicyState {
    const { promises, frees } = this;
    const jobs: number[] = [];
    for (let job = 0; job < promises.start.length; job++) if (promises.has(job)) jobs.push(job);
    jobs.sort((a, b) => placeOf(a) - placeOf(b));
    const held: number[] = [];
    const placed: number[] = [];
    for (const job of jobs) {
      held.push(placeOf(job), promises.start[job], promises.seconds[job], promises.first[job]);
      held.push(promises.delay[job], promises.rank[job], this.moves.lookedAtOf(job));
      const { machine, tasks } = this.placesOf(job);
      machine.forEach((number, i) => placed.push(placeOf(job), number, tasks[i]));
    }
    const { moves, plans, context } = this;
    const areFamiliesBehind = this.reservationChanges !== (context.packing?.reservationChanges ?? 0);
    const { bookings } = context;
    const areBookingsBehind = bookings !== null && this.bookingChanges !== bookings.changes;
    const { freed, flags } = moves.save();
    return {
      held: Float64Array.from(held),
      placed: Float64Array.from(placed),
      freed: Float64Array.from(freed),
      frees: Float64Array.from(frees.saved),
      flags: Float64Array.of(...flags, Number(plans.isBehind), Number(areFamiliesBehind)),
      ...(bookings === null ? {} : { bookings: Float64Array.of(Number(areBookingsBehind)) }),
    };
  }

  /** @throws RangeError where the state is damaged */
  load(state: PolicyState): void {
    const { promises, frees, context } = this;
    this.begin(this.now);
    const isJob = isBelow(context.jobs.count);
    const isMachine = isBelow(context.machines.count);
    const isDelay = isBelow(delayNames.length);
    const held = savedColumn(state, "held", [
      isJob,
      isSeconds,
      isSeconds,
      isAnything,
      isDelay,
      isAmount,
      isAmount,
    ]);
    const placed = savedColumn(state, "placed", [isJob, isMachine, isAmount]);
    const freed = savedColumn(state, "freed", [isMachine]);
    const lookedAt = new Map<number, number>();
    for (let i = 0; i < held.length; i += 7) {
      const job = held[i];
      promises.first[job] = held[i + 3];
      promises.delay[job] = held[i + 4];
      promises.rank[job] = held[i + 5];
      lookedAt.set(job, held[i + 6]);
      promises.add(job, held[i + 1], held[i + 2]);
    }
    for (let i = 0; i < placed.length; i += 3) promises.addPlace(placed[i], placed[i + 1], placed[i + 2]);
    for (let i = 0; i < held.length; i += 7) this.changeAll(held[i], 1);
    frees.saved = Array.from(savedColumn(state, "frees", [isSeconds]));
    const flags = savedColumn(state, "flags", [isSeconds], 6);
    this.moves.load(freed, Array.from(flags.subarray(0, 4)), lookedAt);
    const [isBehind, areFamiliesBehind] = flags.subarray(4);
    this.plans.fallBehind(isBehind === 1);
    this.reservationChanges = areFamiliesBehind === 1 ? NONE : (context.packing?.reservationChanges ?? 0);
    const areBookingsBehind =
      state["bookings"] === undefined || savedColumn(state, "bookings", [isSeconds], 1)[0] === 1;
    this.bookingChanges = areBookingsBehind ? NONE : (context.bookings?.changes ?? 0);
  }

  /** Promises a job the earliest time from `from` on at which it fits; no time, if it fits at none. */
  place(job: number, from = this.now): void {
    const { frees, placing, groupFound, groupFrees } = this;
    const seconds = this.secondsOf(job);
    const group = this.groups.groupOf(job);
    let time = Infinity;
    // Before the time found for the last job of its group it fits only where something was freed since.
    const known = from === this.now ? groupFound[group] : from;
    if (known > from) {
      const limit = Math.min(known, frees.latestSince(groupFrees[group]));
      time = placing.earliest(job, seconds, from, limit);
    }
    if (time === Infinity) time = placing.earliest(job, seconds, Math.max(from, known), Infinity);
    if (from === this.now) {
      groupFound[group] = time;
      groupFrees[group] = frees.count;
    }
    this.put(job, seconds, time);
  }

  /** Promises a job a time at which it fits. */
  private put(job: number, seconds: number, time: number): void {
    const { promises, placing, now } = this;
    this.moves.looked(job);
    if (time === Infinity) {
      promises.add(job, Infinity, seconds);
      return;
    }
    if (!placing.choose(job, seconds, time, this.chooserOf(job))) {
      if (time > now) throw new Error(`a job that fits at ${time} finds no machines`);
      // The machines hold more now than is planned, such as the memory of suspended jobs.
      this.place(job, now + LEAST_SECONDS);
      return;
    }
    promises.add(job, time, seconds);
    if (Number.isNaN(promises.first[job]) && this.knownTime(time) !== null) promises.first[job] = time;
    placing.machine.forEach((machine, i) => promises.addPlace(job, machine, placing.tasks[i]));
    this.changeAll(job, 1);
  }

  /** Places a promised job again if it fits earlier than it was promised. */
  moveTo(job: number, from: number, limit: number): boolean {
    const { promises, placing } = this;
    this.changeAll(job, -1);
    const seconds = promises.seconds[job];
    const time = placing.earliest(job, seconds, from, limit);
    if (time === Infinity) {
      this.changeAll(job, 1);
      return false;
    }
    this.free(job);
    promises.remove(job);
    this.put(job, seconds, time);
    return true;
  }

  /** Takes what a job is promised out of the plans, or with `sign` -1 gives it back. */
  private changeAll(job: number, sign: number): void {
    const { promises, jobs, plans } = this;
    const { places } = promises;
    const from = promises.start[job];
    if (from === Infinity) return;
    const until = from + promises.seconds[job];
    const cores = sign * jobs.coresOf(job);
    const memory = sign * jobs.memoryOf(job);
    const gpu = sign * jobs.gpuOf(job);
    for (let entry = promises.firstPlace(job); entry !== NONE; entry = places.after(entry)) {
      const n = places.tasksOf(entry);
      plans.take(places.machineOf(entry), from, until, cores * n, memory * n, gpu * n);
    }
    plans.takeLicences(jobs.kinds.licences[jobs.kind[job]], from, until, sign);
  }

  /** Notes what a job's promise gives back. */
  private free(job: number): void {
    const { places, start, seconds } = this.promises;
    const until = start[job] + seconds[job];
    for (let entry = this.promises.firstPlace(job); entry !== NONE; entry = places.after(entry))
      this.moves.freedOn(places.machineOf(entry), until);
    if (this.jobs.kinds.licences[this.jobs.kind[job]] !== 0) this.moves.freedLicences(until);
  }

  private chooserOf(job: number): Chooser {
    return this.context.placer.chooserOf(job, this.chooser);
  }
}
