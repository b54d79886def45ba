import type { Machine, Report } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import type { Disk } from "../system/disk.ts";
import type { KubernetesAttempt } from "./attempt.ts";
import type { Connection } from "./connection.ts";
import type { KubernetesSettings } from "./settings.ts";

/** What the parts of the engine share. */
export interface Parts {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly folder: string;
  readonly settings: KubernetesSettings;
  readonly connection: Connection;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Every attempt known, by key. */
  readonly attempts: Map<string, KubernetesAttempt>;
  readonly machine: (name: string) => Machine | undefined;
  readonly report: (report: Report) => void;
  /** Does a task that must be done: repeats it while the disk fails, and reports the engine as unreachable meanwhile. */
  readonly insist: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Deals with an attempt soon, since something has changed. */
  readonly reconcileSoon: (attempt: KubernetesAttempt) => void;
}

export function attemptsPath({ folder }: Pick<Parts, "folder">): string {
  return `${folder}/attempts`;
}

export function attemptPath(parts: Pick<Parts, "folder">, key: string): string {
  return `${attemptsPath(parts)}/${key}`;
}

export function recordPath(parts: Pick<Parts, "folder">, key: string): string {
  return `${attemptPath(parts, key)}/record.json`;
}

export function outputPath(parts: Pick<Parts, "folder">, key: string): string {
  return `${attemptPath(parts, key)}/stdout`;
}

export function podsPath({ settings }: Pick<Parts, "settings">): string {
  return `/api/v1/namespaces/${settings.namespace}/pods`;
}
