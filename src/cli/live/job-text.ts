import type { AttemptView, JobView } from "../../live/store/job-views.ts";
import type { ListedJob } from "../../live/reader/tasks.ts";
import type { DoingView } from "../../live/service/doing.ts";
import { formatCapacity, formatDuration, formatNumber } from "../../report/numbers.ts";
import { doingText } from "./doing-text.ts";
import { printable } from "./printable.ts";
import { local, withLocalTimes } from "./local-time.ts";
import { tableWithin, type Column } from "./tables.ts";
import { startsShortly } from "./when-text.ts";

export type JobDetails = ListedJob & {
  readonly attempts: readonly AttemptView[];
  readonly doing: DoingView | null;
};

/** Jobs that are named of those that one waits for. */
const MOST_AFTER = 20;
const LONGEST_NAME = 24;
/** Times that jobs stood still for less are not told. */
const SEEN_SECONDS = 1;
/** In a window narrower than this, names are cut short. */
const NARROW_COLUMNS = 100;
const SHORT_NAME = 12;

const columnsAt = (now: number, longestName: number): readonly Column<ListedJob>[] => [
  { title: "job", text: ({ number }) => String(number), right: true },
  {
    title: "name",
    text: ({ name, array }) => namedShortly(name, array === null ? "" : `[${array.index}]`, longestName),
  },
  { title: "user", text: ({ user }) => shortened(user, 12), leftOut: 6 },
  { title: "state", text: ({ state }) => state },
  {
    title: "where",
    leftOut: 5,
    // As `croft drain` takes it: machines of two pools may have one name.
    text: ({ pool, machines }) => [pool ?? "", machines.join(", ")].filter((each) => each !== "").join("/"),
  },
  { title: "cores", text: ({ cores }) => String(cores), right: true, leftOut: 3 },
  {
    title: "memory",
    leftOut: 1,
    text: ({ memoryMiB }) => (memoryMiB === 0 ? "" : plain(formatCapacity(memoryMiB))),
    right: true,
  },
  { title: "waited", text: (job) => plain(waited(job, now)), right: true, leftOut: 4 },
  {
    title: "starts",
    text: ({ state, forecast }) => (state === "starting" ? "now" : startsShortly(forecast, now)),
  },
  { title: "ran", text: (job) => plain(ran(job, now)), right: true, leftOut: 2 },
  {
    title: "",
    text: ({ reason, waitsFor, exitStatus }) =>
      shortened(
        reason === "" && exitStatus !== null && exitStatus !== 0
          ? `status ${exitStatus}`
          : withLocalTimes(reason) || (waitsFor ?? ""),
        50,
      ),
  },
];

/**
 * @param now the farm's time, in milliseconds
 * @param width of the window; what matters least is left out where it is narrow
 */
export function jobTable(jobs: readonly ListedJob[], now: number, width = Infinity): string {
  const longestName = width < NARROW_COLUMNS ? SHORT_NAME : LONGEST_NAME;
  return jobs.length === 0 ? "no jobs" : tableWithin(columnsAt(now, longestName), jobs, width);
}

/** The number within an array is seen, however long the name is. */
function namedShortly(name: string, index: string, most: number): string {
  return shortened(name, Math.max(1, most - index.length)) + index;
}

/** All about one job. */
export function jobText(job: JobDetails, now: number): string {
  const lines: [string, string][] = [
    ["job", `${job.number}  ${printable(job.name)}`],
    ["id", job.id],
    ...(job.rerunOf === null ? [] : [["rerun of", String(job.rerunOf)] as [string, string]]),
    ["state", job.reason === "" ? job.state : `${job.state}: ${withLocalTimes(printable(job.reason))}`],
    ...(job.doing === null ? [] : [["at present", doingText(job.doing, now)] as [string, string]]),
    ["user", printable(job.user)],
    ...(job.array === null
      ? []
      : [["array", `${job.array.first}, index ${job.array.index}`] as [string, string]]),
    ["command", job.command.map(quoted).join(" ")],
    ["in", printable(job.directory)],
    ["asks for", asked(job)],
    ...filesAndWarning(job),
    ...job.notify.map(({ channel, on }): [string, string] => ["notifies", `${channel}: ${on.join(", ")}`]),
    ...(job.comment === "" ? [] : [["comment", printable(job.comment)] as [string, string]]),
    ...Object.entries(job.tags).map(([key, value]): [string, string] => [
      "tag",
      printable(`${key}=${value}`),
    ]),
    ...(job.machines.length > 0
      ? [["on", `${job.machines.map(printable).join(", ")} of ${job.pool}`] as [string, string]]
      : job.pool === null
        ? []
        : [["pool", printable(job.pool)] as [string, string]]),
    ...gpusText(job),
    ["submitted", local(job.submittedAt)],
    ...(job.startedAt === null ? conditionsText(job) : []),
    ...(job.startedAt === null
      ? []
      : [["started", `${local(job.startedAt)}, after ${plain(waited(job, now))}`] as [string, string]]),
    ...(job.forecast === null
      ? []
      : [["starts", `${startsShortly(job.forecast, now)} (80 %)`] as [string, string]]),
    ...(stood(job, now) < SEEN_SECONDS
      ? []
      : [["suspended", `for ${plain(formatDuration(stood(job, now)))} since then`] as [string, string]]),
    ...(job.endedAt === null ? [] : [["ended", local(job.endedAt)] as [string, string]]),
    ...usedText(job),
    ...(job.attempts.length > 1
      ? job.attempts.map(({ attempt, pool, machines, gpus, state }): [string, string] => [
          `attempt ${attempt}`,
          `${state} on ${machines.map(printable).join(", ")} of ${pool}${gpus.length === 0 ? "" : `, GPUs ${gpus.map(printable).join(", ")}`}`,
        ])
      : []),
  ];
  const width = Math.max(...lines.map(([title]) => title.length));
  return lines.map(([title, text]) => `${title.padEnd(width)}  ${text}`).join("\n");
}

