import type { Fidelity, NearestBecause } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import type { RunResult } from "../simulation/result.ts";
import type { WorkloadNote } from "../workload/workload.ts";
import type { Trials } from "./trials.ts";

/** What says when cycles run, among the settings; the page says it of the runs where no setting does. */
export const CYCLES_SETTING = "scheduling cycles";

/** What every page has. It is plain, so it can be kept as JSON and rendered again. */
export interface PageInput {
  readonly title: string;
  readonly workload: Pick<WorkloadFacts, "name" | "synthetic" | "jobs">;
  readonly characterization?: Characterization;
  /** What it was made with, in the order to show it. */
  readonly settings?: readonly { readonly name: string; readonly value: string }[];
  /** The command line that makes it again. */
  readonly command: string;
  /** Of the program that made it. */
  readonly version: string;
}

/** All that a report shows: a page's data and the runs. */
export interface ReportInput extends PageInput {
  readonly workload: WorkloadFacts;
  readonly machines: MachineFacts;
  /** Several policies at several loads; at least one. */
  readonly runs: readonly RunResult[];
  /**
   * The policy that the reader named as theirs, with which the others are compared. Without it, they are compared
   * with the record, or else with `first-fit`, or else with the first of the runs.
   */
  readonly baseline?: string;
  /** The farm as it was, at the log's own pace. */
  readonly recorded?: RecordedRun;
  /** How near the simulation comes to that. */
  readonly fidelity?: Fidelity;
  /** The most likely reason why jobs are rejected, and what to do about it. */
  readonly rejectionAdvice?: string;
  readonly next?: NextSteps;
  /** Where jobs ran, and whether the machines are known from that alone. */
  readonly machineUse?: MachineUse;
  /** Absent where the log tells of nearly all jobs how long they may run, or no policy plans with that. */
  readonly withoutLimits?: WithoutLimits;
  readonly arrivals?: ArrivalFacts;
  /** Of policies that the farm's batch system cannot do: what it does instead, in a sentence. */
  readonly unattainable?: Readonly<Record<string, string>>;
  /** Further runs that show how sure the verdict is. */
  readonly trials?: Trials;
  /** Why so little is there that nothing can be said of policies: told in the place of a verdict. */
  readonly tooLittle?: string;
}

/** Where the log says that jobs ran. */
export interface MachineUse {
  readonly isInferred: boolean;
  /** Of inferred machines: the part of the jobs that do not say where they ran, so that some may be missing. */
  readonly placelessShare?: number;
  readonly machines: number;
  /** Whether jobs go to the machines of their queues, or partitions. */
  readonly isByQueue?: true;
  /** The queue with the most jobs, its part of all, and how many machines take them; absent: jobs may run anywhere. */
  readonly queue?: { readonly name: string; readonly machines: number; readonly jobsShare: number };
  /** Absent where the log does not say where these jobs ran, or they require something of machines. */
  readonly used?: number;
  /** The machine on which most of them ran, and their part of these. */
  readonly busiest?: { readonly name: string; readonly jobsShare: number };
}

/** Jobs of which nobody said how long they may run: in a simulation, policies that plan know how long they ran. */
export interface WithoutLimits {
  /** Of all jobs. */
  readonly jobsShare: number;
  /** Those that plan with it. */
  readonly policies: readonly string[];
}

/** How jobs come in a log. */
export interface ArrivalFacts {
  readonly spanSeconds: number;
  /** Until the first hundredth of the jobs were submitted, and that time as `--from` takes it. */
  readonly headSeconds: number;
  readonly head: string;
  readonly days: number;
  readonly daysWithJobs: number;
  /** The longest time without a submission, with its ends as `--to` and `--from` take them; null below two days. */
  readonly longestGap: {
    readonly seconds: number;
    readonly from: string;
    readonly until: string;
    /** Whether more jobs come after it than before. */
    readonly isLaterLarger: boolean;
  } | null;
}

