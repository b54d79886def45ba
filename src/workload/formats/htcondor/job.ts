import type { Names } from "../../names.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { UNREAD_CORES, UNREAD_GPUS, UNREAD_LIMIT, UNREAD_MEMORY } from "../recorded-jobs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";

/** An attribute's value. An expression is not evaluated here. */
export type AdValue = number | string | { readonly expression: string };

/** The attributes of a job's ad by their names in lower case. */
export type ClassAd = ReadonlyMap<string, AdValue>;

/** The attributes that are read; the map need not have others. */
export const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    "clusterid procid owner user accountinggroup acctgroup qdate jobstartdate jobcurrentstartdate completiondate " +
    "enteredcurrentstatus jobstatus lastjobstatus remotewallclocktime numjobstarts numshadowstarts requestcpus " +
    "cpusprovisioned requestmemory memoryprovisioned requestgpus gpusprovisioned jobuniverse currenthosts maxhosts " +
    "lastremotehost remotehost allremotehosts allowedjobduration allowedexecuteduration maxwalltimemins"
  ).split(" "),
);

const STATUSES: Readonly<Record<number, string>> = {
  1: "Idle",
  2: "Running",
  3: "Removed",
  4: "Completed",
  5: "Held",
  6: "Transferring",
  7: "Suspended",
};
const RUNNING = 2;
const COMPLETED = 4;
const REMOVED = 3;

const PARALLEL_UNIVERSE = 11;
/** Scheduler, local and grid universe: these jobs do not run on the pool's machines. */
const ELSEWHERE: ReadonlySet<number> = new Set([7, 9, 12]);

/** Adds the job of an ad, or counts why it does not. */
export function addCondorJob(jobs: RecordedJobs, ad: ClassAd, line: number): void {
  const { builder } = jobs;
  const { row, notes, columns } = builder;
  const cluster = number(ad, "clusterid");
  if (!Number.isInteger(cluster)) {
    builder.bad("no ClusterId", line);
    return;
  }
  if (ELSEWHERE.has(number(ad, "jobuniverse"))) {
    notes.add("left out: jobs of the scheduler, local and grid universe, which the pool does not run", line);
    return;
  }
  const startSeconds = time(ad, "jobcurrentstartdate", "jobstartdate");
  const status = number(ad, "jobstatus");
  const endSeconds = endOf(ad, status, startSeconds);
  if (Number.isNaN(endSeconds) && startSeconds > 0 && (status === REMOVED || status === COMPLETED)) {
    notes.add("dropped: it was removed while it waited again, and when its last run ended is not told", line);
    return;
  }
  if (!jobs.setTimes(time(ad, "qdate"), startSeconds, endSeconds, line)) return;
  if (time(ad, "jobstartdate") < startSeconds) {
    notes.add("kept: the last of its runs, which waits from the submission", line);
  }
  const cores = firstNumber(ad, "requestcpus", "cpusprovisioned");
  const memoryMiB = firstNumber(ad, "requestmemory", "memoryprovisioned");
  const gpus = firstNumber(ad, "requestgpus", "gpusprovisioned");
  const isParallel = number(ad, "jobuniverse") === PARALLEL_UNIVERSE;
  const tasks = isParallel ? firstNumber(ad, "currenthosts", "maxhosts") : 1;
  jobs.setTasks(
    tasks >= 1 ? tasks : 1,
    cores > 0 ? cores : 1,
    memoryMiB > 0 ? memoryMiB : UNKNOWN,
    gpus > 0 ? gpus : 0,
  );

  const limits = [
    number(ad, "allowedjobduration"),
    number(ad, "allowedexecuteduration"),
    60 * number(ad, "maxwalltimemins"),
  ];
  row.estimateSeconds = limits.find((limit) => limit > 0) ?? UNKNOWN;
  noteUnread(jobs, ad, line);
  const place = number(ad, "procid");
  row.jobNumber = cluster;
  row.arrayIndex = place >= 0 ? place : UNKNOWN;
  row.user = codeOf(columns.users, text(ad, "owner") || text(ad, "user").split("@")[0]!, UNKNOWN);
  row.project = codeOf(columns.projects, groupOf(ad), UNKNOWN);
  row.state = codeOf(columns.states, STATUSES[status] ?? "", EMPTY_NAME);
  row.nodes = codeOf(columns.nodeLists, hostsOf(ad), EMPTY_NAME);
  jobs.add(line);
}

