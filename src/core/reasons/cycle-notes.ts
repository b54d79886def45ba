import type { Booking } from "../bookings/bookings.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Licences, LicenceShortage } from "../licences/licences.ts";
import type { LimitExcess } from "../limits/limits.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type {
  Awaited,
  GroupCounts,
  MachineCounts,
  ReasonSink,
  Shortage,
  WaitReason,
  WaitRule,
} from "./reason.ts";

/** The number of jobs that are named if there are many. */
const NAMED = 5;

/** What a job finds at its turn in a pass. */
interface Turn {
  readonly machines: MachineCounts;
  readonly licences: readonly LicenceShortage[];
  readonly limits: readonly LimitExcess[];
  /** How many jobs the pass has started by then. */
  readonly started: number;
}

/** What does not depend on the pass is looked at when somebody asks. */
type PassReason = Omit<WaitReason, "spared">;

/** The notes on one pass over a queue. */
export interface PassNotes {
  readonly reasons: Map<number, PassReason>;
  /** By job, of those whose turn was before the pass was over. */
  readonly turns: Map<number, Turn>;
  /** The jobs that it starts, in order. */
  readonly started: number[];
  /** The jobs passed by so far: the first few, and their number. */
  readonly ahead: number[];
  aheadCount: number;
  /** Why the jobs that the pass did not come to were passed by. */
  rest: WaitRule | null;
}

/** Notes on the decisions of a pool's policy, while reasons are wanted. Without a sink they cost a comparison. */
export class CycleNotes {
  /** Null if no reasons are wanted. */
  sink: ReasonSink | null = null;
  /** Whether a job waits in this pool. */
  waitsHere: (job: number) => boolean = () => true;
  /** See `WaitReason.spared`. */
  sparedFor: (job: number) => number = () => 0;
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines;
  private readonly jobs: Jobs;
  private readonly licences: Licences | null;
  /** The notes on the current pass. A policy that makes several passes sets those on the one that it uses. */
  pass: PassNotes = newPass();
  /** By job suspended in this cycle: the job that took its place. */
  private readonly causes = new Map<number, number>();

  constructor(machines: MachineState, allowed: AllowedMachines, jobs: Jobs, licences: Licences | null) {
    this.machines = machines;
    this.allowed = allowed;
    this.jobs = jobs;
    this.licences = licences;
  }

  /** Whether somebody is to be told of suspensions. */
  get isOn(): boolean {
    return this.sink !== null;
  }

  /** Whether the sink names jobs. */
  get isAsked(): boolean {
    return this.sink !== null && this.sink.jobs.size > 0;
  }

  /** A pass over the queue begins. Notes on earlier passes of this cycle are void. */
  begin(): void {
    this.pass = newPass();
  }

  /**
   * The pass has come to a job and does not start it.
   *
   * @param rule the policy's reason; null: none but what lets any job wait
   */
  passedBy(job: number, rule: WaitRule | null = null): void {
    const { ahead } = this.pass;
    if (this.sink!.jobs.has(job)) this.waitsBy(job, rule);
    if (ahead.length < NAMED) ahead.push(job);
    this.pass.aheadCount++;
  }

  /** The jobs to give reasons for that wait in this pool. */
  get asked(): number[] {
    return Array.from(this.sink?.jobs ?? []).filter(this.waitsHere);
  }

  /**
   * It is a job's turn, and the policy's reason is known later: the machines are counted as they are now. Of several
   * turns the first one counts.
   */
  comesTo(job: number): void {
    const { turns } = this.pass;
    if (this.sink!.jobs.has(job) && !turns.has(job)) turns.set(job, this.turnNow(job));
  }

  /** The pass starts a job. */
  starts(job: number): void {
    if (this.isAsked) this.pass.started.push(job);
  }

  /** Why one of these jobs waits, at its place in the pass. */
  waitsBy(job: number, rule: WaitRule | null): void {
    const turn = this.turnOf(job);
    const isReserved = rule === null && this.couldStart(job, turn);
    this.pass.reasons.set(job, this.reasonAt(turn, isReserved ? { kind: "reserved" } : rule));
  }

  /** Whether it is known why this job waits. */
  isNoted(job: number): boolean {
    return this.pass.reasons.has(job);
  }

  /** The pass is over. The rule says why the jobs wait that it did not come to. */
  passEnds(rule: WaitRule | null): void {
    this.pass.rest = rule;
  }

  /** What a job waits for that fits at no known time. */
  awaited(job: number): Awaited {
    const { machines, allowed, jobs } = this;
    const { cores, memory, gpu, requirement } = jobs.kinds.request(jobs.kind[job]);
    const set = allowed.setOf(requirement);
    let [tasks, count] = [0, 0];
    const out: number[] = [];
    for (let machine = 0; machine < machines.count; machine++) {
      if (machines.isRemoved(machine) || (set !== null && set.groups[machines.groupOf[machine]] === 0))
        continue;
      const room = machines.capacityFor(machine, cores, memory, gpu);
      if (room === 0) continue;
      if (machines.isInService(machine)) tasks += allowed.suitsKind(jobs.kind[job], machine) ? room : 0;
      else if (++count <= NAMED) out.push(machine);
    }
    return tasks >= jobs.tasksOf(job) ? { kind: "jobs" } : { kind: "machines", machines: out, count };
  }

  suspendedFor(victim: number, job: number): void {
    this.causes.set(victim, job);
  }

  /** The job that a job was suspended for in this cycle. */
  cause(victim: number): number | undefined {
    return this.causes.get(victim);
  }