/** Its files, and what it gets before its time is over. */
function filesAndWarning(job: JobDetails): [string, string][] {
  const { input, output, errorOutput, signal } = job;
  const files: readonly [string, string | null][] = [
    ["input", input],
    ["output", output],
    ["errors", errorOutput],
  ];
  return [
    ...files.flatMap(([what, path]): [string, string][] => (path === null ? [] : [[what, printable(path)]])),
    ...(signal === null
      ? []
      : [
          [
            "warned",
            `by ${signal.name}, ${plain(formatDuration(signal.secondsBefore))} before its time is over`,
          ] as [string, string],
        ]),
  ];
}

/** The conditions of its start: the jobs that it waits for, its begin, its deadline. */
function conditionsText({ after, beginAt, deadlineAt }: JobDetails): [string, string][] {
  const jobs = after.map(({ job, condition }) => (condition === "ok" ? `${job}` : `${job}:${condition}`));
  const more = jobs.length > MOST_AFTER ? ` and ${jobs.length - MOST_AFTER} more` : "";
  return [
    ...(jobs.length === 0
      ? []
      : [["after", `${jobs.slice(0, MOST_AFTER).join(", ")}${more}`] as [string, string]]),
    ...(beginAt === null ? [] : [["not before", local(beginAt)] as [string, string]]),
    ...(deadlineAt === null ? [] : [["over by", local(deadlineAt)] as [string, string]]),
  ];
}

/** The devices of its last run. */
function gpusText({ attempts }: JobDetails): [string, string][] {
  const gpus = attempts.at(-1)?.gpus ?? [];
  return gpus.length === 0 ? [] : [["GPUs", gpus.map(printable).join(", ")]];
}

/** What its last run has used of what it had; what is not known is left out. */
function usedText({ attempts, cores, memoryMiB, timeSeconds }: JobDetails): [string, string][] {
  const last = attempts.at(-1);
  if (last?.outcome?.kind !== "exited" || last.startedAt === null || last.endedAt === null) return [];
  const { elapsedSeconds, cpuSeconds, memoryPeakMiB } = last.outcome.usage;
  const { suspendedSeconds } = last;
  // Its limit counts no time that it stood still.
  const seconds = Math.max(
    0,
    (elapsedSeconds ?? between(last.startedAt, last.endedAt, 0)) - suspendedSeconds,
  );
  const parts = [
    ...(cpuSeconds === null || seconds === 0
      ? []
      : [`${formatNumber(cpuSeconds / seconds)} of ${cores} ${cores === 1 ? "core" : "cores"}`]),
    ...(memoryPeakMiB === null
      ? []
      : [
          `${formatCapacity(memoryPeakMiB)}${memoryMiB === 0 ? "" : ` of ${formatCapacity(memoryMiB)}`} memory`,
        ]),
    ...(timeSeconds === null ? [] : [`${formatDuration(seconds)} of ${formatDuration(timeSeconds)}`]),
  ];
  return parts.length === 0 ? [] : [["used", plain(parts.join(", "))]];
}

function asked({
  cores,
  memoryMiB,
  gpus,
  timeSeconds,
  priority,
  requires,
  licences,
  retries,
  retryOn,
  retryDelaySeconds,
  project,
  group,
}: JobDetails): string {
  const causes = retryOn === null ? "" : ` (${retryOn.join(" or ")})`;
  const delay = retryDelaySeconds === 0 ? "" : ` after ${plain(formatDuration(retryDelaySeconds))}`;
  return [
    `${cores} ${cores === 1 ? "core" : "cores"}`,
    ...(memoryMiB === 0 ? [] : [plain(formatCapacity(memoryMiB))]),
    ...(gpus === 0 ? [] : [`${gpus} ${gpus === 1 ? "GPU" : "GPUs"}`]),
    ...(timeSeconds === null ? [] : [`at most ${plain(formatDuration(timeSeconds))}`]),
    `priority ${priority}`,
    ...(project === "" ? [] : [`project ${printable(project)}`]),
    ...(group === "" ? [] : [`group ${printable(group)}`]),
    ...(requires === "" ? [] : [printable(requires)]),
    ...(licences === "" ? [] : [`licences ${printable(licences)}`]),
    ...(retries === 0 ? [] : [`${retries} more ${retries === 1 ? "try" : "tries"}${causes}${delay}`]),
  ].join(", ");
}

function waited({ submittedAt, startedAt, endedAt }: JobView, now: number): string {
  return formatDuration(between(submittedAt, startedAt ?? endedAt, now));
}

/** Without the time that it stood still. */
function ran({ startedAt, suspendedSeconds, suspendedAt, endedAt }: JobView, now: number): string {
  if (startedAt === null) return "";
  return formatDuration(Math.max(0, between(startedAt, endedAt ?? suspendedAt, now) - suspendedSeconds));
}

/** How long it has stood still by now. */
function stood({ suspendedSeconds, suspendedAt }: JobView, now: number): number {
  return suspendedSeconds + (suspendedAt === null ? 0 : between(suspendedAt, null, now));
}

function between(from: string, to: string | null, now: number): number {
  return Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000;
}

/** A word as a shell would take it, for people to read. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : printable(`'${word.replaceAll("'", String.raw`'\''`)}'`);
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Numbers come with a space that does not break: a terminal need not know. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
