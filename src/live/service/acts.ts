import { stateText } from "../store/job-states.ts";
import { memoryText, NO_POOL } from "../../core/index.ts";
import { holdReason, type Books, type LiveJob } from "./books.ts";
import { DEFAULT_GRACE_SECONDS, type LivePool } from "./live-pool.ts";
import type { Taking } from "./loop.ts";
import { placeOf } from "./place.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { Refusal } from "../refusal.ts";
import type { Ending } from "./ending.ts";
import type { Releasing } from "./releasing.ts";
import type { Scheduling } from "./scheduling.ts";
import type { Submitting } from "./submitting.ts";
import { checkTimes, type Timing } from "./timing.ts";
import { transition } from "./transition.ts";
import type { Turn } from "./turn.ts";

export interface JobChange {
  readonly priority?: number;
  /** Null: as long as it takes. */
  readonly timeSeconds?: number | null;
  readonly cores?: number;
  /** 0: none is counted, and there is no limit. */
  readonly memoryMiB?: number;
  readonly gpus?: number;
  /** Null: of any kind. */
  readonly gpuKind?: string | null;
  /** A pool, or a virtual pool that chooses one. */
  readonly pool?: string;
  /** In seconds since 1970; null: none. */
  readonly beginAt?: number | null;
  readonly deadlineAt?: number | null;
}

export interface ActsParts {
  readonly books: Books;
  readonly scheduling: Scheduling;
  readonly releasing: Releasing;
  readonly ending: Ending;
  readonly timing: Timing;
  readonly pools: readonly LivePool[];
  readonly farm: PlainFarm;
  readonly submitting: Submitting;
}

/** What people do to jobs and machines. Each throws a `Refusal` if it does not fit the present state. */
export class Acts {
  private readonly parts: ActsParts;

  constructor(parts: ActsParts) {
    this.parts = parts;
  }

  cancel(turn: Turn, number: number, actor: string): void {
    const job = this.job(number);
    turn.event("cancel", { job: number, actor });
    this.parts.ending.cancel(turn, job, `cancelled by ${actor}`);
  }

  /** How an act on jobs is taken: what makes room is done even while nothing can be written. */
  taking(verb: string, numbers: readonly number[]): Taking {
    if (verb !== "cancel" && verb !== "pause") return {};
    const meanwhile = (): boolean => {
      let isAny = false;
      for (const number of numbers)
        for (const { attempt, pool, job, state } of this.parts.books.jobs.get(number)?.attempts ?? []) {
          const { engine } = this.parts.pools[pool]!;
          const id = { job: job.id, attempt };
          if (verb === "cancel") engine.end(id, DEFAULT_GRACE_SECONDS);
          else if (state === "running" && engine.capabilities.suspend !== "none") engine.suspend(id);
          else continue;
          isAny = true;
        }
      return isAny;
    };
    return { meanwhile };
  }

  hold(turn: Turn, number: number, actor: string): void {
    const job = this.job(number);
    if (job.state !== "waiting" && job.state !== "held")
      throw new Refusal(409, `job ${number} ${stateText(job.state)}: only a waiting job can be held`);
    if (job.isHeld) return;
    if (job.state === "waiting") {
      const { answer } = this.parts.scheduling.apply(turn, { type: "held", at: turn.at, job: number });
      if (answer !== "taken")
        throw new Refusal(409, `job ${number} is on its way to another pool: try again`);
    }
    job.isHeld = true;
    this.parts.releasing.leavesArray(turn, job, false);
    transition(turn, job, "held");
    job.reason = holdReason(job);
    turn.event("held", { job: number, actor });
  }

  release(turn: Turn, number: number, actor: string): void {
    const job = this.job(number);
    if (!job.isHeld)
      throw new Refusal(
        409,
        job.state === "held"
          ? `job ${number} is not held by its user: it is held ${job.reason}`
          : `job ${number} is not held`,
      );
    job.isHeld = false;
    turn.event("released", { job: number, actor });
    this.parts.releasing.unholdIfFree(turn, job);
  }

