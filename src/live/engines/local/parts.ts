import type { Machine, Report } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import type { Disk } from "../system/disk.ts";
import type { LocalAttempt } from "./attempt.ts";
import type { Census } from "./census.ts";
import type { Cgroups } from "./cgroups.ts";
import type { Control } from "./control.ts";
import type { Processes } from "./processes.ts";
import type { Starter } from "./starter.ts";
import type { Users } from "../users.ts";

/** What the parts of the local engine share. */
export interface Parts {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly processes: Processes;
  readonly census: Census;
  readonly control: Control;
  readonly starter: Starter;
  readonly cgroups: Cgroups | null;
  readonly users: Users;
  readonly machine: Machine;
  readonly folder: string;
  /** Every attempt known, by key. */
  readonly attempts: Map<string, LocalAttempt>;
  readonly report: (report: Report) => void;
  /** Runs a task after those of the same attempt that came before. */
  readonly inTurn: (key: string, task: () => Promise<void>) => void;
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
