import { Draws, type AnyEngine } from "./any-engine.fixture.ts";
import { wrongInBooks } from "./books.fixture.ts";
import { EventPort } from "./event-port.ts";
import type { Answer, EngineEvent, OutcomeEvent, PlainDecision } from "./events.ts";
import { nonsense, type Recorded } from "./nonsense.fixture.ts";
import { RealFarm, type RealAttempt, type RealJob, type RealMachine } from "./real-farm.fixture.ts";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
type Report = WithoutTime<OutcomeEvent>;
type Order = Exclude<PlainDecision, { readonly type: "MOVE" | "DUPLICATE" | "CANCEL" | "LOST" | "DRAIN" }>;

interface Pending {
  readonly time: number;
  readonly order: number;
  run(): void;
}

/**
 * Drives an engine as a bad day on a live farm would: answers come late, in any order, twice or never; starts,
 * suspensions and resumptions fail; machines go down under jobs; users change their minds; events make no sense. It
 * keeps a model of what really happens (`RealFarm`), and after each event compares the engine's books with a recount.
 */
export class FaultyDriver {
  readonly port: EventPort;
  readonly farm: RealFarm;
  readonly journal: Recorded[] = [];
  /** How often each fault happened. */
  readonly faults = new Map<string, number>();
  decisions = 0;
  now = 0;
  /** The random numbers of the engine's own moves. */
  readonly random: Draws;
  private readonly draws: Draws;
  private readonly any: AnyEngine;
  private readonly pending: Pending[] = [];
  private order = 0;
  private submitted = 0;
  private readonly retrySeconds: number;
  /** Every machine that ever existed. */
  private readonly specs: { readonly pool: number; readonly machine: RealMachine }[] = [];
  /** By job: the pool of its last START. */
  private readonly lastPool = new Map<number, number>();
  private isFaulty = true;
  private readonly movesJobs: boolean;

  /** @param movesJobs whether users send waiting jobs to other pools */
  constructor(any: AnyEngine, seed: number, movesJobs = false) {
    this.any = any;
    this.movesJobs = movesJobs;
    this.draws = new Draws(seed ^ 0x5eed);
    this.random = new Draws(seed + 1);
    const settings = any.settings((below) => this.random.below(below));
    this.port = new EventPort(settings);
    this.farm = new RealFarm(settings);
    this.retrySeconds = settings.faults?.retrySeconds ?? 0;
    this.farm.machines.forEach((machines, pool) => {
      for (const machine of machines) this.specs.push({ pool, machine });
    });
  }

  get violations(): readonly string[] {
    return this.farm.violations;
  }

