import { Draws, type AnyEngine } from "./any-engine.fixture.ts";
import { BadDay } from "./bad-day.fixture.ts";
import { wrongInBooks } from "./books.fixture.ts";
import type { SuspendCapability } from "../engine/pool-manager.ts";
import { wrongCount } from "./recount.ts";
import { MAX_TIME_SECONDS } from "./event-checks.ts";
import { Port } from "./port.ts";
import type { Answer, EngineEvent } from "./events.ts";
import { FaultyWork, type Report } from "./faulty-work.fixture.ts";
import { nonsense, type Recorded } from "./nonsense.fixture.ts";
import { RealFarm, type RealMachine } from "./real-farm.fixture.ts";

/**
 * Drives an engine as a bad day on a live farm would: answers come late, in any order, twice or never; starts,
 * suspensions and resumptions fail; machines go down under jobs; users change their minds; events make no sense. It
 * keeps a model of what really happens (`RealFarm`), and after each event compares the engine's books with a recount.
 */
export class FaultyDriver {
  port: Port;
  /** How many events came before the reload; null: there was none. */
  reloadedAt: number | null = null;
  readonly farm: RealFarm;
  readonly journal: Recorded[] = [];
  decisions = 0;
  /** The random numbers of the engine's own moves. */
  readonly random: Draws;
  private readonly day: BadDay;
  private readonly work: FaultyWork;
  private readonly draws: Draws;
  private readonly any: AnyEngine;
  private submitted = 0;
  private bookings = 0;
  private readonly retrySeconds: number;
  /** Every machine that ever existed. */
  private readonly specs: { readonly pool: number; readonly machine: RealMachine }[] = [];
  private readonly movesJobs: boolean;

  /** @param movesJobs whether users send waiting jobs to other pools */
  constructor(any: AnyEngine, seed: number, movesJobs = false) {
    this.any = any;
    this.movesJobs = movesJobs;
    this.draws = new Draws(seed ^ 0x5eed);
    this.day = new BadDay(this.draws);
    this.random = new Draws(seed + 1);
    const settings = any.settings((below) => this.random.below(below));
    this.port = new Port(settings);
    this.farm = new RealFarm(settings);
    this.work = new FaultyWork(this.farm, this.day, (event) => this.report(event));
    this.retrySeconds = settings.faults?.retrySeconds ?? 0;
    this.farm.machines.forEach((machines, pool) => {
      for (const machine of machines) this.specs.push({ pool, machine });
    });
  }

  /** How often each fault happened. */
  get faults(): ReadonlyMap<string, number> {
    return this.day.faults;
  }

  get violations(): readonly string[] {
    return this.farm.violations;
  }

  /**
   * Lets this many things happen, then no more faults, until everything has ended.
   *
   * @param reload at which step its pools begin to suspend in other ways
   */
  run(
    steps: number,
    reload?: { readonly step: number; readonly suspend: readonly SuspendCapability[] },
  ): void {
    for (let step = 0; step < steps && this.isSound; step++) {
      if (step === reload?.step) this.reload(reload.suspend);
      this.step();
    }
    this.day.isFaulty = false;
    this.heal();
    for (let step = 0; step < steps * 40 && this.isSound && this.farm.living.length > 0; step++) {
      this.reconcile();
      if (!this.advance()) {
        this.farm.violations.push(`jobs ${this.farm.living.map(({ number }) => number).join()} never end`);
        break;
      }
    }
    if (this.isSound && this.farm.living.length > 0) this.farm.violations.push("the run does not end");
    if (this.isSound) this.checkEmpty();
  }

  private get isSound(): boolean {
    return this.farm.violations.length === 0;
  }

  private reload(suspend: readonly SuspendCapability[]): void {
    const settings = this.any.settings((below) => this.random.below(below), suspend);
    this.reloadedAt = this.journal.length;
    this.port = Port.load(settings, this.port.save());
    this.farm.settings = settings;
    for (const text of wrongInBooks(this.port)) this.farm.violations.push(`${text}, after the reload`);
  }

  private step(): void {
    const { draws } = this;
    const what = draws.below(100);
    if (what < 22) this.submit();
    else if (what < 30) this.userChangesMind();
    else if (what < 36) this.machineChanges();
    else if (what < 42) this.speakNonsense();
    else if (what < 44) this.reconcile();
    else if (!this.advance()) this.submit();
  }

  // Time.

