import type { Machine, Report } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import type { Disk } from "../system/disk.ts";
import type { Users } from "../users.ts";
import type { SlurmAttempt } from "./attempt.ts";
import type { SlurmCli } from "./cli.ts";
import type { SlurmSettings } from "./settings.ts";

/** What the parts of the engine share. */
export interface Parts {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly folder: string;
  readonly cli: SlurmCli;
  readonly users: Users;
  readonly settings: SlurmSettings;
  /** Every attempt known, by key. */
  readonly attempts: Map<string, SlurmAttempt>;
  readonly machine: (name: string) => Machine | undefined;
  /** Since when the controller has heard of all of these; null: it has not. */
  readonly registeredSince: (machines: readonly string[]) => number | null;
  readonly report: (report: Report) => void;
  /** Called when an attempt has begun to run, so that Slurm saves that. */
  readonly saveStart: (attempt: SlurmAttempt) => void;
  readonly unreachable: (reason: string) => void;
  /**
   * Does a task that must be done: repeats it while the disk fails, and reports the engine as unreachable meanwhile.
   */
  readonly insist: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Looks at the queue soon, since something has changed. */
  readonly lookSoon: () => void;
}

export function wrapperPath({ folder }: Pick<Parts, "folder">): string {
  return `${folder}/wrapper.sh`;
}

export function attemptsPath({ folder }: Pick<Parts, "folder">): string {
  return `${folder}/attempts`;
}

export function attemptPath(parts: Pick<Parts, "folder">, key: string): string {
  return `${attemptsPath(parts)}/${key}`;
}
