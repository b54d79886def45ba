import type { SchedulingPolicy } from "./policy.ts";

/** The settings of a scheduling policy in a batch system, as far as it supports the policy. */
export interface SchedulingAdvice {
  readonly settings: readonly SettingsFile[];
  /** The parts of the policy that the batch system does not support, a sentence each. */
  readonly missing: readonly string[];
  /** What to know before it is installed, a sentence each. */
  readonly know: readonly string[];
  /** Commands that show whether it is in force. */
  readonly check: readonly string[];
}

/** Lines for a file of the batch system's. */
export interface SettingsFile {
  /** Its name in the folder of the export. */
  readonly name: string;
  /** Where its lines go, in words. */
  readonly where: string;
  /** The lines, comments among them. */
  readonly lines: readonly string[];
}

/** Writes a scheduling policy in the language of one batch system. */
export interface SchedulingExporter {
  readonly name: string;
  readonly title: string;
  /** What was tried, and what was not. */
  readonly tried: string;
  advise(policy: SchedulingPolicy): SchedulingAdvice;
}