/** What is told of a job by any of some attributes, and what is noted if none of them is a number. */
const AMOUNTS: readonly (readonly [note: string, attributes: readonly string[]])[] = [
  [UNREAD_CORES, ["requestcpus", "cpusprovisioned"]],
  [UNREAD_MEMORY, ["requestmemory", "memoryprovisioned"]],
  [UNREAD_GPUS, ["requestgpus", "gpusprovisioned"]],
  [UNREAD_LIMIT, ["allowedjobduration", "allowedexecuteduration", "maxwalltimemins"]],
];

function noteUnread(jobs: RecordedJobs, ad: ClassAd, line: number): void {
  for (const [note, attributes] of AMOUNTS) {
    if (attributes.some((name) => typeof ad.get(name) === "number")) continue;
    const told = attributes.map((name) => ad.get(name)).find((value) => value !== undefined);
    if (told === undefined) continue;
    jobs.noteUnread(note, line, typeof told === "object" ? told.expression : String(told));
  }
}

/** NaN if the job has not ended, or if the end of its last run is unknown. */
function endOf(ad: ClassAd, status: number, startSeconds: number): number {
  if (status === COMPLETED) return time(ad, "completiondate", "enteredcurrentstatus");
  if (Number.isNaN(status)) return time(ad, "completiondate");
  if (status !== REMOVED) return Number.NaN;
  const lastStatus = number(ad, "lastjobstatus");
  if (Number.isNaN(lastStatus) || lastStatus === RUNNING)
    return time(ad, "enteredcurrentstatus", "completiondate");
  const starts = firstNumber(ad, "numjobstarts", "numshadowstarts");
  const ranSeconds = number(ad, "remotewallclocktime");
  return starts === 1 && ranSeconds > 0 ? startSeconds + ranSeconds : Number.NaN;
}

/** Seconds since 1970, from the first of these attributes that has a time. */
function time(ad: ClassAd, ...names: readonly string[]): number {
  return names.map((name) => number(ad, name)).find((seconds) => seconds > 0) ?? Number.NaN;
}

/** What was asked for if it is a number and not an expression; otherwise what was provisioned. */
function firstNumber(ad: ClassAd, ...names: readonly string[]): number {
  return names.map((name) => number(ad, name)).find((value) => !Number.isNaN(value)) ?? Number.NaN;
}

/** The accounting group, without the user at its end. */
function groupOf(ad: ClassAd): string {
  const group = text(ad, "acctgroup");
  if (group !== "") return group;
  const owner = text(ad, "owner");
  const full = text(ad, "accountinggroup").split("@")[0]!;
  if (full === owner) return "";
  return owner !== "" && full.endsWith(`.${owner}`) ? full.slice(0, -owner.length - 1) : full;
}

/** `node12.site` of `slot1_3@node12.site`; of a parallel job all of them. */
function hostsOf(ad: ClassAd): string {
  const slots = text(ad, "allremotehosts") || text(ad, "lastremotehost") || text(ad, "remotehost");
  return slots
    .split(",")
    .map((slot) => slot.slice(slot.indexOf("@") + 1).trim())
    .filter((host) => host !== "")
    .join(",");
}

function number(ad: ClassAd, name: string): number {
  const value = ad.get(name);
  return typeof value === "number" ? value : Number.NaN;
}

function text(ad: ClassAd, name: string): string {
  const value = ad.get(name);
  return typeof value === "string" ? value : "";
}

function codeOf(names: Names, name: string, missing: number): number {
  return name === "" ? missing : names.codeOf(name);
}
