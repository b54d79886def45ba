import { Jobs, type JobRequest } from "../jobs/jobs.ts";
import { Placements } from "../jobs/placements.ts";
import { MachineState, type Capacities } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { MachineView } from "../machines/machine-view.ts";
import { Indexes, type Grain } from "../matching/indexes.ts";
import { scanFinder } from "../matching/scan.ts";
import { familyChoosers, type Finders } from "../packing/choosers.ts";
import { Packing } from "../packing/packing.ts";
import { PackedReservations } from "../packing/reservations.ts";
import type { PackingSettings } from "../packing/settings.ts";
import { ArrivalQueue } from "../queue/arrival-queue.ts";
import { FairShareQueue } from "../queue/fair-share-queue.ts";
import type { ShareTree } from "../queue/share-tree.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import { checkEligible, type Ineligible } from "./eligibility.ts";
import type { PassLimits } from "./matching-pass.ts";
import { Placer, type Chooser } from "./placer.ts";
import { Plan } from "./plan.ts";
import type { Policy, PolicyContext, PolicyKind } from "./policy.ts";
import { Reservations, type LeastFree } from "./reservations.ts";

export interface PoolSettings {
  readonly capacities: Capacities;
  readonly policy: PolicyKind;
  readonly heuristic: Heuristic;
  /** The largest amounts that divide every capacity and request: see `commonGrain`. */
  readonly grain: Grain;
  /** Heuristics that jobs can name, by the number they name them with. */
  readonly named?: readonly Heuristic[];
  /** Fair share over this tree; without one, plain arrival order. */
  readonly shares?: ShareTree;
  /** Waiting jobs examined a cycle, at most; all unless told otherwise. */
  readonly examined?: number;
  /** Only the first so many jobs examined may reserve; all unless told otherwise, 0 for none. */
  readonly reserving?: number;
  /** A machine with less free takes no reservation. */
  readonly leastFree?: LeastFree;
  /** Keeps the jobs of families together; without it there are no families. */
  readonly packing?: PackingSettings;
  /** Search every machine instead of the indexes: the definition, for comparison. */
  readonly plainScan?: boolean;
}

/**
 * A physical pool: machines, the wait queue, and the policy that decides (Shai
 * 2014, section 1). Events go in, decisions come out.
 *
 * The driver reports what happened (`submit`, `finish`, `refuse`, `cancel`) and
 * calls `cycle` when it is time; the jobs to start are then in `started`, their
 * machines in `placements`. The pool holds no clock and waits for nothing; a
 * simulation and a live farm drive it alike.
 */
export class Pool {
  readonly machines: MachineState;
  readonly jobs = new Jobs();
  readonly placements = new Placements();
  /** Jobs that the last cycle decided to start: the first `startedCount`. */
  started = new Int32Array(1024);
  startedCount = 0;
  readonly policy: Policy;
  /** Where the jobs of each family are; null without packing. */
  readonly packing: Packing | null;
  private readonly grain: Grain;
  private readonly queue: WaitQueue;
  private readonly plan = new Plan();

  constructor(settings: PoolSettings) {
    const machines = new MachineState(settings.capacities);
    this.machines = machines;
    this.grain = settings.grain;
    this.queue =
      settings.shares === undefined
        ? new ArrivalQueue(this.jobs)
        : new FairShareQueue(this.jobs, settings.shares);
    // The indexes know cores and memory; a third resource takes the plain scan.
    const isIndexed = settings.plainScan !== true && !machines.considersGpu;
    const findersOver = (view: MachineView): Finders => {
      const indexes = new Indexes(view, settings.grain);
      return (heuristic) =>
        (isIndexed ? heuristic.index?.(indexes) : undefined) ?? scanFinder(heuristic, view);
    };
    const packing =
      settings.packing === undefined ? null : new Packing(machines, this.jobs, settings.packing);
    this.packing = packing;
    const finders = findersOver(machines);
    const chooser =
      packing === null
        ? (heuristic: Heuristic): Chooser => ({
            find: finders(heuristic),
            keepsChoice: heuristic.keepsChoice,
          })
        : familyChoosers(packing, findersOver);
    const limits: PassLimits = {
      examined: settings.examined ?? Infinity,
      reserving: settings.reserving ?? Infinity,
    };
    const leastFree = settings.leastFree ?? { cores: 0, memory: 0 };
    const context: PolicyContext = {
      machines,
      jobs: this.jobs,
      placements: this.placements,
      queue: this.queue,
      grain: settings.grain,
      placer: new Placer(machines, this.jobs, (settings.named ?? []).map(chooser), packing),
      reservations:
        packing === null
          ? new Reservations(machines, this.jobs, leastFree)
          : new PackedReservations(machines, this.jobs, packing, leastFree),
      limits,
      chooser,
    };
    this.policy = settings.policy.create(context, settings.heuristic);
  }

