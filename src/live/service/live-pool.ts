import { groupsOf } from "../../simulation/index.ts";
import type { AttemptId } from "../engines/attempt-id.ts";
import type { Engine, Machine, StartRequest } from "../engines/engine.ts";
import type { LiveAttempt } from "./books.ts";
import type { CrashHook } from "./crash-points.ts";
import type { Pause } from "./pauses.ts";
import type { PlainMachine, PlainPool } from "./plain-farm.ts";

/** Why a machine takes nothing new: more than one may hold at a time. */
export interface Closing {
  /** The engine's reason: the machine is down or drained there, or the engine cannot be reached. */
  engine: string | null;
  /** Drained by a person, or by the farm after too many failures in a row. */
  drain: { readonly reason: string; readonly actor: string; readonly at: number } | null;
}

type Capacity = "capacityCores" | "capacityMemory" | "capacityGpu";
type MachineSize = Pick<PlainMachine, "coresMilli" | "memoryMiB" | "gpuMilli">;

export const DEFAULT_GRACE_SECONDS = 30;

/** A pool as it runs: its engine, and its machines by the numbers that the decision engine knows them by. */
export class LivePool {
  readonly name: string;
  readonly number: number;
  readonly engineName: string;
  readonly engine: Engine;
  readonly plan: PlainPool;
  readonly closings: Closing[];
  /** Since when the engine does not answer, and why. */
  unreachable: { readonly reason: string; readonly sinceUnixSeconds: number } | null = null;
  /** Somebody lets it start nothing; null: nobody does. */
  ownPause: Pause | null = null;
  /** As the whole farm. */
  farmPause: Pause | null = null;
  /** As they are now, in the order of the plan: they may have become larger or smaller. */
  readonly machines: PlainMachine[];
  /** By machine: its group in the decision engine's settings. */
  readonly groupOf: Int32Array;
  /** By group: a machine of it. */
  readonly groupLeaders: readonly PlainMachine[];
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly crashPoint: CrashHook;
  /** Saves the output of an attempt before the engine drops it. */
  private readonly keep: (pool: LivePool, id: AttemptId) => Promise<void>;

  constructor(
    number: number,
    engineName: string,
    engine: Engine,
    plan: PlainPool,
    crashPoint: CrashHook,
    keep: (pool: LivePool, id: AttemptId) => Promise<void>,
  ) {
    this.name = plan.name;
    this.number = number;
    this.engineName = engineName;
    this.engine = engine;
    this.plan = plan;
    this.machines = [...plan.machines];
    const { groupOf, leaders } = groupsOf(plan.machines);
    this.groupOf = groupOf;
    this.groupLeaders = leaders;
    this.closings = plan.machines.map(() => ({ engine: null, drain: null }));
    this.numbers = new Map(plan.machines.map(({ name }, machine) => [name, machine]));
    this.crashPoint = crashPoint;
    this.keep = keep;
  }

  machineName(machine: number): string {
    return this.plan.machines[machine]!.name;
  }

  /** Undefined where the pool has no machine of that name. */
  machineNumber(name: string): number | undefined {
    return this.numbers.get(name);
  }

  isClosed(machine: number): boolean {
    const { engine, drain } = this.closings[machine]!;
    return engine !== null || drain !== null || this.unreachable !== null || this.paused !== null;
  }

  /** Why it starts nothing; null: it does. */
  get paused(): Pause | null {
    return this.ownPause ?? this.farmPause;
  }

  /** What is said of a machine that takes nothing new, by whoever drained it and by the engine. */
  whyClosed(machine: number): string {
    const { engine, drain } = this.closings[machine]!;
    return [
      ...(drain === null ? [] : [`${drain.reason} (${drain.actor})`]),
      ...(engine === null ? [] : [engine]),
      ...(this.unreachable === null
        ? []
        : [`the pool's engine cannot be reached: ${this.unreachable.reason}`]),
    ].join("; ");
  }

  /** Notes a machine's state as the engine reports it. Returns its number; undefined if the pool does not have it. */
  noteState({ name, state, reason }: Machine): number | undefined {
    const number = this.numbers.get(name);
    if (number !== undefined)
      this.closings[number]!.engine = state === "up" ? null : reason === "" ? state : `${state}: ${reason}`;
    return number;
  }

  /** Machines may have become larger or smaller since the farm's settings were written. */
  takeSizes({ capacityCores, capacityMemory, capacityGpu }: Readonly<Record<Capacity, Int32Array>>): void {
    this.machines.forEach((machine, at) => {
      this.machines[at] = {
        ...machine,
        coresMilli: capacityCores[at]!,
        memoryMiB: capacityMemory[at]!,
        gpuMilli: capacityGpu[at]!,
      };
    });
  }

  /** Notes a machine's new size; null if it has not changed. */
  noteSize({
    name,
    coresMilli,
    memoryMiB,
    gpuMilli,
  }: Machine): { machine: number; size: MachineSize } | null {
    const machine = this.numbers.get(name);
    if (machine === undefined) return null;
    const size = {
      coresMilli: Math.floor(coresMilli),
      memoryMiB: Math.floor(memoryMiB),
      gpuMilli: Math.floor(gpuMilli),
    };
    const before = this.machines[machine]!;
    if (
      before.coresMilli === size.coresMilli &&
      before.memoryMiB === size.memoryMiB &&
      before.gpuMilli === size.gpuMilli
    )
      return null;
    this.machines[machine] = { ...before, ...size };
    return { machine, size };
  }

  /** Notes that the engine does not list a machine any more. Returns its number; undefined if the pool has no such. */
  noteRemoved(name: string): number | undefined {
    const machine = this.numbers.get(name);
    if (machine !== undefined) this.closings[machine]!.engine = "its engine does not list it";
    return machine;
  }

  /** Machines that the engine does not list take nothing new. */
  closeAllBut(listed: readonly Machine[]): void {
    const names = new Set(listed.map(({ name }) => name));
    this.machines.forEach(({ name }, machine) => {
      if (!names.has(name)) this.closings[machine]!.engine = "its engine does not list it";
    });
  }

  drainByFarm(machine: number, reason: string, at: number): void {
    this.closings[machine]!.drain = { reason, actor: "croft", at };
  }

  start(request: StartRequest): void {
    this.engine.start(request);
    this.crashPoint("after-effect");
  }

  /** Passes on to the engine what was decided about a started attempt. This may be repeated at any time. */
  carryOut(attempt: LiveAttempt): void {
    const id = { job: attempt.job.id, attempt: attempt.attempt };
    if (attempt.intent === "end") this.engine.end(id, DEFAULT_GRACE_SECONDS);
    else if (attempt.intent === "suspend") this.engine.suspend(id);
    else if (attempt.intent === "resume" && !attempt.job.isPaused) this.engine.resume(id);
    this.crashPoint("after-effect");
  }

  forget(id: AttemptId): void {
    this.crashPoint("before-forget");
    // If that fails now, it is done when the books are compared next.
    void this.keep(this, id)
      .then(() => this.engine.forget(id))
      .then(
        () => this.crashPoint("after-forget"),
        () => undefined,
      );
  }
}
