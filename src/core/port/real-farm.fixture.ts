import type { MachineTasks } from "../jobs/placements.ts";
import type { MachineCapacity } from "../machines/machine-state.ts";
import type { EngineSettings } from "../engine/settings.ts";
import type { PlainDecision } from "./decisions.ts";
import type { PlainRequest } from "./events.ts";

/** The real state of an attempt on its machines. */
export interface RealAttempt {
  readonly attempt: number;
  readonly pool: number;
  readonly placement: readonly MachineTasks[];
  isSuspended: boolean;
  /** Whether it holds its memory while it is suspended. */
  keepsMemory: boolean;
}

/** A job, or a second attempt at one, as the driver knows it. */
export interface RealJob {
  readonly number: number;
  request: PlainRequest;
  isOver: boolean;
  /** The last attempt that was started. */
  attempt: number;
  /** The attempt that is on machines; null if there is none. */
  real: RealAttempt | null;
  /** The decisions about the job, which are carried out in order. */
  busyUntil: number;
  /** Answers and arrivals under way. */
  pending: number;
  /** Whether the last decision about the job was answered. */
  isAnswered: boolean;
  /** Attempts up to this one were given up and must not start. */
  lostAttempt: number;
  /** Machines on which the job failed to start, and until when it must avoid them. */
  refusals: { readonly pool: number; readonly machine: number; readonly until: number }[];
}

/** A machine as the engine was told of it. */
export interface RealMachine extends MachineCapacity {
  readonly group: number;
}

/** What really is on which machine, whatever the engine thinks. A violation is reported as a sentence. */
export class RealFarm {
  readonly jobs = new Map<number, RealJob>();
  readonly violations: string[] = [];
  /**
   * By pool: the machines that are really out of service, and those of which the engine knows, or that it drained
   * itself.
   */
  readonly isDown: boolean[][];
  readonly toldDown: boolean[][];
  readonly toldDrained: boolean[][];
  /** By pool: the machines by number, including removed ones as they were. */
  readonly machines: RealMachine[][];
  /** By pool: whether a machine was ever made smaller, so that what runs there may exceed its capacity. */
  private readonly wasReduced: boolean[][];
  /** Others from a reload on, of as many pools. */
  settings: EngineSettings;

  constructor(settings: EngineSettings) {
    this.settings = settings;
    const nowhere = (): boolean[][] =>
      settings.pools.map(({ capacities }) => [...capacities.coresMilli].map(() => false));
    this.isDown = nowhere();
    this.toldDown = nowhere();
    this.toldDrained = nowhere();
    this.wasReduced = nowhere();
    this.machines = settings.pools.map(({ capacities: { coresMilli, memoryMiB, gpuMilli, groupOf } }) =>
      [...coresMilli].map((cores, machine) => ({
        coresMilli: cores,
        memoryMiB: memoryMiB![machine],
        gpuMilli: gpuMilli?.[machine] ?? 0,
        group: groupOf![machine],
      })),
    );
  }

  get living(): RealJob[] {
    return [...this.jobs.values()].filter(({ isOver }) => !isOver);
  }

  /** Whether what is suspended in a pool from now on keeps its memory. */
  keepsMemory(pool: number): boolean {
    return this.settings.pools[pool].suspend === "cpu-only";
  }

  add(number: number, request: PlainRequest): RealJob {
    const job = {
      number,
      request,
      isOver: false,
      attempt: 0,
      real: null,
      busyUntil: 0,
      pending: 0,
      isAnswered: true,
      lostAttempt: 0,
      refusals: [],
    };
    this.jobs.set(number, job);
    return job;
  }

  /** The engine was told that a machine joined or has changed. */
  setMachine(pool: number, number: number, machine: RealMachine): void {
    const before = this.machines[pool][number];
    this.wasReduced[pool][number] ||= before !== undefined && isSmaller(machine, before);
    this.machines[pool][number] = machine;
    this.isDown[pool][number] ??= false;
    this.toldDown[pool][number] ??= false;
    this.toldDrained[pool][number] ??= false;
  }

