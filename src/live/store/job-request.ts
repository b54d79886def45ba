import { basename } from "node:path";

import type { WarningSignal } from "../engines/engine.ts";
import { DEFAULT_PRIORITY } from "../limits.ts";
import type { SoftLimits } from "../engines/soft-limits.ts";

/** How another job must end for a job to start. */
export type Condition = "ok" | "failed" | "any";

/** For what a job may run again. */
export const retryCauses = ["lost", "time", "memory", "cores", "status"] as const;
export type RetryCause = (typeof retryCauses)[number];

/** Of what a user may be told: that a job has started, is over, or is over and has failed, was lost or rejected. */
export const notifyMoments = ["start", "end", "fail"] as const;
export type NotifyMoment = (typeof notifyMoments)[number];

/** By which of the farm's channels a user is told of a job, and of what. */
export interface Notify {
  readonly channel: string;
  readonly on: readonly NotifyMoment[];
}

/** What a job asks for, defaults filled in. */
export interface JobRequest {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** The working directory, an absolute path. */
  readonly directory: string;
  readonly name: string;
  readonly cores: number;
  /** 0: none is counted, and there is no limit. */
  readonly memoryMiB: number;
  readonly gpus: number;
  /** How long it may run; null: as long as it takes. */
  readonly timeSeconds: number | null;
  /** The signal that it gets before its time is over; null: none. */
  readonly signal: { readonly name: WarningSignal; readonly secondsBefore: number } | null;
  readonly priority: number;
  /** A pool, or a virtual pool; null: the first virtual pool. */
  readonly pool: string | null;
  /** An expression over machines' attributes; empty: any machine. */
  readonly requires: string;
  /** The licences that it asks for, as `askedLicences` reads them; empty: none. */
  readonly licences: string;
  readonly project: string;
  /** The business group, whose machines it comes first on. */
  readonly group: string;
  /** How often it is run again after it has failed or was lost. */
  readonly retries: number;
  /** For which causes; null: for any. */
  readonly retryOn: readonly RetryCause[] | null;
  /** How long it waits before that. */
  readonly retryDelaySeconds: number;
  readonly notify: readonly Notify[];
  readonly hold: boolean;
  /** Before and by when: see `LiveJob`. */
  readonly beginAt: number | null;
  readonly deadlineAt: number | null;
  readonly after: readonly { readonly job: number; readonly condition: Condition }[];
  /** Paths for its output, with signs such as %j (`output-pattern.ts`); null: the farm keeps it. */
  readonly output: string | null;
  readonly errorOutput: string | null;
  /** A path for its standard input; null: it is empty. */
  readonly input: string | null;
  /** Whether the folders of these files are made. */
  readonly makeFolders: boolean;
  /** With which it makes files, in octal digits; null: the service's own. */
  readonly umask: string | null;
  /** With which it runs; what is not there is as the service has it. */
  readonly softLimits: SoftLimits;
  /** Of an array: the first job's number, this one's index, and how many of it may run at once; absent: all. */
  readonly array: { readonly first: number; readonly index: number; readonly most?: number } | null;
  /** The job that was submitted again as this one; null: none. */
  readonly rerunOf: number | null;
  /** A note for people. */
  readonly comment: string;
  /** By which jobs can be found again. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The longest name that a job has. */
const NAME_LENGTH = 200;

/** What a job asks for that says nothing of itself but its command. */
const DEFAULTS = {
  directory: "/",
  cores: 1,
  memoryMiB: 0,
  gpus: 0,
  timeSeconds: null,
  signal: null,
  priority: DEFAULT_PRIORITY,
  pool: null,
  requires: "",
  licences: "",
  project: "",
  group: "",
  retries: 0,
  retryOn: null,
  retryDelaySeconds: 0,
  notify: [] as JobRequest["notify"],
  hold: false,
  beginAt: null,
  deadlineAt: null,
  after: [] as JobRequest["after"],
  output: null,
  errorOutput: null,
  makeFolders: false,
  input: null,
  umask: null,
  softLimits: {} as SoftLimits,
  array: null,
  rerunOf: null,
  comment: "",
  tags: {} as JobRequest["tags"],
} as const;
const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

/** What a job asks for that says no more than this of itself. */
export function jobRequest(
  command: readonly [string, ...string[]],
  asked: Partial<JobRequest> = {},
): JobRequest {
  return { command, name: basename(command[0]).slice(0, NAME_LENGTH), ...DEFAULTS, ...asked };
}

/**
 * A request as its row keeps it: without what is at its default. Most jobs ask for little, and the text of all fields
 * took a tenth of the time of a list of jobs.
 */
export function requestText(request: JobRequest): string {
  const asked: Record<string, unknown> = { command: request.command, name: request.name };
  for (const name of names) {
    const value = request[name];
    if (value !== DEFAULTS[name] && !isEmpty(value)) asked[name] = value;
  }
  return JSON.stringify(asked);
}

function isEmpty(value: JobRequest[keyof typeof DEFAULTS]): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Tags as their column has them: each is a line of its own, by which it is found. */
export function tagsText(tags: JobRequest["tags"]): string {
  const lines = Object.entries(tags).map(tagLine);
  return lines.length === 0 ? "" : `\n${lines.join("\n")}\n`;
}

export function tagLine([key, value]: readonly [key: string, value: string]): string {
  return `${key}=${value}`;
}

/** A request from its row. */
export function readRequest(text: string): JobRequest {
  return { ...DEFAULTS, ...(JSON.parse(text) as JobRequest) };
}
