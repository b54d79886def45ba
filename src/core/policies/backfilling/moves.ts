import { lengthened } from "../../arrays.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import type { Frees } from "./frees.ts";
import type { Placing } from "./placing.ts";
import type { Planner } from "./planner.ts";
import type { RequestGroups } from "./request-groups.ts";

/**
 * How many machines may be looked at for moves each time that something is freed, and how many of these looks may be
 * saved for later. Hours of an overloaded farm of thousands of machines cannot be planned again with every job that
 * ends: 5,000 jobs waited on 1,024 machines of RICC's log, and half a million ended. A farm with 300 jobs waiting for
 * 16 machines needs 5,000 looks at most.
 */
const LOOKS_EACH = 100;
const MOST_LOOKS = 200_000;

/** Moves promises to earlier times when something is freed. */
export class Moves {
  /** Whether waiting jobs are to be placed again though no job has ended. */
  mayMove = false;
  /** Whether the last round ended before all jobs were looked at. */
  isRoundCut = false;
  private readonly planner: Planner;
  private readonly context: PolicyContext;
  private readonly placing: Placing;
  private readonly groups: RequestGroups;
  private readonly frees: Frees;
  /** By job: how much had been freed when it was looked at last. */
  private lookedAt = new Float64Array(1024);
  /** Machines on which something was freed since waiting jobs were last placed again, each once. */
  private readonly freed: number[] = [];
  private isFreed = new Uint8Array(0);
  /** Whether something was freed that has no machine: a licence, or machines that a family gives back. */
  private isAnyFreed = false;
  private rounds = 0;
  private isInRound = false;
  /** The looks that rounds may still take. */
  private looksLeft = MOST_LOOKS;
  /** By group, in a round: the earliest time at which a task fits on the first so many freed machines. */
  private groupRound = new Int32Array(0);
  private groupLooked = new Int32Array(0);
  private groupTime = new Float64Array(0);

  constructor(
    planner: Planner,
    context: PolicyContext,
    placing: Placing,
    groups: RequestGroups,
    frees: Frees,
  ) {
    this.planner = planner;
    this.context = context;
    this.placing = placing;
    this.groups = groups;
    this.frees = frees;
  }

  makeRoom(): void {
    const { machines, jobs } = this.context;
    if (this.isFreed.length < machines.count) this.isFreed = lengthened(this.isFreed, machines.count);
    if (this.lookedAt.length < jobs.capacity) this.lookedAt = lengthened(this.lookedAt, jobs.capacity);
  }

  /** A job has been placed by all that was freed until now. */
  looked(job: number): void {
    this.lookedAt[job] = this.frees.count;
  }

  /** Something was freed on a machine until a time. */
  freedOn(machine: number, until: number): void {
    this.frees.add(until);
    // Within a round it is looked at again by those who have already looked.
    if (this.isFreed[machine] === 1 && !this.isInRound) return;
    this.isFreed[machine] = 1;
    this.freed.push(machine);
  }

  freedLicences(until: number): void {
    this.frees.add(until);
    this.isAnyFreed = true;
    this.mayMove = true;
  }

  /**
   * A round: places the promised jobs again, in this order, if that gives them an earlier time. What those that move leave behind
   * is looked at by the jobs before them in the next round.
   */
  round(ordered: Iterable<number>): void {
    const { planner, freed, context, frees } = this;
    const { promises, now } = planner;
    if (this.isAnyFreed)
      for (let machine = 0; machine < context.machines.count; machine++) this.freedOn(machine, Infinity);
    this.isAnyFreed = this.mayMove = false;
    const looked = freed.length;
    if (looked === 0 && promises.timeless === 0) return;
    const { looks } = this.placing;
    const most = Math.min(MOST_LOOKS, this.looksLeft + LOOKS_EACH);
    this.isRoundCut = most <= 0;
    if (this.isRoundCut) {
      this.looksLeft = most;
      return;
    }
    for (const machine of freed) this.isFreed[machine] = 0;
    this.beginRound();
    this.isInRound = true;
    // Marks the jobs that themselves are in the way of an earlier time on a freed machine.
    const isThere = new Set<number>();
    const mark = (job: number): void => void isThere.add(job);
    for (const machine of freed) promises.visitOn(machine, mark);
    for (const job of ordered) {
      if (this.placing.looks - looks > most) {
        this.isRoundCut = true;
        break;
      }
      if (!promises.has(job)) continue;
      const start = promises.start[job];
      if (start <= now) continue;
      const limit = start === Infinity ? start : Math.min(start, frees.latestSince(this.lookedAt[job]));
      this.lookedAt[job] = frees.count;
      if (limit <= now) continue;
      const isAnywhere = start === Infinity || isThere.has(job);
      const from = isAnywhere ? now : this.earliestOnFreed(job, limit);
      if (from >= limit) continue;
      const before = freed.length;
      if (!planner.moveTo(job, from, limit)) continue;
      for (let i = before; i < freed.length; i++) promises.visitOn(freed[i], mark);
    }
    this.isInRound = false;
    // The last search may have taken more: later rounds have fewer.
    this.looksLeft = most - (this.placing.looks - looks);
    // The jobs that were not looked at any more are looked at in the next round.
    const later = new Set(freed.splice(0).slice(this.isRoundCut ? 0 : looked));
    for (const machine of later) this.isFreed[machine] = 1;
    freed.push(...later);
  }

  /** For a snapshot. The flags are the looks left, and whether anything was freed, may move, and the round was cut. */
  save(): { readonly freed: readonly number[]; readonly flags: readonly number[] } {
    const { freed, looksLeft, isAnyFreed, mayMove, isRoundCut } = this;
    return { freed, flags: [looksLeft, Number(isAnyFreed), Number(mayMove), Number(isRoundCut)] };
  }

  /** How much had been freed when a job was looked at last. */
  lookedAtOf(job: number): number {
    return this.lookedAt[job];
  }

  /** @param lookedAt by job: see `lookedAtOf` */
  load(freed: Iterable<number>, flags: readonly number[], lookedAt: ReadonlyMap<number, number>): void {
    for (const [job, count] of lookedAt) this.lookedAt[job] = count;
    this.freed.length = 0;
    this.isFreed.fill(0);
    for (const machine of freed) {
      this.freed.push(machine);
      this.isFreed[machine] = 1;
    }
    this.looksLeft = flags[0];
    this.isAnyFreed = flags[1] === 1;
    this.mayMove = flags[2] === 1;
    this.isRoundCut = flags[3] === 1;
  }

  private beginRound(): void {
    this.rounds++;
    const { capacity } = this.groups;
    if (this.groupRound.length >= capacity) return;
    this.groupRound = new Int32Array(capacity);
    this.groupLooked = new Int32Array(capacity);
    this.groupTime = new Float64Array(capacity);
  }

  /** The earliest time before `limit` at which a task of the job fits on a freed machine. */
  private earliestOnFreed(job: number, limit: number): number {
    const { planner, freed, groupRound, groupLooked, groupTime, placing, rounds } = this;
    const group = this.groups.groupOf(job);
    if (groupRound[group] !== rounds) {
      groupRound[group] = rounds;
      groupLooked[group] = 0;
      groupTime[group] = Infinity;
    }
    const kind = this.context.jobs.kind[job];
    let time = groupTime[group];
    for (let i = groupLooked[group]; i < freed.length; i++)
      time = Math.min(
        time,
        placing.earliestOn(freed[i], kind, planner.promises.seconds[job], planner.now, time),
      );
    groupLooked[group] = freed.length;
    groupTime[group] = time;
    return time < limit ? time : Infinity;
  }
}