/** How to set up the best policy in a batch system: the farm's own, or each of them if that is unknown. */
export interface NextSteps {
  readonly policy: string;
  /** Further options of the command that writes the settings: ` --fair-share`. */
  readonly options: string;
  /** How it is known that the farm uses this policy already; null where it uses another. */
  readonly there: NearestBecause | null;
  /** The part of the recorded mean wait that jobs do not wait in the simulation of that policy; absent where they are near. */
  readonly unexplained?: number;
  /** Whether that is about how long the farm takes to start a job: hardly any waits in the simulation. */
  readonly isStartLatency?: true;
  /**
   * What is assumed to have run, where that does not follow the record; with what does, if farms run such. Absent where it
   * is known what ran, or the record is followed.
   */
  readonly assumed?: { readonly policy: string; readonly nearer?: string };
  /** Whether logs can be drawn from this one, and none were. */
  readonly canResample?: true;
  /** The part of the jobs that have no limit, where they are so many that the policy comes about with limits only. */
  readonly withoutLimits?: number;
  /** Whether a plugin's program decides, which no batch system runs. */
  readonly isPlugins?: true;
  /** The farm's own batch system, where the log tells it. */
  readonly own?: string;
  /** Those that settings are written for: the farm's own, or all where that is unknown; none where there are none for it. */
  readonly systems: readonly {
    /** As `croft export` calls it. */
    readonly name: string;
    readonly title: string;
    /** What can be loaded; none where nothing should change, or not yet. */
    readonly settings: readonly {
      readonly name: string;
      readonly where: string;
      readonly lines: readonly string[];
    }[];
    /** What takes something from a job or a user, and is a decision of the site's. */
    readonly decisions: readonly { readonly lines: readonly string[]; readonly does: string }[];
    /** What has to be done before, so that there are no settings yet. */
    readonly first?: string;
    /** The policy that it does in place of this one, where jobs wait otherwise by that. */
    readonly instead?: string;
    /** The parts of the policy that the batch system does not support, a sentence each. */
    readonly missing: readonly string[];
    readonly tried: string;
  }[];
}

export interface WorkloadFacts {
  readonly name: string;
  readonly synthetic: boolean;
  /** The format it was read in; absent where it was made otherwise. */
  readonly format?: string;
  readonly jobs: number;
  /** From the first submission to the last. */
  readonly spanSeconds: number;
  /** Σ cores·run time ÷ (pool cores · arrival span), arrival times as they are. */
  readonly offeredLoad: number;
  readonly notes: readonly WorkloadNote[];
  /** Of the notes, those of what was left out: how many lines or jobs, and why. */
  readonly dropped?: {
    readonly count: number;
    readonly reasons: readonly WorkloadNote[];
  };
  /** What the log tells of its jobs. */
  readonly columns?: readonly string[];
  /** Seconds since 1970 at which the log's clock shows 0; absent where that is unknown. */
  readonly unixStartSeconds?: number;
}

export interface MachineFacts {
  readonly name: string;
  readonly count: number;
  /** Of all machines together. */
  readonly coresMilli: number;
  /** Of all machines together; null: memory is not considered. */
  readonly memoryMiB: number | null;
}

/** What the jobs ask for. */
export interface Characterization {
  /** Cores per job, smallest first. */
  readonly cores: readonly Bin[];
  /** Memory per job, smallest first; null where the log says nothing of memory. */
  readonly memory: readonly Bin[] | null;
  /** Means over consecutive jobs, in order of submission (equal lengths). */
  readonly buckets: {
    readonly jobs: number;
    /** Seconds since the first submission at which the bucket begins. */
    readonly timeSeconds: readonly number[];
    readonly coresMeanMilli: readonly number[];
    readonly memoryMeanMiB: readonly number[] | null;
  } | null;
  /** `share` of the jobs run for at most `seconds`, ascending. */
  readonly runtimes: readonly { readonly share: number; readonly seconds: number }[];
}

export interface Bin {
  /** `1`, `2–4`, `8 GiB`. */
  readonly name: string;
  readonly jobs: number;
}
