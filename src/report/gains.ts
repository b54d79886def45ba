import { NAMED } from "../simulation/figures/waits-by-part.ts";
import type { PartWaits, WaitsByPart } from "../simulation/figures/waits-by-part.ts";
import { formatDuration } from "./numbers.ts";
import { AS_IT_WAS, type Reference } from "./reference.ts";
import type { PolicyRun } from "./runs.ts";
import { NO_MATTER_SECONDS } from "../simulation/comparison/wait-comparison.ts";

/** Who waits less under the best policy, and who longer. */
export interface Gains {
  /** What the best policy is compared with: a policy, or `as it was`. */
  readonly against: string;
  readonly best: string;
  readonly longestBeforeSeconds: number;
  readonly longestAfterSeconds: number;
  readonly kinds: readonly GainsOfKind[];
}

export interface GainsOfKind {
  /** `users`, `job sizes`. */
  readonly kind: string;
  /** Whether these are all parts, or only those with the most jobs. */
  readonly isAll: boolean;
  /**
   * Whether the parts are steps of a scale, such as sizes, and in its order. Otherwise those that lose most come first, by the
   * sum over their jobs: the mean of one job is luck.
   */
  readonly isScale: boolean;
  readonly parts: readonly PartGain[];
}

export interface PartGain {
  readonly name: string;
  readonly jobs: number;
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  /** The longest wait under the best policy. */
  readonly longestAfterSeconds: number;
}

/** Differences of a mean wait below this part of it are none: nobody notices them, and a simulation does not tell them. */
const NO_MATTER_SHARE = 0.05;

const kinds: readonly {
  readonly key: keyof WaitsByPart;
  readonly kind: string;
  readonly isScale: boolean;
}[] = [
  { key: "users", kind: "users", isScale: false },
  { key: "projects", kind: "projects", isScale: false },
  { key: "queues", kind: "queues", isScale: false },
  { key: "cores", kind: "job sizes", isScale: true },
  { key: "runtimes", kind: "run times", isScale: true },
];

/** What a part of each kind is called before its name: `user 17`, `jobs of 5 to 16 cores`. */
const ofOne: Readonly<Record<string, string>> = {
  users: "user",
  projects: "project",
  queues: "queue",
  "job sizes": "jobs of",
  "run times": "jobs that run",
};

export function partName(kind: string, { name }: Pick<PartGain, "name">): string {
  return `${ofOne[kind] ?? kind} ${name}`;
}

/** The best policy compared with the reference; null where they are the same policy. */
export function gainsOf(best: PolicyRun, reference: Reference): Gains | null {
  if (reference.policy === best.policy || best.run.started === 0) return null;
  const [before, after] = [reference.run.waitsBy, best.run.waitsBy];
  return {
    against: reference.policy,
    best: best.policy,
    longestBeforeSeconds: reference.run.waitMaxSeconds,
    longestAfterSeconds: best.run.waitMaxSeconds,
    kinds:
      before === undefined || after === undefined
        ? []
        : kinds.flatMap(({ key, kind, isScale }) => {
            const parts = pair(before[key], after[key]);
            if (parts.length < 2) return [];
            if (!isScale) parts.sort((a, b) => lost(b) - lost(a));
            return [{ kind, isAll: isScale || parts.length < NAMED, isScale, parts }];
          }),
  };
}

function pair(before: readonly PartWaits[] | undefined, after: readonly PartWaits[] | undefined): PartGain[] {
  const known = new Map((before ?? []).map((part) => [part.name, part]));
  return (after ?? []).flatMap(({ name, jobs, waitMeanSeconds, waitMaxSeconds }) => {
    const was = known.get(name);
    return was === undefined
      ? []
      : [
          {
            name,
            jobs,
            beforeSeconds: was.waitMeanSeconds,
            afterSeconds: waitMeanSeconds,
            longestAfterSeconds: waitMaxSeconds,
          },
        ];
  });
}

/** How much longer a part waits in the mean, in seconds. */
function longer({ beforeSeconds, afterSeconds }: PartGain): number {
  return afterSeconds - beforeSeconds;
}

/** How much longer all jobs of a part wait together, in seconds. */
export function lost(part: PartGain): number {
  return longer(part) * part.jobs;
}

/** Whether a part clearly waits longer (1), less (-1), or neither (0). */
export function direction(part: PartGain): -1 | 0 | 1 {
  const change = longer(part);
  const matters =
    Math.abs(change) >= NO_MATTER_SECONDS && Math.abs(change) >= NO_MATTER_SHARE * part.beforeSeconds;
  return !matters ? 0 : change > 0 ? 1 : -1;
}

/** One sentence: who gains and who loses. Empty where nothing is known by part. */
export function gainsSentence(gains: Gains | null): string {
  if (gains === null || gains.kinds.length === 0) return "";
  const kindsTold = gains.kinds.map(({ kind, isAll, parts }) => {
    const losers = parts.filter((part) => direction(part) === 1).toSorted((a, b) => lost(b) - lost(a));
    const winners = parts.filter((part) => direction(part) === -1).length;
    const of = isAll ? `the ${parts.length} ${kind}` : `the ${parts.length} ${kind} with the most jobs`;
    if (losers.length === 0)
      return winners === 0
        ? `none of ${of} waits clearly longer or less`
        : `none of ${of} waits longer, ${winners} less`;
    const [worst] = losers;
    const told = `${partName(kind, worst!)}: ${formatDuration(worst!.beforeSeconds)} becomes ${formatDuration(worst!.afterSeconds)}`;
    if (losers.length === parts.length) return `all of ${of} wait longer (${told})`;
    return `${losers.length} of ${of} ${losers.length === 1 ? "waits" : "wait"} longer (${told}), ${winners} less`;
  });
  const against = gains.against === AS_IT_WAS ? "the recorded waits" : `the waits under ${gains.against}`;
  return `Against ${against}: ${kindsTold.join("; ")}.`;
}
