import {
  counted,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShare,
  terminalText,
  type Bin,
} from "../report/index.ts";
import type { NameUse, PlaceUse, RecordedFarm, Summary, WorkloadStatistics } from "../workload/index.ts";
import { table, type Column } from "./live/tables.ts";
import { bins } from "./characterization.ts";

type Row = readonly [name: string, text: string];

const BAR_WIDTH = 40;

/** A workload's figures as text for a terminal. */
export function describeWorkload(statistics: WorkloadStatistics, farm: RecordedFarm | null): string {
  const { name, synthetic, jobs, spanSeconds, cores, memoryGiB, runtime } = statistics;
  const rows: Row[] = [
    ["jobs", `${formatCount(jobs)} over ${formatDuration(spanSeconds)}${synthetic ? ", synthetic" : ""}`],
    ...farmRows(farm),
    ["serial jobs", formatShare(statistics.serialShare)],
    ["cores a job", distribution(cores.summary, formatNumber)],
    ...(memoryGiB === null
      ? [["memory a job", "the log does not say"] as const]
      : [["GiB a job", distribution(memoryGiB.summary, formatNumber)] as const]),
    ["run time", distribution(runtime.seconds, formatDuration)],
    ["run time of 0 s", formatShare(runtime.zeroShare)],
    ["work", workText(statistics)],
    ["arrivals", arrivalsText(statistics)],
    ...concentrationRows(statistics),
    ...placeRows(statistics),
    ...estimateRows(statistics),
    ...(statistics.recordedWaitSeconds === null
      ? []
      : [["wait on the farm", distribution(statistics.recordedWaitSeconds, formatDuration)] as const]),
  ];
  const width = Math.max(...rows.map(([title]) => title.length));
  const lines = [
    name,
    "",
    ...rows.map(([title, text]) => `${title.padEnd(width)}  ${text}`),
    ...bars("Cores a job", bins(cores, "")),
    ...placeTables(statistics),
    ...(memoryGiB === null ? [] : bars("Memory a job", bins(memoryGiB, " GiB"))),
  ];
  return terminalText(lines.join("\n"));
}

function farmRows(farm: RecordedFarm | null): Row[] {
  if (farm === null) return [];
  const { computer, installation, nodes, processors } = farm;
  const size = [
    processors === undefined ? [] : [`${formatCount(processors)} processors`],
    nodes === undefined ? [] : [`${formatCount(nodes)} nodes`],
  ].flat();
  const text = [computer ?? [], installation ?? [], size].flat().join(", ");
  return text === "" ? [] : [["recorded on", text]];
}

function distribution({ mean, p50, p95, p99, max }: Summary, format: (value: number) => string): string {
  return `mean ${format(mean)}, median ${format(p50)}, p95 ${format(p95)}, p99 ${format(p99)}, most ${format(max)}`;
}

function workText({ runtime }: WorkloadStatistics): string {
  const { coreSeconds, workOfTop1Percent, workOfTop10Percent } = runtime;
  return `${formatCount(coreSeconds / 3600)} core hours; the largest 1 % of the jobs have ${formatPercent(workOfTop1Percent)} of it, 10 % ${formatPercent(workOfTop10Percent)}`;
}

function arrivalsText({ arrivalsPerHour }: WorkloadStatistics): string {
  const { mean, max, dispersion } = arrivalsPerHour;
  return `${formatNumber(mean)} an hour, at most ${formatCount(max)}; variance over mean ${formatNumber(dispersion)}`;
}

function concentrationRows(statistics: WorkloadStatistics): Row[] {
  const { users, projects, queues, sites, groups, licences, priorities, states } = statistics;
  const named = {
    users,
    projects,
    queues,
    sites,
    groups,
    licences,
    priorities,
    states,
    pools: statistics.pools,
  };
  return Object.entries({ ...named, requirements: statistics.requires }).flatMap(([title, found]): Row[] => {
    if (found === null) return [];
    const [largest] = found.largest;
    const name = largest?.name === "" ? "none" : largest?.name;
    const of = largest === undefined ? "" : `; ${name} has ${formatPercent(largest.share)} of the jobs`;
    return [[title, `${formatCount(found.jobsPerName.count)}${of}`]];
  });
}

function placeRows({ machineUse }: WorkloadStatistics): Row[] {
  if (machineUse === null) return [];
  const { machines, crowded, queues } = machineUse;
  if (crowded === null) return [["ran on", counted(machines, "machine")]];
  const few = `${formatPercent(crowded.share)} of the jobs ran on ${formatCount(crowded.machines)} of ${formatCount(machines)} machines`;
  // A queue with all of them is no partition.
  const own = queues?.find(
    (queue) => queue.machines <= crowded.machines && queue.jobShare >= crowded.share - NEARLY,
  );
  const why = own === undefined ? "a partition or constraint?" : `the machines of queue ${own.name}`;
  return [["ran on", `${few}: ${why}`]];
}

/** A queue that has all but this part of the jobs of a few machines explains them. */
const NEARLY = 0.05;

/** The machines, queues and users that have a line. */
const PLACES = 5;

function placeTables({ machineUse }: WorkloadStatistics): string[] {
  if (machineUse === null) return [];
  const { largest, queues, users } = machineUse;
  const share: Column<PlaceUse>[] = [
    { title: "of the jobs", text: ({ jobShare }) => formatShare(jobShare), right: true },
    { title: "of the core hours", text: ({ workShare }) => formatShare(workShare), right: true },
  ];
  const machines: Column<NameUse> = {
    title: "on machines",
    text: ({ machines: count }) => formatCount(count),
    right: true,
  };
  const named = (title: string): Column<PlaceUse> => ({
    title,
    text: ({ name }) => (name === "" ? "(none)" : name),
  });
  const ofNames = (title: string, names: readonly NameUse[] | null): string[] =>
    names === null ? [] : ["", table([named(title), ...share, machines], names.slice(0, PLACES))];
  return [
    "",
    table([named("machine"), ...share], largest.slice(0, PLACES)),
    ...ofNames("queue", queues),
    ...ofNames("user", users),
  ];
}

function estimateRows({ estimates }: WorkloadStatistics): Row[] {
  if (estimates === null) return [];
  const { share, accuracy, overrunShare } = estimates;
  const used = `of the estimate used: mean ${formatPercent(accuracy.mean)}, median ${formatPercent(accuracy.p50)}`;
  return [
    ["estimates", `${formatPercent(share)} of the jobs; ${used}; exceeded by ${formatPercent(overrunShare)}`],
  ];
}

function bars(title: string, bins: readonly Bin[]): string[] {
  const total = bins.reduce((sum, { jobs }) => sum + jobs, 0);
  const most = Math.max(...bins.map(({ jobs }) => jobs));
  const width = Math.max(...bins.map(({ name }) => name.length));
  return [
    "",
    title,
    ...bins.map(({ name, jobs }) => {
      const bar = "█".repeat(Math.round((jobs / most) * BAR_WIDTH));
      return `${name.padStart(width)}  ${bar.padEnd(BAR_WIDTH)}  ${formatShare(jobs / total)}`;
    }),
  ];
}
