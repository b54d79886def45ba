/**
 * The contract between the live service and an engine: what runs jobs on machines.
 *
 * The service decides; an engine starts, watches, suspends and ends. The words:
 *
 * - An **attempt** is one run of a job: the job's UUID and a number from 1. Whatever happens, an attempt runs at most
 *   once. To run the job again, start the next attempt.
 * - A **command** (`start`, `suspend`, `resume`, `end`) returns at once. Its result is a report. A command for an
 *   attempt that is over repeats its outcome. A command may be repeated at any time.
 * - A **report** says what happened. Reports may be late, repeated, out of date or missing: after a
 *   crash of either side, and now and then besides, the service compares its books with `list`.
 * - What the command leaves running is ended when the command has: SIGTERM, and SIGKILL after the grace of its limits.
 * - An attempt is **over** when it has exited, is lost, or did not start. Then nothing of it runs. Its outcome is
 *   kept until `forget`, and repeated when asked for.
 * - An engine that cannot be reached is in a **state**, not in error: `unreachable` is a report, commands
 *   stand until it is back, and nothing is said about attempts that cannot be seen.
 *
 * Times are seconds, memory is MiB, cores and GPUs are thousandths.
 */
import type { SoftLimits } from "./soft-limits.ts";
import type { AttemptId } from "./attempt-id.ts";

export interface Engine {
  /** What the service may count on. Final once `open` has returned. */
  readonly capabilities: Capabilities;

  /**
   * Resumes what an earlier engine on the same state left, and begins to watch. It returns when the machines are
   * known or the engine is known to be unreachable.
   *
   * Of attempts from before it reports what changes from now on; how they stand is in `list`.
   *
   * @throws {InputError} where the settings cannot work on this machine
   */
  open(reports: (report: Report) => void): Promise<void>;

  /**
   * The machines as last seen, before this engine was opened too where it cannot be reached; each change is a
   * report too.
   */
  machines(): readonly Machine[];

  /** Leads to `started` or `start-failed`. The first call decides what the attempt runs: later calls only repeat it. */
  start(request: StartRequest): void;

  /** Leads to `suspended` once no process of it runs any more, or to `suspend-failed`. */
  suspend(id: AttemptId): void;

  /** Leads to `resumed` or `resume-failed`. */
  resume(id: AttemptId): void;

  /**
   * Leads to an outcome, even for an unknown attempt, which can then never start. What runs gets SIGTERM, and SIGKILL
   * after `graceSeconds`.
   */
  end(id: AttemptId, graceSeconds: number): void;

  /** The state of every known attempt. Nothing runs of attempts that are not listed. */
  list(): Promise<Listing | Unreachable>;

  /**
   * Drops an attempt that is over, its output included. Call it when the outcome is safely recorded, and
   * never start that attempt again. An attempt that is not over is left as it is, and so is any while the
   * engine cannot be reached: what is still in `list` can be forgotten again.
   */
  forget(id: AttemptId): Promise<void>;

  /**
   * Bytes of the output that the engine keeps, at most `limitBytes`, empty at the end of what there is.
   * Null where it keeps none: the attempt is unknown, or writes to a path of its own.
   */
  output(
    id: AttemptId,
    stream: "stdout" | "stderr",
    fromByte: number,
    limitBytes: number,
  ): Promise<Uint8Array | null>;

  /**
   * The file on this machine in which the engine keeps that output. Once the attempt is over nobody writes to it. Absent,
   * or null: it keeps the output elsewhere.
   */
  outputFile?(id: AttemptId, stream: "stdout" | "stderr"): string | null;

  /**
   * What is done about an attempt at this moment beside its command: before that begins, or when it has ended and the
   * attempt is not over yet. Absent, or null: nothing that is known of. It answers from what it has in memory.
   */
  doing?(id: AttemptId): Doing | null;

  /** Stops watching and leaves attempts as they are. Reports nothing more. */
  close(): Promise<void>;
}

export interface Doing {
  /** A sentence about the job, for people, with what ends it. */
  readonly text: string;
  readonly sinceUnixSeconds: number;
}