  /** Goes to the next thing that happens; false if there is none. */
  private advance(): boolean {
    const { day } = this;
    const { next } = day;
    // A job may be expected to end after the last time that an event can have: nothing wakes it then.
    const { nextTime } = this.port;
    const due = nextTime > MAX_TIME_SECONDS ? Infinity : Math.max(day.now, nextTime);
    if (next === undefined && due === Infinity) return false;
    if (next === undefined || due < next.time) {
      day.now = due;
      this.tick();
      return true;
    }
    day.proceed(next);
    if (!day.isFaulty || this.draws.chance(0.7)) this.tick();
    return true;
  }

  private tick(): void {
    this.apply({ type: "tick", at: this.day.now });
  }

  // Events.

  apply(event: EngineEvent): Answer {
    const randomState = this.random.state;
    const before = this.freeNow();
    this.port.onCycle = (pool, now) => this.checkBookings(pool, now);
    const answer = this.port.apply(event);
    this.checkFree(event, before);
    this.journal.push({ event, answer, randomState });
    const { farm } = this;
    if (answer.answer === "taken") this.note(event);
    const ended = new Set<number>();
    if (answer.answer === "taken" && "job" in event) ended.add(event.job);
    this.decisions += answer.decisions.length;
    for (const decision of answer.decisions) {
      if (decision.type === "CANCEL" || (decision.type === "LOST" && !decision.goesOn))
        ended.add(decision.job);
      this.work.carryOut(decision);
    }
    for (const job of farm.living) {
      if (this.port.has(job.number)) continue;
      if (!ended.has(job.number) && answer.answer !== "rejected")
        farm.violations.push(`job ${job.number} is over without a word, at ${JSON.stringify(event)}`);
      if (job.real !== null) farm.violations.push(`job ${job.number} is over and runs`);
      job.isOver = true;
    }
    for (const text of [...wrongInBooks(this.port), wrongCount(this.port.view) ?? []].flat())
      farm.violations.push(`${text}, after ${JSON.stringify(event)}`);
    return answer;
  }

  private note(event: EngineEvent): void {
    const { toldDown, toldDrained } = this.farm;
    if (event.type === "changed") {
      const job = this.farm.jobs.get(event.job)!;
      const { cores = job.request.cores, memory = job.request.memory, gpu = job.request.gpu } = event;
      const { requirement = job.request.requirement ?? 0 } = event;
      job.request = { ...job.request, cores, memory, gpu, requirement };
    }
    if (event.type === "machineAdded" || event.type === "machineChanged") {
      const { coresMilli, memoryMiB, gpuMilli, group } = event;
      this.farm.setMachine(event.pool, event.machine, { coresMilli, memoryMiB, gpuMilli, group });
    }
    if (event.type === "machineAdded") {
      toldDown[event.pool][event.machine] = toldDrained[event.pool][event.machine] = false;
      this.farm.isDown[event.pool][event.machine] = false;
    }
    if (event.type === "machineRemoved") toldDown[event.pool][event.machine] = true;
    if (event.type === "startFailed" && event.fault !== "job") {
      const job = this.farm.jobs.get(event.job)!;
      const pool = this.work.lastPool.get(event.job)!;
      job.refusals.push({ pool, machine: event.machine, until: this.day.now + this.retrySeconds });
    }
    if (event.type === "machineDown") toldDown[event.pool][event.machine] = true;
    if (event.type === "machineUp") toldDown[event.pool][event.machine] = false;
    if (event.type === "machineDrained") toldDrained[event.pool][event.machine] = true;
    if (event.type === "machineUndrained") toldDrained[event.pool][event.machine] = false;
  }

  /** An answer, or the end of an attempt, reaches the engine: late, twice, or out of order. */
  private report(event: Report): void {
    const job = this.farm.jobs.get(event.job);
    const deliver = (): void => {
      if (job !== undefined) job.pending--;
      this.apply({ ...event, at: this.day.now });
    };
    const times = this.day.happens(0.08, "answered twice") ? 2 : 1;
    for (let i = 0; i < times; i++) {
      if (job !== undefined) job.pending++;
      this.day.later(this.day.isFaulty ? this.day.delay() : 0, deliver);
    }
  }

  /** By pool, by machine: what is free as far as the engine knows. */
  private freeNow(): { cores: number[]; memory: number[]; gpu: number[] }[] {
    return this.port.view.pools.map(({ machines }) => ({
      cores: [...machines.freeCores],
      memory: [...machines.freeMemory],
      gpu: [...machines.freeGpu],
    }));
  }