  /** Lets this many things happen, then no more faults, until everything has ended. */
  run(steps: number): void {
    for (let step = 0; step < steps && this.isSound; step++) this.step();
    this.isFaulty = false;
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

  private fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  private happens(part: number, kind: string): boolean {
    if (!this.isFaulty || !this.draws.chance(part)) return false;
    this.fault(kind);
    return true;
  }

  // Time.

  private later(seconds: number, run: () => void): number {
    const time = this.now + seconds;
    this.pending.push({ time, order: this.order++, run });
    return time;
  }

  private delay(): number {
    const { draws } = this;
    return draws.of([0, 0, 0, 0.5, 1, 7, draws.chance(0.1) ? 90 : 2]);
  }

  /** Goes to the next thing that happens; false if there is none. */
  private advance(): boolean {
    let first: Pending | undefined;
    for (const each of this.pending) {
      if (
        first === undefined ||
        each.time < first.time ||
        (each.time === first.time && each.order < first.order)
      )
        first = each;
    }
    const due = Math.max(this.now, this.port.nextTime);
    if (first === undefined && due === Infinity) return false;
    if (first === undefined || due < first.time) {
      this.now = due;
      this.tick();
      return true;
    }
    this.now = Math.max(this.now, first.time);
    this.pending.splice(this.pending.indexOf(first), 1);
    first.run();
    if (!this.isFaulty || this.draws.chance(0.7)) this.tick();
    return true;
  }

  private tick(): void {
    this.apply({ type: "tick", at: this.now });
  }

  // Events.

  apply(event: EngineEvent): Answer {
    const randomState = this.random.state;
    const before = this.freeNow();
    const answer = this.port.apply(event);
    this.checkFree(event, before);
    this.journal.push({ event, answer, randomState });
    const { farm } = this;
    if (answer.answer === "taken") this.note(event);
    const ended = new Set<number>();
    if (answer.answer === "taken" && "job" in event) ended.add(event.job);
    for (const decision of answer.decisions) {
      if (decision.type === "CANCEL" || (decision.type === "LOST" && !decision.goesOn))
        ended.add(decision.job);
      this.carryOut(decision);
    }
    for (const job of farm.living) {
      if (this.port.has(job.number)) continue;
      if (!ended.has(job.number) && answer.answer !== "rejected")
        farm.violations.push(`job ${job.number} is over without a word, at ${JSON.stringify(event)}`);
      if (job.real !== null) farm.violations.push(`job ${job.number} is over and runs`);
      job.isOver = true;
    }
    for (const text of wrongInBooks(this.port.engine))
      farm.violations.push(`${text}, after ${JSON.stringify(event)}`);
    return answer;
  }

  private note(event: EngineEvent): void {
    const { toldDown, toldDrained } = this.farm;
    if (event.type === "changed") {
      const job = this.farm.jobs.get(event.job)!;
      const { cores = job.request.cores, memory = job.request.memory, gpu = job.request.gpu } = event;
      job.request = { ...job.request, cores, memory, gpu };
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
      const pool = this.lastPool.get(event.job)!;
      job.refusals.push({ pool, machine: event.machine, until: this.now + this.retrySeconds });
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
      this.apply({ ...event, at: this.now });
    };
    const times = this.happens(0.08, "answered twice") ? 2 : 1;
    for (let i = 0; i < times; i++) {
      if (job !== undefined) job.pending++;
      this.later(this.isFaulty ? this.delay() : 0, deliver);
    }
  }

  /** By pool, by machine: what is free as far as the engine knows. */
  private freeNow(): { cores: number[]; memory: number[]; gpu: number[] }[] {
    return this.port.engine.pools.map(({ pool: { machines } }) => ({
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

  private submit(): void {
    const number = ++this.submitted;
    const request = this.any.request(this.draws);
    this.farm.add(number, request);
    this.apply({ type: "submitted", at: this.now, job: number, request });
    if (this.draws.chance(0.5)) this.tick();
  }

  private userChangesMind(): void {
    const { draws, farm } = this;
    const { living } = farm;
    if (living.length === 0) return;
    const job = draws.of(living).number;
    const type = this.movesJobs
      ? "changed"
      : draws.of(["held", "released", "released", "cancelled", "changed", "asked"] as const);
    this.fault(`job ${type}`);
    const at = this.now;
    if (type === "changed") {
      const priority = this.any.request(draws).priority;
      const more = this.movesJobs ? this.place() : {};
      const { cores, memory, gpu } = this.any.request(draws);
      const size = draws.of([{}, {}, { cores, memory, gpu }, { memory }]);
      this.apply({ type, at, job, priority, estimateSeconds: draws.of([5, 50, 500]), ...size, ...more });
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
    this.fault(type);
    this.later(this.delay(), () => this.apply({ type, at: this.now, pool, machine }));
  }

  /** Machines join, leave, and are replaced by others. */
  private capacityChanges(pool: number): void {
    const { draws, farm, now: at } = this;
    const type = draws.of(["machineAdded", "machineChanged", "machineRemoved"] as const);
    const { nextNumber } = this.port.engine.pools[pool].pool.machines;
    if (type === "machineAdded" && nextNumber > 5) return;
    const machine = type === "machineAdded" ? nextNumber : draws.below(farm.machines[pool].length);
    this.fault(type);
    if (type === "machineRemoved") {
      farm.fail(pool, machine);
      this.apply({ type, at, pool, machine });
      return;
    }
    const like = draws.of(farm.machines[pool]);
    const changed: RealMachine = {
      coresMilli: draws.of([1000, 2000, 4000]),
      memoryMiB: draws.of([256, 512, 1024]),
      gpuMilli: like.gpuMilli,
      group: draws.of(farm.machines[pool]).group,
    };
    this.specs.push({ pool, machine: changed });
    this.apply({ type, at, pool, machine, ...changed });
  }

  private speakNonsense(): void {
    this.fault("nonsense");
    const event = nonsense(this.draws, this.now, this.journal);
    if (event === null) return;
    const { answer } = this.apply(event);
    if (answer !== "ignored") this.farm.violations.push(`nonsense was ${answer}: ${JSON.stringify(event)}`);
  }

  /** Reports jobs as lost that the engine thinks run and that do not. */
  private reconcile(): void {
    for (const job of this.farm.living) {
      if (job.pending > 0 || job.attempt === 0 || job.busyUntil > this.now) continue;
      if (job.real !== null && job.isAnswered) continue;
      if (job.real !== null) {
        // It never answered, so it is given up.
        job.real = null;
        this.fault("never answered, then lost");
      }
      this.apply({ type: "lost", at: this.now, job: job.number, attempt: job.attempt });
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
    const end = this.order;
    while (this.pending.some(({ order }) => order < end) && this.isSound) this.advance();
    isDown.forEach((machines, pool) =>
      machines.forEach((_, machine) => {
        this.apply({ type: "machineUp", at: this.now, pool, machine });
        this.apply({ type: "machineUndrained", at: this.now, pool, machine });
      }),
    );
    this.bringBackMachines();
    for (const { number } of this.farm.living) this.apply({ type: "released", at: this.now, job: number });
    this.tick();
  }

  /** Jobs were accepted that the machines of that time could hold, so machines like all those are added in the end. */
  private bringBackMachines(): void {
    for (const { pool, machine } of this.specs) {
      const { nextNumber } = this.port.engine.pools[pool].pool.machines;
      this.apply({ type: "machineAdded", at: this.now, pool, machine: nextNumber, ...machine });
    }
  }

  private checkEmpty(): void {
    const { engine } = this.port;
    if (engine["claims"]["claims"].length > 0) {
      this.tick();
      if (engine["claims"]["claims"].some((claim) => engine["claims"]["isAlive"](claim)))
        this.farm.violations.push("a claim is left");
    }
    for (const { pool, number } of engine.pools) {
      const { machines } = pool;
      for (let machine = 0; machine < machines.count; machine++) {
        if (machines.freeCores[machine] !== machines.capacityCores[machine])
          this.farm.violations.push(`machine ${machine} of pool ${number} is not empty at the end`);
      }
    }
  }

  // Decisions.

  private carryOut(decision: PlainDecision): void {
    this.decisions++;
    const { farm } = this;
    if (decision.type === "DRAIN") {
      farm.toldDrained[decision.pool][decision.machine] = true;
      this.fault("black hole drained");
      return;
    }
    if (decision.type === "DUPLICATE") {
      farm.add(decision.job, farm.jobs.get(decision.of)!.request);
    }
    const job = farm.jobs.get(decision.job);
    if (job === undefined || job.isOver) {
      farm.violations.push(`${JSON.stringify(decision)} is about a job that is over`);
      return;
    }
    switch (decision.type) {
      case "MOVE":
      case "DUPLICATE":
        // In another pool, and after it has come back, it may try every machine.
        job.refusals.length = 0;
        if (decision.seconds > 0) {
          job.pending++;
          this.later(decision.seconds + (this.isFaulty ? this.delay() : 0), () => {
            job.pending--;
            this.report({ type: "arrived", job: job.number, decision: decision.number });
          });
        }
        return;
      case "CANCEL":
        return;
      case "LOST":
        job.real = null;
        job.lostAttempt = decision.attempt;
        return;
      case "START":
      case "RESUME":
        farm.checkTold(decision, this.now);
    }
    if (decision.type === "START") {
      job.attempt = decision.attempt;
      this.lastPool.set(job.number, decision.pool);
    }
    job.isAnswered = false;
    job.pending++;
    const time = Math.max(job.busyUntil, this.now + (this.isFaulty ? this.delay() : 0));
    job.busyUntil = time;
    this.later(time - this.now, () => {
      job.pending--;
      if (!job.isOver && job.attempt === decision.attempt) this.act(job, decision);
    });
  }

  private act(job: RealJob, decision: Order): void {
    const { farm, draws } = this;
    const { number, attempt, type } = decision;
    const about = { job: job.number, attempt, decision: number };
    const { pool } = decision;
    const { real } = job;
    if (type === "KILL") {
      job.real = null;
      if (this.happens(0.05, "KILL never answered")) return;
      job.isAnswered = true;
      this.report({ type: "killed", ...about });
      return;
    }
    if (type === "START") {
      if (job.lostAttempt >= attempt) return;
      const broken = decision.placement.find(({ machine }) => farm.isDown[pool][machine]);
      const fault = draws.of(["machine", "machine", "job", "transient"] as const);
      if (broken !== undefined || this.happens(0.12, `start failed: ${fault}`)) {
        const { machine } = broken ?? draws.of(decision.placement);
        job.isAnswered = true;
        this.report({
          type: "startFailed",
          ...about,
          machine,
          fault: broken === undefined ? fault : "machine",
        });
        return;
      }
      job.real = { attempt, pool, placement: decision.placement, isSuspended: false };
      farm.checkCapacity(pool);
      if (this.happens(0.03, "START never answered")) return;
      job.isAnswered = true;
      this.report({ type: "started", ...about });
      this.runs(job, job.real);
      return;
    }
    // An attempt that is gone cannot be stopped, and its end is under way.
    if (real === null || real.attempt !== attempt) return;
    const isSuspend = type === "SUSPEND";
    if (this.happens(0.2, isSuspend ? "suspend failed" : "resume failed")) {
      job.isAnswered = true;
      this.report({ type: isSuspend ? "suspendFailed" : "resumeFailed", ...about });
      return;
    }
    real.isSuspended = isSuspend;
    farm.checkCapacity(pool);
    if (this.happens(0.03, `${type} never answered`)) return;
    job.isAnswered = true;
    this.report({ type: isSuspend ? "suspended" : "resumed", ...about });
    if (!isSuspend) this.runs(job, real);
  }

  /** A job runs: at some time it ends or is lost, unless it is stopped before. */
  private runs(job: RealJob, real: RealAttempt): void {
    const { draws } = this;
    this.later(draws.of([0, 1, 5, 20, 60, 200]), () => {
      if (job.real !== real || real.isSuspended) return;
      job.real = null;
      const type = this.happens(0.08, "attempt lost") ? "lost" : "exited";
      this.report({ type, job: job.number, attempt: real.attempt });
    });
  }
}