  get waiting(): number {
    return this.queue.length;
  }

  isPacked(): this is this & { readonly packing: Packing } {
    return this.packing !== null;
  }

  /** When a cycle may decide otherwise though nothing was submitted or finished; Infinity: never. */
  get nextChange(): number {
    return this.packing?.nextExpiry ?? Infinity;
  }

  /** Why no machine of this pool could ever hold the job, or null where one could. */
  ineligible(request: JobRequest): Ineligible | null {
    return checkEligible(this.machines, request);
  }

  /**
   * A job joins the queue. The caller has checked that it is eligible. Returns its handle.
   *
   * @throws RangeError where the pool's grain does not divide the request: its indexes would go wrong in silence
   */
  submit(request: JobRequest): number {
    const { cores, memory } = this.grain;
    if (request.cores % cores !== 0 || request.memory % memory !== 0) {
      throw new RangeError(
        `${request.cores} thousandths of a core and ${request.memory} MiB are no multiples of the grain, ${cores} and ${memory}`,
      );
    }
    const job = this.jobs.add(request);
    this.wait(job);
    return job;
  }

  /** Runs a scheduling cycle; what it decided is in `started`. */
  cycle(now: number): void {
    const { plan, jobs } = this;
    this.startedCount = 0;
    plan.clear();
    this.packing?.begin(now);
    this.policy.cycle(now, plan);
    for (let start = 0; start < plan.length;) {
      const job = plan.job[start];
      let end = start + 1;
      while (end < plan.length && plan.job[end] === job) end++;
      // From the last to the first, so that the chain reads in the order of placement.
      let placement = NONE;
      for (let entry = end - 1; entry >= start; entry--) {
        placement = this.placements.add(plan.machine[entry], plan.tasks[entry], placement);
        this.packing?.start(job, plan.machine[entry], now);
      }
      start = end;
      jobs.placement[job] = placement;
      this.leaveQueue(job);
      this.queue.started(job);
      if (this.startedCount === this.started.length) {
        const wider = new Int32Array(this.startedCount * 2);
        wider.set(this.started);
        this.started = wider;
      }
      this.started[this.startedCount++] = job;
    }
  }

  /** A running job has ended, well or not: its resources are free and its handle is void. */
  finish(job: number): void {
    this.release(job);
    this.jobs.remove(job);
  }

  /** A job that was to start could not: it gives its machines back and waits again, in its turn. */
  refuse(job: number): void {
    this.release(job);
    this.wait(job);
  }

  /** A waiting job leaves: its handle is void. */
  cancel(job: number): void {
    this.leaveQueue(job);
    this.jobs.remove(job);
  }

  private wait(job: number): void {
    this.queue.add(job);
    this.jobs.kinds.wait(this.jobs.kind[job]);
  }

  private leaveQueue(job: number): void {
    this.queue.remove(job);
    this.jobs.kinds.leave(this.jobs.kind[job]);
  }

  private release(job: number): void {
    const { machines, jobs, placements } = this;
    this.policy.finished?.(job);
    this.queue.finished(job);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.remove(entry)) {
      machines.give(
        placements.machine[entry],
        jobs.cores[job],
        jobs.memory[job],
        jobs.gpu[job],
        placements.tasks[entry],
      );
      this.packing?.leave(job, placements.machine[entry], placements.tasks[entry]);
    }
    jobs.placement[job] = NONE;
  }
}
