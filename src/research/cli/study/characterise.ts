import { Command } from "commander";

import { formatCount, formatDuration, formatNumber, formatShare } from "../../../report/index.ts";
import { renderStudyPage } from "../../report/index.ts";
import {
  judgeClaims,
  leavingOut,
  statisticsTogether,
  TENTHS,
  tenthsOf,
  workloadClaims,
} from "../../study/index.ts";
import { characterise, type WorkloadStatistics } from "../../../workload/statistics/characterise.ts";
import type { Demand } from "../../../workload/statistics/demand.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { binName, characterization } from "../../../cli/characterization.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studyOptions, type StudyFlags } from "./input.ts";
import { claimsTable, columns, heading, putOut } from "./output.ts";

export function characteriseCommand(): Command {
  const command = new Command("characterise")
    .alias("characterize")
    .description("what jobs ask for, and how it bursts (sections 2 and 3.2)");
  return studyOptions(command).action(run);
}

async function run(name: string, flags: StudyFlags): Promise<void> {
  if (flags.out !== undefined) tryFolder(flags.out);
  const { workload, pool } = await loadStudied(name, flags);
  const statistics = characterise(workload);
  const alone = tenthsOf(workload, statistics.buckets.jobsPerBucket).map(characterise);
  const claims = judgeClaims(workloadClaims, statistics, pool, {
    what: TENTHS,
    alone,
    without: leavingOut(alone).map(statisticsTogether),
  });
  const title = `${heading(workload, formatCount(workload.count))}: what they ask for`;
  const json = { statistics, claims };
  await putOut(flags, {
    text: [title, "", ...describe(statistics), "", claimsTable(claims)].join("\n"),
    json,
    page: () =>
      renderStudyPage({
        title,
        workload: { name: workload.name, synthetic: workload.synthetic, jobs: workload.count },
        characterization: characterization(statistics),
        claims,
        command: commandLine(),
        version,
      }),
    results: json,
  });
}

function describe({ cores, memoryGiB, buckets, serialShare, spanSeconds }: WorkloadStatistics): string[] {
  return [
    `over ${formatDuration(spanSeconds)}; serial jobs: ${formatShare(serialShare)}`,
    "",
    ...shares("Cores a job", cores, ""),
    ...(memoryGiB === null
      ? ["", "The log says nothing of memory."]
      : ["", ...shares("Memory a job", memoryGiB, " GiB")]),
    ...(buckets.cores.length === 0 ? [] : ["", bucketTable(buckets)]),
  ];
}

function shares(title: string, demand: Demand, unit: string): string[] {
  const rows = demand.bars.map(({ upTo, share }) => [binName(upTo, unit), formatShare(share)]);
  return [title, columns(rows)];
}

function bucketTable({ jobsPerBucket, cores, memoryGiB }: WorkloadStatistics["buckets"]): string {
  return columns([
    [`averages of ${formatCount(jobsPerBucket)} jobs`, "mean", "least", "most"],
    ["cores a job", ...extremes(cores)],
    ...(memoryGiB === null ? [] : [["GiB a job", ...extremes(memoryGiB)]]),
  ]);
}

function extremes(averages: Float64Array): string[] {
  const mean = averages.reduce((sum, average) => sum + average, 0) / averages.length;
  const least = averages.reduce((a, b) => Math.min(a, b));
  const most = averages.reduce((a, b) => Math.max(a, b));
  return [mean, least, most].map(formatNumber);
}