  /** Checks that no room is promised that does not exist. A machine that was made smaller is not the engine's fault. */
  private checkFree(event: EngineEvent, before: ReturnType<FaultyDriver["freeNow"]>): void {
    // A job that could not be suspended never gave up what it holds.
    if (event.type === "suspendFailed") return;
    this.freeNow().forEach((free, pool) => {
      for (const what of ["cores", "memory", "gpu"] as const) {
        free[what].forEach((amount, machine) => {
          const isReduced =
            event.type === "machineChanged" && event.pool === pool && event.machine === machine;
          if (amount < 0 && amount < (before[pool][what][machine] ?? 0) && !isReduced)
            this.farm.violations.push(
              `more ${what} of machine ${machine} of pool ${pool} are promised than there are, after ${JSON.stringify(event)}`,
            );
        });
      }
    });
  }

  /** Checks that a cycle lets no job go where it would run during a booking for others. */
  private checkBookings(pool: number, now: number): void {
    const { bookings } = this.port["pools"][pool].pool;
    if (bookings === null || bookings.all.length === 0) return;
    const { outcome, placed } = this.port["pools"][pool];
    const { jobs } = this.port["engineJobs"];
    for (const job of [...outcome.started, ...outcome.resumed])
      for (const { machine } of placed.placementOf(job))
        for (const { machines, from, until, people } of bookings.all) {
          const end = now + jobs.estimateSeconds[job];
          const account = jobs.kinds.account[jobs.kind[job]];
          if (
            machines.includes(machine) &&
            now < until &&
            end > from + bookings.lateSeconds &&
            (people === 0 || people !== account)
          )
            this.farm.violations.push(`job ${job} goes to machine ${machine} at ${now}, booked from ${from}`);
        }
  }

  private submit(): void {
    const number = ++this.submitted;
    const request = this.any.request(this.draws);
    this.farm.add(number, request);
    this.apply({ type: "submitted", at: this.day.now, job: number, request });
    if (this.draws.chance(0.5)) this.tick();
  }

  private userChangesMind(): void {
    const { draws, farm } = this;
    const { living } = farm;
    if (living.length === 0) return;
    const job = draws.of(living).number;
    const type = this.movesJobs
      ? draws.of(["changed", "changed", "held", "released"] as const)
      : draws.of(["held", "released", "released", "cancelled", "changed", "asked"] as const);
    this.day.fault(`job ${type}`);
    const at = this.day.now;
    if (type === "changed") {
      const priority = this.any.request(draws).priority;
      const more = this.movesJobs ? this.place() : {};
      const { cores, memory, gpu, requirement = 0 } = this.any.request(draws);
      const size = draws.of([{}, {}, { cores, memory, gpu }, { memory }, { gpu, requirement }]);
      this.apply({ type, at, job, priority, estimateSeconds: draws.of([5, 50, 500]), ...size, ...more });
    } else if (type === "asked" && job % 2 === 0) {
      const { attempt } = this.farm.jobs.get(job)!;
      // No draw: the seeds that are known to have found faults still do the same.
      this.apply({ type: "spared", at, job, attempt, until: at + [-1, 20, 1e9][job % 3] });
    } else this.apply({ type, at, job });
  }

  /** Where some other job may go. */
  private place(): { virtualPool: number; candidates: number } {
    const { virtualPool, candidates } = this.any.request(this.draws);
    return { virtualPool, candidates };
  }

  private machineChanges(): void {
    const { draws, farm } = this;
    const pool = draws.below(farm.isDown.length);
    if (draws.chance(0.25)) {
      this.capacityChanges(pool);
      return;
    }
    if (this.port["pools"][pool].pool.bookings !== null && draws.chance(0.5)) {
      this.bookingsChange(pool);
      return;
    }
    const machine = draws.below(farm.isDown[pool].length);
    const type = draws.of([
      "machineDown",
      "machineUp",
      "machineUp",
      "machineDrained",
      "machineUndrained",
    ] as const);
    if (type === "machineDown") farm.fail(pool, machine);
    if (type === "machineUp") farm.isDown[pool][machine] = false;
    this.day.fault(type);
    this.day.later(this.day.delay(), () => this.apply({ type, at: this.day.now, pool, machine }));
  }