export interface Capabilities {
  /** What a suspended attempt gives back: cores and memory, only cores, or it cannot be suspended. */
  readonly suspend: "full" | "cpu-only" | "none";
  /** Whether an attempt runs on the machines that it was given. If not, the engine chooses among its own. */
  readonly pinning: boolean;
  /** From `start` to the first instruction, usually. */
  readonly startLatencySeconds: number;
  /** What ending an attempt and starting the next costs beyond the work that is done again. */
  readonly restartCostSeconds: number;
  /** What happens to an attempt that takes more than its limits. */
  readonly limits: {
    readonly memory: LimitKind;
    readonly cores: LimitKind;
    readonly time: LimitKind;
    readonly output: LimitKind;
  };
  /**
   * Where the output of an attempt goes that names no file:
   *
   * - `farm`: into a file of the farm, since attempts see the service's files. An attempt of a user who may not write
   *   there leaves it with the engine.
   * - `engine`: the engine keeps it until `forget`.
   * - `none`: nothing is printed that is worth a file.
   */
  readonly output: "farm" | "engine" | "none";
  /** Whether attempts run on when these end without warning. */
  readonly survives: {
    /** The process that holds this object. */
    readonly service: boolean;
    /** The engine's own daemons. */
    readonly engine: boolean;
    /** The machine that the attempt runs on. */
    readonly machine: boolean;
  };
}

/**
 * - `enforced`: it cannot be exceeded, or the attempt ends the moment it is.
 * - `watched`: the engine looks every few seconds and ends what is above.
 * - `ignored`: nothing happens.
 * - `unknown`: the engine's own configuration decides, and does not tell.
 */
export type LimitKind = "enforced" | "watched" | "ignored" | "unknown";

export interface Machine {
  readonly name: string;
  /** What attempts of ours may use: without what others use. */
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly gpuMilli: number;
  /** With what others use, where they may use a part of it: a job that asks for so much waits, and is not rejected. */
  readonly whole?: Readonly<Record<"coresMilli" | "memoryMiB" | "gpuMilli", number>>;
  readonly attributes: Readonly<Record<string, string>>;
  /** `drained`: takes nothing new; what runs there goes on. */
  readonly state: "up" | "down" | "drained";
  /** Why it is not up; empty if it is up, or the reason is not known. */
  readonly reason: string;
}

export interface StartRequest {
  readonly id: AttemptId;
  /** At least one; no machine twice. The command runs once, on the first. */
  readonly placement: readonly Placement[];
  /** The program and its arguments, as they are: no shell reads them. */
  readonly command: readonly string[];
  /** The working directory, an absolute path. */
  readonly directory: string;
  /** The whole environment. The engine adds `CROFT_ATTEMPT`, and what its kind needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** The user whose job it is. Null: no particular user. */
  readonly user: string | null;
  /** An absolute path that the job's user may read; null or absent: its standard input is empty. */
  readonly stdinPath?: string | null;
  /** Absolute paths that the job's user may write to. Null: the engine keeps the output. */
  readonly stdoutPath: string | null;
  readonly stderrPath: string | null;
  /** Whether the folders of these paths are made, as the job's user; absent: no. */
  readonly makesFolders?: boolean;
  /** A line before what is added to a file that is there already; absent: none. Nothing in a file is written over. */
  readonly heading?: string;
  /** With which the job's own files are made, in octal digits; absent: 022. */
  readonly umask?: string;
  /** With which the job runs; absent: as the service does. */
  readonly softLimits?: SoftLimits;
  readonly limits: Limits;
}

/** What the attempt takes on one machine. */
export interface Placement {
  readonly machine: string;
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly gpuMilli: number;
}

/** On each machine. Null: none. */
export interface Limits {
  readonly memoryMiB: number | null;
  readonly coresMilli: number | null;
  /** Running time: suspended time does not count. */
  readonly seconds: number | null;
  /** Absent: none. */
  readonly output?: OutputLimit;
  /** A signal that the command gets so long before its time is over, once; absent: none. */
  readonly warning?: Warning;
  /** How long an attempt above a limit has between SIGTERM and SIGKILL. */
  readonly graceSeconds: number;
}

/** On each of the files that are kept for an attempt: those that are named here, and those of the engine. */
export interface OutputLimit {
  readonly bytes: number;
  readonly paths: readonly string[];
}

export interface Warning {
  readonly signal: WarningSignal;
  readonly seconds: number;
}

export const warningSignals = ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "CONT"] as const;
export type WarningSignal = (typeof warningSignals)[number];

export type Report = AttemptReport | MachineReport | Reachable | Unreachable | Notice;

export type AttemptReport =
  | Started
  | StartFailed
  | Suspended
  | SuspendFailed
  | Resumed
  | ResumeFailed
  | Exited
  | Lost;

/** How an attempt ended. */
export type Outcome = Exited | Lost | StartFailed;

export interface Started {
  readonly kind: "started";
  readonly id: AttemptId;
  /** Where it really runs. */
  readonly machines: readonly string[];
  /** The names of the GPUs that the job was given; absent: the pool has no names for its GPUs. */
  readonly gpus?: readonly string[];
  readonly unixSeconds: number;
}

