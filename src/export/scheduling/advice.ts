import type { LogFacts } from "./log-facts.ts";
import type { SchedulingPolicy } from "./policy.ts";
import type { Present } from "./present.ts";

/** The settings of a scheduling policy in a batch system, as far as it supports the policy. */
export interface SchedulingAdvice {
  /** What can be loaded: it changes which waiting jobs start, and takes nothing from a job or a user. */
  readonly files: readonly SettingsFile[];
  /** What the policy needs beyond that. It takes something from somebody, so it is in no file. */
  readonly decisions: readonly Decision[];
  /** The parts of the policy that the batch system does not support, a sentence each. */
  readonly missing: readonly string[];
  /** What to know before it is installed, a sentence each. */
  readonly know: readonly string[];
  /** Commands that show whether it is in force. */
  readonly check: readonly string[];
}

/** Settings for a file of the batch system's. */
export interface SettingsFile {
  /** Its name in the folder of the export. */
  readonly name: string;
  /** Where its lines go, in words. */
  readonly where: string;
  readonly settings: readonly Setting[];
  readonly syntax: Syntax;
}

/** A setting, and what it is to become. */
export interface Setting {
  readonly name: string;
  /** Empty: a flag, which has no value; null: the setting is to be taken out. */
  readonly value: string | null;
  /** The setting that it is a part of: Slurm's SchedulerParameters has many parts. */
  readonly within?: string;
  /** What holds where it is not written. */
  readonly byDefault?: string;
  /** Whether more is as good: a site that has more keeps it. */
  readonly isMinimum?: true;
  /** A setting that does the same, and more: where the site has that one, this is not written. */
  readonly doneBy?: string;
  /** A setting beside which it takes something from somebody: where a site has that, in any place, it is a decision. */
  readonly takesBeside?: { readonly name: string; readonly does: string };
  /** What it changes, a sentence. */
  readonly does: string;
  /** What brings it into force. */
  readonly load: string;
}

/** A setting that is not as the policy has it. */
export interface Change {
  readonly setting: Setting;
  /** The part of the file that it is in, such as a queue; empty: the whole file. */
  readonly place: string;
  /** Null: it is not written; undefined: unknown. */
  readonly was: string | null | undefined;
}

/** How the settings of a file are read and written. */
export interface Syntax {
  /** The place that is no part of the file but holds the parts of a setting. */
  readonly parts?: string;
  /** What a file of the site's has; null where it is a file of another kind. */
  read(text: string): Present | null;
  /** Lines that can be loaded. */
  write(changes: readonly Change[], present: Present | null): string[];
  /** Lines that go back to what was. */
  back(changes: readonly Change[], present: Present): string[];
}

/** What a site has to decide for itself, with the lines that would do it. */
export interface Decision {
  readonly lines: readonly string[];
  /** What it does, and to whom. */
  readonly does: string;
}

/** What a batch system does when it is told to follow a policy. */
export interface Attainable {
  /** The policy, as Croft prints it, whose simulation shows that best. */
  readonly policy: string;
  /** Under a policy that only places: whether jobs that do not fit keep machines free. */
  readonly reservations: "all" | "none";
  /** Whether it is the policy that was asked for. */
  readonly isSame: boolean;
  /** Where jobs wait otherwise by it: what the system does instead, a sentence; null where it only places otherwise. */
  readonly instead: string | null;
}

/** Writes a scheduling policy in the language of one batch system. */
export interface SchedulingExporter {
  readonly name: string;
  readonly title: string;
  /** The files or commands whose text `--against` takes. */
  readonly against: string;
  /** What was tried, and what was not. */
  readonly tried: string;
  /**
   * What it believes of a job without a limit when it plans, which keeps that job from passing others; null where nothing
   * is planned, or the settings say what to expect.
   */
  ofUnlimited(policy: SchedulingPolicy): string | null;
  /** @param facts what the log says; null: there is no log to take values from */
  advise(policy: SchedulingPolicy, facts: LogFacts | null): SchedulingAdvice;
  attainable(policy: SchedulingPolicy): Attainable;
}