  change(turn: Turn, number: number, change: JobChange, actor: string): void {
    const { priority, timeSeconds, cores, memoryMiB, gpus, pool, beginAt, deadlineAt } = change;
    const size = defined({ cores, memoryMiB, gpus });
    const kind = gpus === 0 ? null : change.gpuKind;
    const isResized = Object.keys(size).length > 0 || change.gpuKind !== undefined;
    const job = this.job(number);
    if ([timeSeconds, beginAt, deadlineAt].some((each) => each !== undefined))
      checkTimes({ ...job, ...defined({ timeSeconds, beginAt, deadlineAt }) }, turn.unixSeconds);
    if (pool !== undefined && job.state !== "waiting" && job.state !== "held")
      throw new Refusal(
        409,
        `job ${number} ${stateText(job.state)}: only a waiting or held job can go to another pool`,
      );
    if (pool !== undefined && job.twins.length > 0)
      throw new Refusal(409, `job ${number} has a second attempt in another pool, and stays where it is`);
    if (isResized && job.twins.length > 0)
      throw new Refusal(
        409,
        `job ${number} has a second attempt in another pool, and stays as large as it is`,
      );
    if (pool !== undefined) this.parts.submitting.checkPool(number, pool);
    const requires = kind === undefined ? undefined : this.parts.submitting.requiredWith(turn, number, kind);
    const where = pool ?? job.pool;
    const answer = this.parts.scheduling.apply(turn, {
      type: "changed",
      at: turn.at,
      job: number,
      ...(priority === undefined ? {} : { priority }),
      ...(timeSeconds === undefined ? {} : { estimateSeconds: timeSeconds }),
      ...(cores === undefined ? {} : { cores: Math.round(cores * 1000) }),
      ...(memoryMiB === undefined ? {} : { memory: memoryMiB }),
      ...(gpus === undefined ? {} : { gpu: Math.round(gpus * 1000) }),
      ...(requires === undefined ? {} : { requirement: requires.number }),
      ...(pool === undefined ? {} : placeOf(this.parts.farm, pool)),
    });
    if (answer.answer === "ignored" && answer.why === NO_POOL)
      throw new Refusal(
        422,
        `no machine of ${where === null ? "its pools" : `pool ${where}`} could ever hold job ${number}${isResized ? " with that" : ""}: it stays as it is${isResized && pool === undefined ? ", unless its pool is changed too" : ""}`,
      );
    if (answer.answer !== "taken")
      throw new Refusal(
        409,
        job.state === "waiting"
          ? `job ${number} is on its way to another pool: try again`
          : `job ${number} ${stateText(job.state)}: only a waiting or held job can be changed`,
      );
    if (pool !== undefined) job.pool = this.parts.scheduling.poolOf(number);
    this.parts.scheduling.noteAwaited(turn, job);
    job.priority = priority ?? job.priority;
    if (timeSeconds !== undefined) {
      job.timeSeconds = timeSeconds;
      this.parts.timing.noteLastStart(job);
    }
    if (beginAt !== undefined) this.parts.timing.changeBegin(turn, job, beginAt);
    if (deadlineAt !== undefined) this.parts.timing.deadline(turn, job, deadlineAt);
    turn.changed(job);
    // With null a field is taken out: it has its default then.
    const asked = {
      ...size,
      ...defined({ timeSeconds, pool, beginAt, deadlineAt, requires: requires?.text }),
    };
    if (Object.keys(asked).length > 0)
      turn.write(
        "UPDATE job SET request = json_patch(request, ?) WHERE number = ?",
        JSON.stringify(asked),
        number,
      );
    const what = [
      ...(cores === undefined ? [] : [`cores ${cores}`]),
      ...(memoryMiB === undefined
        ? []
        : [memoryMiB === 0 ? "memory not counted" : `memory ${memoryText(memoryMiB)}`]),
      ...(gpus === undefined ? [] : [`GPUs ${gpus}`]),
      ...(change.gpuKind === undefined ? [] : [`kind of GPU ${change.gpuKind ?? "any"}`]),
      ...(priority === undefined ? [] : [`priority ${priority}`]),
      ...(pool === undefined ? [] : [`pool ${pool}`]),
      ...(timeSeconds === undefined
        ? []
        : [timeSeconds === null ? "no time limit" : `time ${timeSeconds} s`]),
      ...(beginAt === undefined ? [] : [timeText("begin", beginAt)]),
      ...(deadlineAt === undefined ? [] : [timeText("deadline", deadlineAt)]),
    ];
    turn.event("changed", { job: number, actor, text: what.join(", ") });
  }

  /** Stops what runs of a job, which keeps its cores and memory. */
  pause(turn: Turn, number: number, actor: string): void {
    const job = this.job(number);
    if (job.isPaused) {
      // It does not go on with its pool then.
      job.isPausedWithPool = false;
      return this.parts.scheduling.show(turn, job);
    }
    if (job.state !== "running" && job.state !== "suspended")
      throw new Refusal(409, `job ${number} ${stateText(job.state)}: only a running job can be suspended`);
    for (const { pool } of job.attempts)
      if (this.parts.pools[pool]!.engine.capabilities.suspend === "none")
        throw new Refusal(409, `pool ${this.parts.pools[pool]!.name} cannot suspend its jobs`);
    this.stop(turn, job, actor, false);
  }

