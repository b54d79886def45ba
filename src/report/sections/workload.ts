import { barChart } from "../charts/bar-chart.ts";
import type { Quantity } from "../charts/axis.ts";
import { timeline } from "../charts/timeline.ts";
import { course, mostly } from "../finding.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { Bin } from "../input.ts";
import type { PageModel } from "../model.ts";
import {
  formatCount,
  formatDuration,
  formatMemory,
  formatNumber,
  formatPercent,
  formatShare,
} from "../numbers.ts";
import { figure, grid, largest, numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const workloadSection: Section<PageModel> = {
  id: "workload",
  title: "The workload",
  finding: ({ input }) => {
    const { cores, memory, runtimes } = input.characterization!;
    const mostly = (what: string, bins: readonly Bin[]): string[] => {
      if (bins.length === 0) return [];
      const most = bins.reduce((one, other) => (other.jobs > one.jobs ? other : one));
      const jobs = bins.reduce((sum, bin) => sum + bin.jobs, 0);
      return [`${what}: ${most.name} in ${formatPercent(most.jobs / jobs)} of the jobs`];
    };
    const longest = runtimes.at(-1);
    const told = [
      ...mostly("Cores", cores),
      ...mostly("Memory", memory ?? []),
      ...(longest === undefined ? [] : [`Run times: up to ${formatDuration(longest.seconds)}`]),
    ];
    return `${told.join(". ")}.`;
  },
  render,
};

function render(model: PageModel): Markup {
  const { characterization } = model.input;
  if (characterization === undefined) return none;
  const { cores, memory, buckets, runtimes } = characterization;
  const distributions = [
    ...(cores.length > 0 ? [distribution("cores", "Cores per job", cores)] : []),
    ...(memory !== null && memory.length > 0 ? [distribution("memory", "Memory per job", memory)] : []),
  ];
  const bursts =
    // A line needs two points.
    buckets === null || buckets.timeSeconds.length < 2
      ? []
      : [
          overTime(
            "cores",
            "Mean cores per job",
            buckets,
            buckets.coresMeanMilli.map((milli) => milli / 1000),
            "number",
          ),
          ...(buckets.memoryMeanMiB === null
            ? []
            : [overTime("memory", "Mean memory per job", buckets, buckets.memoryMeanMiB, "MiB")]),
        ];
  return markup`${grid([...distributions, ...bursts])}${runtimeTable(runtimes)}`;
}

function distribution(id: string, title: string, bins: readonly Bin[]): Markup {
  const jobs = bins.reduce((sum, bin) => sum + bin.jobs, 0);
  const bars = bins.map((bin) => {
    const share = jobs > 0 ? bin.jobs / jobs : 0;
    return { name: bin.name, value: share, text: formatShare(share) };
  });
  const chart = barChart(
    { title: `${title}: share of the jobs`, quantity: "share", bars },
    {
      id: `workload-${id}`,
      title,
      description: mostly(bars),
    },
  );
  return figure(chart, `${title}: share of ${formatCount(jobs)} jobs.`);
}

function overTime(
  id: string,
  title: string,
  buckets: { readonly jobs: number; readonly timeSeconds: readonly number[] },
  values: readonly number[],
  quantity: Quantity,
): Markup {
  const chart = timeline(
    {
      size: "full",
      heading: title,
      untilSeconds: largest(buckets.timeSeconds),
      top: largest(values),
      quantity,
      lines: [
        {
          name: title,
          timeSeconds: buckets.timeSeconds,
          values,
          index: 0,
          dash: "",
          summary: "maximum",
        },
      ],
    },
    {
      id: `workload-${id}-time`,
      title: `${title} over time`,
      description: course(title, values, quantity === "MiB" ? formatMemory : formatNumber),
    },
  );
  return figure(
    chart,
    `${title}, over ${formatCount(buckets.jobs)} consecutive jobs each, against the time of submission: the bursts that make matching hard.`,
  );
}

function runtimeTable(runtimes: readonly { readonly share: number; readonly seconds: number }[]): Markup {
  if (runtimes.length === 0) return none;
  const cells = runtimes.map((quantile) => numberCell(formatDuration(quantile.seconds)));
  return tableOf(
    `Run times: the share of the jobs that run no longer.`,
    [
      { title: "Share" },
      ...runtimes.map((quantile) => ({
        title: `${Number((quantile.share * 100).toFixed(1))} %`,
        numeric: true,
      })),
    ],
    [markup`<tbody><tr><th scope="row">Run time</th>${cells}</tr></tbody>`],
  );
}
