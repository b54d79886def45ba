import type { PageInput } from "../../report/input.ts";
import type { PageModel } from "../../report/model.ts";
import type { RunResult } from "../../simulation/result.ts";
import type { JudgedAlone } from "../study/claims/parts.ts";
import type { OnlineSummary } from "../study/online/summary.ts";
import type { OptimumResult } from "../study/optimum/optimum.ts";

/** The data of a study's page. It is plain, so it can be kept as JSON and rendered again. */
export interface StudyInput extends PageInput {
  /** The opening sentence, if the page is not about a workload's jobs. */
  readonly overview?: string;
  readonly claims?: readonly Claim[];
  readonly tables?: readonly FigureTable[];
  readonly curves?: readonly Curves[];
  readonly bucketWins?: BucketWins;
  readonly packing?: PackingStudy;
  readonly online?: OnlineSummary;
  readonly optimum?: OptimumResult;
}

/** The model of the chapters of a study. */
export interface StudyModel extends PageModel {
  readonly input: StudyInput;
}

/** A statement about policies from the literature, judged by these runs. */
export interface Claim {
  readonly claim: string;
  /** Null: cannot be judged with this workload and these runs. */
  readonly holds: boolean | null;
  /** The figures that decide it, or what is missing. */
  readonly evidence: string;
  /** What parts of the input alone say, such as its weeks. */
  readonly alone?: JudgedAlone;
}

/** How many buckets of jobs each heuristic packed best, every one alone into an empty pool. */
interface BucketWins {
  readonly buckets: number;
  /** Jobs in a bucket. */
  readonly jobs: number;
  /** Shares of the buckets; ties count for each, so that the sum may exceed 1. */
  readonly wins: Readonly<Record<string, number>>;
  /** Shares of the buckets that a heuristic won alone. */
  readonly soleWins: Readonly<Record<string, number>>;
}

/** What packing policies do to a farm that is never short of jobs. */
interface PackingStudy {
  /** Losses are measured against the first. */
  readonly runs: readonly {
    readonly run: RunResult;
    /** Of the first run's throughput, with the bounds of its 95 % confidence interval. */
    readonly throughput: {
      readonly loss: number;
      readonly interval: { readonly low: number; readonly high: number } | null;
    };
  }[];
  /** The constructed sequence that locks a farm, policy by policy. */
  readonly locks: readonly {
    readonly policy: string;
    readonly ttlSeconds?: number;
    readonly lockedSeconds: number;
    readonly idleShare: number;
  }[];
}

/** Figures as text: the first cell of a row is its name. */
export interface FigureTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether the cells are sentences; otherwise all but the first of a row are figures. */
  readonly isText?: true;
}

/** Lines over one axis. */
export interface Curves {
  readonly caption: string;
  /** Marks without lines between them. */
  readonly isScattered?: boolean;
  readonly x: string;
  readonly y: string;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}