  /** Why the cycle that has just ended left a job waiting. */
  reason(job: number): WaitReason {
    return { ...this.reasonOfPass(job), spared: this.sparedFor(job) };
  }

  private reasonOfPass(job: number): PassReason {
    const { reasons, rest } = this.pass;
    const known = reasons.get(job);
    if (known !== undefined) return known;
    const turn = this.turnOf(job);
    // A job without room, or without its licences, would wait under any policy.
    const isTold = rest === null || this.couldStart(job, turn) || !dependsOnRoom(rest);
    return this.reasonAt(turn, isTold ? rest : null);
  }

  cycleEnds(): void {
    this.pass = newPass();
    this.causes.clear();
  }

  private reasonAt({ machines, licences, limits, started: before }: Turn, rule: WaitRule | null): PassReason {
    const { ahead, aheadCount, started } = this.pass;
    return {
      machines,
      licences,
      limits,
      rule,
      ahead: [...ahead],
      aheadCount,
      started,
      startedBefore: before,
    };
  }

  private turnOf(job: number): Turn {
    return this.pass.turns.get(job) ?? this.turnNow(job);
  }

  private turnNow(job: number): Turn {
    return {
      machines: this.count(job),
      licences: this.shortages(job),
      limits: this.licences?.limits?.excessesOf(this.jobs.kind[job]) ?? [],
      started: this.pass.started.length,
    };
  }

  private couldStart(job: number, { machines, licences, limits }: Turn): boolean {
    return licences.length === 0 && limits.length === 0 && machines.tasksWithRoom >= this.jobs.tasksOf(job);
  }

  private shortages(job: number): LicenceShortage[] {
    return this.licences?.shortagesFor(this.jobs.kind[job]) ?? [];
  }

  private count(job: number): MachineCounts {
    const machines = this.machines;
    const allowed = this.allowed;
    const { kind, kinds } = this.jobs;
    const { cores, memory, gpu, requirement } = kinds.request(kind[job]);
    const isExcluded = this.jobs.exclusionOf(job) !== 0;
    const set = allowed.setOf(requirement);
    const unsuitable = new Map<number, number>();
    const groups = new Map<number, GroupCounts>();
    const counts = { tooSmall: 0, outOfService: 0, refusing: 0, keptForFamilies: 0, booked: 0 };
    const bookedBy = new Map<Booking, number>();
    let [tooFull, withRoom, tasksWithRoom, least] = [0, 0, 0, Infinity];
    const leastOf = new Map<GroupCounts, number>();
    let nearest: Shortage | null = null;
    const firstOutOfService: number[] = [];
    for (let machine = 0; machine < machines.count; machine++) {
      const group = machines.groupOf[machine];
      if (machines.isRemoved(machine)) continue;
      const ofGroup = groups.get(group) ?? newGroup(group, machine);
      groups.set(group, ofGroup);
      const add = (why: keyof typeof counts): void => {
        counts[why]++;
        ofGroup[why]++;
      };
      if (set !== null && set.groups[group] === 0) {
        unsuitable.set(group, (unsuitable.get(group) ?? 0) + 1);
        ofGroup.unsuitable++;
        continue;
      }
      if (!machines.couldHold(machine, cores, memory, gpu)) add("tooSmall");
      else if (!machines.isInService(machine)) {
        add("outOfService");
        if (firstOutOfService.length < NAMED) firstOutOfService.push(machine);
      } else if (isExcluded && !allowed.suitsKind(kind[job], machine)) add("refusing");
      else if (!allowed.allowsKind(kind[job], machine)) add("keptForFamilies");
      else {
        const booking = allowed.bookings?.keepingOff(job, machine);
        if (booking !== undefined) {
          add("booked");
          bookedBy.set(booking, (bookedBy.get(booking) ?? 0) + 1);
          continue;
        }
        const room = machines.roomFor(machine, cores, memory, gpu);
        if (room > 0) {
          withRoom++;
          ofGroup.withRoom++;
          tasksWithRoom += room;
          continue;
        }
        tooFull++;
        ofGroup.tooFull++;
        const lack = {
          machine,
          cores: Math.max(0, cores - machines.freeCores[machine]),
          memory: Math.max(0, memory - machines.freeMemory[machine]),
          gpu: Math.max(0, gpu - machines.freeGpu[machine]),
        };
        // The one that lacks least, as a part of what is asked for.
        const short = lack.cores / cores + lack.memory / Math.max(1, memory) + lack.gpu / Math.max(1, gpu);
        if (short < (leastOf.get(ofGroup) ?? Infinity)) {
          leastOf.set(ofGroup, short);
          ofGroup.nearest = lack;
        }
        if (short >= least) continue;
        least = short;
        nearest = lack;
      }
    }
    return {
      unsuitable,
      ...counts,
      bookedBy: [...bookedBy].sort(([a], [b]) => a.from - b.from),
      firstOutOfService,
      tooFull,
      nearest,
      withRoom,
      tasksWithRoom,
      groups: [...groups.values()],
    };
  }
}

function newGroup(group: number, first: number): GroupCounts {
  const none = { unsuitable: 0, tooSmall: 0, outOfService: 0, refusing: 0, keptForFamilies: 0 };
  return { group, first, ...none, booked: 0, tooFull: 0, nearest: null, withRoom: 0 };
}

function newPass(): PassNotes {
  return { reasons: new Map(), turns: new Map(), started: [], ahead: [], aheadCount: 0, rest: null };
}

function dependsOnRoom({ kind }: WaitRule): boolean {
  return kind === "would delay" || kind === "would delay promises" || kind === "reserved";
}