  /** A START or RESUME was read: checks that it is allowed. */
  checkTold(
    decision: Extract<PlainDecision, { readonly job: number; readonly pool: number }>,
    now: number,
  ): void {
    const job = this.jobs.get(decision.job)!;
    const what = `${decision.type} of job ${decision.job}`;
    if (decision.type === "START") {
      if (job.real !== null) this.violations.push(`${what} while it runs`);
      if (decision.attempt <= job.attempt) this.violations.push(`${what}: attempt ${decision.attempt} again`);
      const tasks = decision.placement.reduce((sum, each) => sum + each.tasks, 0);
      if (tasks !== job.request.tasks)
        this.violations.push(`${what}: ${tasks} tasks of ${job.request.tasks}`);
      const { groups } = this.settings.pools[decision.pool];
      for (const { pool, machine, until } of job.refusals) {
        const isThere = decision.placement.some((each) => each.machine === machine);
        if (pool === decision.pool && until > now && isThere)
          this.violations.push(`${what} on machine ${machine}, which refused it until ${until}`);
      }
      const { requirement } = job.request;
      for (const { machine } of decision.placement) {
        if (requirement && !groups.meets(requirement, this.machines[decision.pool][machine].group))
          this.violations.push(`${what} on machine ${machine}, which does not meet its requirement`);
      }
    }
    const placement = decision.type === "START" ? decision.placement : (job.real?.placement ?? []);
    for (const { machine } of placement) {
      if (this.toldDown[decision.pool][machine] || this.toldDrained[decision.pool][machine])
        this.violations.push(`${what} on machine ${machine}, which is out of service`);
    }
  }

  /** Checks that no machine holds more than its capacity, and the pool's jobs no more licences than there are. */
  checkCapacity(pool: number): void {
    const { licences } = this.settings.pools[pool];
    const free = [...(licences?.counts ?? [])];
    const machines = this.machines[pool];
    const cores = machines.map(({ coresMilli }) => coresMilli);
    const memory = machines.map(({ memoryMiB }) => memoryMiB);
    const gpu = machines.map(({ gpuMilli }) => gpuMilli);
    for (const { real, request } of this.jobs.values()) {
      if (real === null || real.pool !== pool) continue;
      for (const { licence, count } of licences?.asks(request.licences ?? 0) ?? []) free[licence] -= count;
      for (const { machine, tasks } of real.placement) {
        if (!real.isSuspended) cores[machine] -= request.cores * tasks;
        if (!real.isSuspended) gpu[machine] -= request.gpu * tasks;
        if (!real.isSuspended || real.keepsMemory) memory[machine] -= request.memory * tasks;
      }
    }
    free.forEach((left, licence) => {
      if (left < 0)
        this.violations.push(`${-left} too many of licence ${licence} of pool ${pool} are in use`);
    });
    cores.forEach((left, machine) => {
      if (this.wasReduced[pool][machine]) return;
      if (left < 0 || memory[machine] < 0 || gpu[machine] < 0)
        this.violations.push(
          `machine ${machine} of pool ${pool} is over its capacity: ${left} cores, ${memory[machine]} MiB, ${gpu[machine]} GPU left`,
        );
    });
  }

  /** Everything on a machine is lost. */
  fail(pool: number, machine: number): void {
    this.isDown[pool][machine] = true;
    for (const job of this.jobs.values()) {
      if (job.real?.pool === pool && job.real.placement.some((each) => each.machine === machine))
        job.real = null;
    }
  }
}

function isSmaller(one: MachineCapacity, other: MachineCapacity): boolean {
  return (
    one.coresMilli < other.coresMilli || one.memoryMiB < other.memoryMiB || one.gpuMilli < other.gpuMilli
  );
}
