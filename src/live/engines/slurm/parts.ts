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
  /** It has begun to run: Slurm is to write that down. */
  readonly begun: (attempt: SlurmAttempt) => void;
  readonly unreachable: (reason: string) => void;
  /** Does what must be done, trying again while the disk does not let it; says so meanwhile. */
  readonly insist: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Something has changed: the queue is to be looked at now. */
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
