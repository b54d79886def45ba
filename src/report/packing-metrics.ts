import { formatIndex } from "./farm/frame-svg.ts";
import type { Figures, Metric } from "./metrics.ts";
import { formatDuration, formatNumber, formatShare } from "./numbers.ts";

/** What packing does, as the terminal's second table and the report's chapter show it. */
export const packingMetrics: readonly Metric[] = [
  {
    title: "Packing index",
    short: "packing index",
    meaning: "Nodes that the packed jobs need ÷ nodes they use, mean over time: 1 is packed, near 0 spread.",
    better: "higher",
    value: (run) => run.packingIndexMean ?? null,
    format: formatIndex,
  },
  {
    title: "Fill factor",
    short: "fill factor",
    meaning: "Cores in use ÷ cores, mean over time until the last job has started.",
    better: "higher",
    value: (run) => run.fillFactorMean ?? null,
    format: formatShare,
  },
  {
    title: "Idle nodes",
    short: "idle nodes",
    meaning: "Nodes on which nothing runs, mean over the same time.",
    better: "higher",
    value: (run) => run.idleNodesMean ?? null,
    format: formatNumber,
  },
  {
    title: "Mean wait of the packed",
    short: "wait packed",
    meaning: "Time from submission to start, mean over the jobs of all families.",
    better: "lower",
    value: packedWait,
    format: formatDuration,
  },
  {
    title: "Mean wait of the others",
    short: "wait others",
    meaning: "The same over the ordinary jobs.",
    better: "lower",
    value: (run) => run.packing?.ordinary.waitMeanSeconds ?? null,
    format: formatDuration,
  },
  {
    title: "Energy, all nodes on",
    short: "kWh all on",
    meaning: "Kilowatt hours over the same time, by the watts given.",
    better: "lower",
    value: (run) => run.energy?.allOnKilowattHours ?? null,
    format: formatNumber,
  },
  {
    title: "Saved by switching idle nodes off",
    short: "saved",
    meaning: "At most: as if nodes went off and on at once and at no cost.",
    better: "higher",
    value: (run) => run.energy?.savedShare ?? null,
    format: formatShare,
  },
];

function packedWait({ packing }: Figures): number | null {
  if (packing === undefined) return null;
  const jobs = packing.families.reduce((sum, family) => sum + family.jobs, 0);
  const waits = packing.families.reduce((sum, family) => sum + family.jobs * family.waitMeanSeconds, 0);
  return jobs === 0 ? null : waits / jobs;
}
