import {
  formatChange,
  formatChangeRange,
  formatCount,
  formatDuration,
  formatNumber,
  terminalText,
} from "../report/index.ts";
import type { LogComparison, LogSide, PartChange, WaitChange } from "../simulation/index.ts";
import { table, type Column } from "./live/tables.ts";

/** Work a day that differs by more makes waits differ too, whatever the settings. */
const MUCH_WORK = 0.1;

/** Two logs for a terminal: what became of the waits, and of whose. */
export function compareText(comparison: LogComparison): string {
  const { before, after, queues, users, projects, cores, runtimes } = comparison;
  const parts = [
    ["queue", queues],
    ["user", users],
    ["project", projects],
    ["size", cores],
    ["run time", runtimes],
  ] as const;
  const tables = parts.flatMap(([title, rows]) =>
    rows === undefined ? [] : ["", table(partColumns(title), rows)],
  );
  return terminalText(
    [
      `${before.name}, then ${after.name}`,
      "",
      headline(comparison),
      ...cautions(comparison).map((caution) => `- ${caution}`),
      "",
      table(
        [
          { title: "", text: ({ title }) => title },
          { title: "before", text: ({ of }) => of(before), right: true },
          { title: "after", text: ({ of }) => of(after), right: true },
        ],
        figures,
      ),
      ...tables,
    ].join("\n"),
  );
}

const figures: readonly { title: string; of: (side: LogSide) => string }[] = [
  { title: "jobs", of: ({ jobs }) => formatCount(jobs) },
  { title: "from first to last submission", of: ({ spanSeconds }) => formatDuration(spanSeconds) },
  { title: "jobs a day", of: ({ jobsPerDay }) => formatNumber(jobsPerDay) },
  { title: "core hours a day", of: ({ coreHoursPerDay }) => formatNumber(coreHoursPerDay) },
  { title: "mean wait", of: ({ waitMeanSeconds }) => formatDuration(waitMeanSeconds) },
  { title: "median wait", of: ({ waitMedianSeconds }) => formatDuration(waitMedianSeconds) },
  { title: "95 % wait at most", of: ({ waitP95Seconds }) => formatDuration(waitP95Seconds) },
  { title: "longest wait", of: ({ waitMaxSeconds }) => formatDuration(waitMaxSeconds) },
  { title: "mean bounded slowdown", of: ({ boundedSlowdownMean }) => formatNumber(boundedSlowdownMean) },
];

function headline({ all, noIntervalBecause }: LogComparison): string {
  const [before, after] = [all.waitMeanSecondsBefore!, all.waitMeanSecondsAfter!].map(formatDuration);
  const went = `The mean wait was ${before} before and is ${after} after`;
  switch (all.judgement) {
    case "hardly any waits":
      return `Hardly any job waits, before or after: ${before}, then ${after} on average.`;
    case "cannot be judged":
      return `${went}. Whether that is more than chance cannot be said${noIntervalBecause === null ? "" : `: ${noIntervalBecause}`}.`;
    case "no clear difference":
      return `${went}: ${changeText(all)}. That may be chance.`;
    default:
      return `${went}: ${changeText(all)}. It is ${all.judgement}.`;
  }
}

function cautions(comparison: LogComparison): string[] {
  const { before, after } = comparison;
  const work = after.coreHoursPerDay / before.coreHoursPerDay - 1;
  const unknown = before.jobsWithoutWait + after.jobsWithoutWait;
  const losers = (["queues", "users", "projects", "cores"] as const)
    .flatMap((kind) => comparison[kind] ?? [])
    .filter(({ judgement }) => judgement === "longer");
  return [
    ...(losers.length === 0
      ? []
      : [`Longer for ${losers.map((part) => `${part.name} (${changeText(part)})`).join("; ")}.`]),
    ...(Math.abs(work) > MUCH_WORK
      ? [
          `${formatChange(work)} core hours a day: waits change with that, whatever the settings. Simulate the second log under both policies to tell the two apart.`,
        ]
      : ["The logs are of other jobs: what differs is not only the settings."]),
    "Jobs that still wait or run are in no accounting log: end both logs where none of importance is missing.",
    ...(unknown === 0 ? [] : [`Jobs whose wait is not known are left out: ${formatCount(unknown)}.`]),
    ...(comparison.noIntervalBecause === null
      ? ["Each interval is right 95 times of 100: of twenty lines one is off by chance."]
      : []),
  ];
}

function partColumns(title: string): readonly Column<PartChange>[] {
  return [
    { title, text: ({ name }) => name },
    { title: "jobs before", text: ({ jobsBefore }) => formatCount(jobsBefore), right: true },
    { title: "after", text: ({ jobsAfter }) => formatCount(jobsAfter), right: true },
    { title: "mean wait before", text: (each) => durationText(each.waitMeanSecondsBefore), right: true },
    { title: "after", text: (each) => durationText(each.waitMeanSecondsAfter), right: true },
    { title: "change", text: changeText, right: true },
    { title: "", text: ({ judgement }) => (judgement === "cannot be judged" ? "" : judgement) },
  ];
}

/** `−33 % (−50 to −10 %)`, `−6 % (0.1 to 9.3 times)`, `25 times`. */
function changeText({ change, interval }: WaitChange): string {
  if (change === null) return "-";
  const range = interval === null ? "" : ` (${formatChangeRange(interval.low, interval.high)})`;
  return formatChange(change) + range;
}

function durationText(seconds: number | null): string {
  return seconds === null ? "-" : formatDuration(seconds);
}
