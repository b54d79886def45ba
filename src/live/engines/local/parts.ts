import type { Machine, Report } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import type { Disk } from "../system/disk.ts";
import type { LocalAttempt } from "./attempt.ts";
import type { Boot } from "./boot.ts";
import type { Census } from "./census.ts";
import type { Cgroups } from "./cgroups.ts";
import type { Control } from "./control.ts";
import type { Gpus } from "./gpus.ts";
import type { Hooks } from "./hooks.ts";
import type { Processes } from "./processes.ts";
import type { Users } from "../users.ts";
import type { Wrappers } from "./wrappers.ts";

/** Why an attempt is lost that was launched in another boot. */
export const RESTARTED = "the machine was restarted";

/** What the parts of the local engine share. */
export interface Parts {
  readonly clock: Clock;
  /** Nothing on it is flushed: what it is about ends with the machine. */
  readonly disk: Disk;
  readonly boot: Boot;
  readonly processes: Processes;
  readonly census: Census;
  readonly control: Control;
  readonly wrappers: Wrappers;
  readonly cgroups: Cgroups | null;
  readonly users: Users;
  readonly machine: Machine;
  /** Null: attempts see those of the machine as they are. */
  readonly gpus: Gpus | null;
  /** What is done before and after each attempt; null: nothing. */
  readonly hooks: Hooks | null;
  readonly folder: string;
  /** Every attempt known, by key. */
  readonly attempts: Map<string, LocalAttempt>;
  readonly report: (report: Report) => void;
  /** Runs a task after those of the same attempt that came before. */
  readonly inTurn: (key: string, task: () => Promise<void>) => void;
  /** Whether there is none of an attempt under way. */
  readonly isIdle: (key: string) => boolean;
  /**
   * Does a task that must be done: repeats it while the disk fails, and reports the engine as unreachable meanwhile.
   */
  readonly insist: <Result>(task: () => Promise<Result>) => Promise<Result>;
}

export function attemptsPath({ folder }: Pick<Parts, "folder">): string {
  return `${folder}/attempts`;
}

export function attemptPath(parts: Pick<Parts, "folder">, key: string): string {
  return `${attemptsPath(parts)}/${key}`;
}
