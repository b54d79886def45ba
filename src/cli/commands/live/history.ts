import { Command } from "commander";

import { pastJobOf, workloadOf, type RanUnder } from "../../../live/store/history.ts";
import type { ServerFlags } from "../../../live/client/client.ts";
import type { JobView } from "../../../live/store/job-views.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { targetOption, writerFor, writeWorkload, type TargetFlags } from "../../target.ts";

const PAGE = 10_000;

export function historyCommand(): Command {
  const command = new Command("history")
    .description("write the jobs that have run as a log, for croft simulate to try other policies on")
    .argument("<file>", "what to write: .parquet, .csv or .swf")
    .addOption(targetOption());
  return addFarmOptions(command).action(async (file: string, flags: ServerFlags & TargetFlags) => {
    const writer = writerFor(file, flags);
    const farm = farmOf(flags);
    const { name, ...ran } = await farm.get<{ name: string } & RanUnder>("/v1/farm");
    const jobs: JobView[] = [];
    for (let above = 0; ;) {
      const page = await farm.get<JobView[]>(`/v1/jobs?above=${above}&limit=${PAGE}`);
      if (page.length === 0) break;
      for (const job of page) jobs.push(job);
      above = page.at(-1)!.number;
    }
    await writeWorkload(workloadOf(jobs.map(pastJobOf), name, ran), file, writer);
  });
}