  /** Machines are booked for a while, or no longer. */
  private bookingsChange(pool: number): void {
    const { draws } = this;
    const at = this.day.now;
    const { all } = this.port["pools"][pool].pool.bookings!;
    if (all.length > 2 || (all.length > 0 && draws.chance(0.3))) {
      this.day.fault("unbooked");
      this.apply({ type: "unbooked", at, pool, booking: draws.of(all).number });
      return;
    }
    this.day.fault("booked");
    const machines = this.farm.machines[pool].map((_, machine) => machine).filter(() => draws.chance(0.6));
    const from = at + draws.of([0, 5, 60, 200]);
    const until = from + draws.of([1, 30, 300]);
    const booking = { number: ++this.bookings, machines, from, until, people: draws.below(4) };
    this.apply({ type: "booked", at, pool, booking });
  }

  /** Machines join, leave, and are replaced by others. */
  private capacityChanges(pool: number): void {
    const { draws, farm } = this;
    const at = this.day.now;
    const type = draws.of(["machineAdded", "machineChanged", "machineRemoved"] as const);
    const { nextNumber } = this.port.view.pools[pool].machines;
    if (type === "machineAdded" && nextNumber > 5) return;
    const machine = type === "machineAdded" ? nextNumber : draws.below(farm.machines[pool].length);
    this.day.fault(type);
    if (type === "machineRemoved") {
      farm.fail(pool, machine);
      this.apply({ type, at, pool, machine });
      return;
    }
    const like = draws.of(farm.machines[pool]);
    const changed: RealMachine = {
      coresMilli: draws.of([0, 1000, 2000, 4000]),
      memoryMiB: draws.of([256, 512, 1024]),
      gpuMilli: like.gpuMilli,
      group: draws.of(farm.machines[pool]).group,
    };
    this.specs.push({ pool, machine: changed });
    this.apply({ type, at, pool, machine, ...changed });
  }

  private speakNonsense(): void {
    this.day.fault("nonsense");
    const event = nonsense(this.draws, this.day.now, this.journal);
    if (event === null) return;
    const { answer } = this.apply(event);
    if (answer !== "ignored") this.farm.violations.push(`nonsense was ${answer}: ${JSON.stringify(event)}`);
  }

  /** Reports jobs as lost that the engine thinks run and that do not. */
  private reconcile(): void {
    for (const job of this.farm.living) {
      if (job.pending > 0 || job.attempt === 0 || job.busyUntil > this.day.now) continue;
      if (job.real !== null && job.isAnswered) continue;
      if (job.real !== null) {
        // It never answered, so it is given up.
        job.real = null;
        this.day.fault("never answered, then lost");
      }
      this.apply({ type: "lost", at: this.day.now, job: job.number, attempt: job.attempt });
    }
  }

  private heal(): void {
    const { isDown } = this.farm;
    isDown.forEach((machines, pool) =>
      machines.forEach((_, machine) => {
        isDown[pool][machine] = false;
      }),
    );
    // What is under way happens first. Jobs may be sent from pool to pool for ever while all machines are down.
    const isUnderWay = this.day.underWay();
    while (isUnderWay() && this.isSound) this.advance();
    isDown.forEach((machines, pool) =>
      machines.forEach((_, machine) => {
        this.apply({ type: "machineUp", at: this.day.now, pool, machine });
        this.apply({ type: "machineUndrained", at: this.day.now, pool, machine });
      }),
    );
    this.bringBackMachines();
    for (const { number } of this.farm.living)
      this.apply({ type: "released", at: this.day.now, job: number });
    this.tick();
  }

  /** Jobs were accepted that the machines of that time could hold, so machines like all those are added in the end. */
  private bringBackMachines(): void {
    for (const { pool, machine } of this.specs) {
      const { nextNumber } = this.port.view.pools[pool].machines;
      this.apply({ type: "machineAdded", at: this.day.now, pool, machine: nextNumber, ...machine });
    }
  }

  private checkEmpty(): void {
    const { port } = this;
    if (port["claims"]["claims"].length > 0) {
      this.tick();
      if (port["claims"]["claims"].some((claim) => port["claims"]["isAlive"](claim)))
        this.farm.violations.push("a claim is left");
    }
    for (const { machines, number } of port.view.pools) {
      for (let machine = 0; machine < machines.count; machine++) {
        if (machines.freeCores[machine] !== machines.capacityCores[machine])
          this.farm.violations.push(`machine ${machine} of pool ${number} is not empty at the end`);
      }
    }
  }
}