/** Nothing of it ran, and nothing of it ever will. */
export interface StartFailed {
  readonly kind: "start-failed";
  readonly id: AttemptId;
  /**
   * - `machine`: this machine would fail others too; try another one.
   * - `job`: it would fail anywhere.
   * - `transient`: the same attempt may succeed at another time.
   */
  readonly fault: "machine" | "job" | "transient";
  readonly reason: string;
  /** The machine is to take nothing more until a person has looked at it. */
  readonly drains?: true;
}

export interface Suspended {
  readonly kind: "suspended";
  readonly id: AttemptId;
  /** Absent: it stands still since a moment ago. */
  readonly stood?: Stood;
}

/** How long an attempt has stood still, of an engine that knows it. */
export interface Stood {
  /** In all, without the present time. */
  readonly seconds: number;
  /** Null: it does not stand still. */
  readonly sinceUnixSeconds: number | null;
}

export interface SuspendFailed {
  readonly kind: "suspend-failed";
  readonly id: AttemptId;
  readonly reason: string;
}

export interface Resumed {
  readonly kind: "resumed";
  readonly id: AttemptId;
  /** Absent: it has gone on a moment ago. */
  readonly stood?: Stood;
}

export interface ResumeFailed {
  readonly kind: "resume-failed";
  readonly id: AttemptId;
  readonly reason: string;
}

/** It is over and its end is known. */
export interface Exited {
  readonly kind: "exited";
  readonly id: AttemptId;
  /** Null if it never ran or its end was not seen, and where an engine knows that a signal ended it. */
  readonly status: number | null;
  /** The number of the signal that ended it, or may have: a shell has a status of 128 + signal for that. */
  readonly signal: number | null;
  readonly cause: ExitCause;
  /** How many processes the command left running, which were ended; absent: none that was seen. */
  readonly left?: number;
  readonly usage: Usage;
  /** When it ended; null where unknown. */
  readonly unixSeconds: number | null;
}

/**
 * - `itself`: the command returned, or was killed by something that is not the engine.
 * - `never-ran`: `end` came before it had started.
 * - `asked`: by `end`.
 * - `memory`, `cores`, `time`, `output`: by its limit.
 * - `outside`: an administrator or the engine's own rules ended it.
 */
export type ExitCause = "itself" | "never-ran" | "asked" | "memory" | "cores" | "time" | "output" | "outside";

/** Null: not known. */
export interface Usage {
  /** From start to end, suspended time included. By a clock that does not jump. */
  readonly elapsedSeconds: number | null;
  readonly cpuSeconds: number | null;
  readonly memoryPeakMiB: number | null;
}

/** It ran, nothing of it runs any more, and its end can never be known. */
export interface Lost {
  readonly kind: "lost";
  readonly id: AttemptId;
  readonly reason: string;
}

export type MachineReport =
  | { readonly kind: "machine"; readonly machine: Machine }
  | { readonly kind: "machine-removed"; readonly name: string };

export interface Reachable {
  readonly kind: "reachable";
}

export interface Unreachable {
  readonly kind: "unreachable";
  readonly reason: string;
  readonly sinceUnixSeconds: number;
}

/** Something that a person should know and that changes nothing. */
export interface Notice {
  readonly kind: "notice";
  readonly text: string;
  /** Something is wrong on the machine. */
  readonly warns?: true;
}

export interface Listing {
  readonly kind: "listing";
  readonly attempts: readonly KnownAttempt[];
  /** Files and jobs that are not ours, or look like ours but cannot be read: they are left alone. */
  readonly foreign: readonly string[];
  /** Why attempts that are not listed may have run all the same; absent: none of them has. */
  readonly forgotten?: string;
}

/** What is known of an attempt that is not over. */
export interface Writing {
  /** The paths that it was started with, as far as an engine opened since has found them; absent: none. */
  readonly outputs?: readonly string[];
  /** The number of its job; absent: the engine does not know it. */
  readonly jobNumber?: number;
}

export type KnownAttempt =
  /** Its start is under way: it may start at any time, unless it is ended. Repeat `start` to make sure that it does. */
  | ({ readonly id: AttemptId; readonly state: "starting" } & Writing)
  | ({
      readonly id: AttemptId;
      readonly state: "running" | "suspended";
      readonly started: Started;
      readonly stood?: Stood;
    } & Writing)
  /** With how long it had stood still when it ended. */
  | { readonly id: AttemptId; readonly state: "over"; readonly outcome: Outcome; readonly stood?: Stood };