  /** As `pause`, with its pool: what cannot be suspended runs on. */
  pauseWithPool(turn: Turn, job: LiveJob, actor: string): void {
    if (job.isPaused || (job.state !== "running" && job.state !== "suspended")) return;
    if (job.attempts.some(({ pool }) => this.parts.pools[pool]!.engine.capabilities.suspend === "none"))
      return;
    this.stop(turn, job, actor, true);
  }

  /** Its pool is not paused any more. */
  resumeWithPool(turn: Turn, job: LiveJob): void {
    this.goOn(turn, job);
  }

  private stop(turn: Turn, job: LiveJob, actor: string, isWithPool: boolean): void {
    job.isPaused = true;
    job.isPausedWithPool = isWithPool;
    turn.changed(job);
    turn.event("suspend", { job: job.number, actor });
    for (const { attempt, pool } of job.attempts)
      turn.effect(() => this.parts.pools[pool]!.engine.suspend({ job: job.id, attempt }));
  }

  private goOn(turn: Turn, job: LiveJob, actor?: string): void {
    job.isPaused = false;
    job.isPausedWithPool = false;
    turn.event("resume", { job: job.number, ...(actor === undefined ? {} : { actor }) });
    for (const attempt of job.attempts)
      // A job that was suspended for a more urgent one goes on when that is gone.
      if (attempt.state === "running" && attempt.intent !== "suspend")
        turn.effect(() =>
          this.parts.pools[attempt.pool]!.engine.resume({ job: job.id, attempt: attempt.attempt }),
        );
    this.parts.scheduling.show(turn, job);
  }

  resume(turn: Turn, number: number, actor: string): void {
    const job = this.job(number);
    if (!job.isPaused) {
      const why = job.state === "suspended" ? "for more urgent ones, and goes on when there is room" : "";
      throw new Refusal(
        409,
        `job ${number} ${stateText(job.state)}${why === "" ? "" : ` ${why}`}: it was not suspended by hand`,
      );
    }
    if (job.isPausedWithPool)
      throw new Refusal(409, `job ${number} is suspended with its pool, which is paused: it goes on with it`);
    this.goOn(turn, job, actor);
  }

  /** A machine takes nothing new; what runs there runs on. */
  drain(turn: Turn, poolName: string, machineName: string, reason: string, actor: string): void {
    const { pool, machine } = this.machine(poolName, machineName);
    pool.closings[machine]!.drain = { reason, actor, at: turn.unixSeconds };
    this.parts.scheduling.apply(turn, { type: "machineDrained", at: turn.at, pool: pool.number, machine });
    turn.write(
      "INSERT OR REPLACE INTO machine (pool, name, reason, actor, at) VALUES (?, ?, ?, ?, ?)",
      pool.name,
      machineName,
      reason,
      actor,
      turn.unixSeconds,
    );
    turn.event("drained", { actor, text: `${machineName} of ${pool.name}: ${reason}` });
  }

  undrain(turn: Turn, poolName: string, machineName: string, actor: string): void {
    const { pool, machine } = this.machine(poolName, machineName);
    const closing = pool.closings[machine]!;
    if (closing.drain === null)
      throw new Refusal(409, `machine ${machineName} of ${poolName} is not drained`);
    closing.drain = null;
    if (!pool.isClosed(machine))
      this.parts.scheduling.apply(turn, {
        type: "machineUndrained",
        at: turn.at,
        pool: pool.number,
        machine,
      });
    turn.write("DELETE FROM machine WHERE pool = ? AND name = ?", pool.name, machineName);
    turn.event("undrained", { actor, text: `${machineName} of ${pool.name}` });
  }

  private machine(poolName: string, machineName: string): { pool: LivePool; machine: number } {
    const pool = this.parts.pools.find(({ name }) => name === poolName);
    if (pool === undefined)
      throw new Refusal(
        404,
        `there is no pool ${JSON.stringify(poolName)}: there are ${this.parts.pools.map(({ name }) => name).join(", ")}`,
      );
    const machine = pool.machineNumber(machineName);
    if (machine === undefined)
      throw new Refusal(404, `pool ${poolName} has no machine ${JSON.stringify(machineName)}`);
    return { pool, machine };
  }

  private job(number: number): LiveJob {
    const job = this.parts.books.jobs.get(number);
    if (job === undefined) throw new Refusal(409, `job ${number} is over`);
    return job;
  }
}

function timeText(what: string, at: number | null): string {
  return at === null ? `no ${what}` : `${what} ${new Date(at * 1000).toISOString()}`;
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}
