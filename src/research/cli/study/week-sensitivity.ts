import { renderStudyPage, weekSensitivityTable } from "../../report/index.ts";
import { studyWeekSensitivity } from "../../study/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { StatusLine } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import type { ChapterFlags } from "./chapters.ts";
import { columns, putOut } from "./output.ts";

/** Which claims hold as each parameter of the synthetic week is moved. */
export async function runWeekSensitivity(flags: ChapterFlags, weekJobs: number): Promise<void> {
  const { jobs = weekJobs, seed = 1, seeds = 1, threads } = flags;
  const progress = new StatusLine(flags.quiet === true);
  const result = await studyWeekSensitivity({
    jobs,
    seed,
    seeds,
    ...(threads === undefined ? {} : { threads }),
    onProgress: (done, of) => progress.show(`${done} of ${of} weeks`),
  }).finally(() => progress.clear());
  const title = "What the parameters of netbatch-week (synthetic) decide";
  const table = weekSensitivityTable(result);
  await putOut(flags, {
    text: [title, "", table.caption, "", columns([table.head, ...table.rows])].join("\n"),
    json: result,
    page: () =>
      renderStudyPage({
        title,
        workload: { name: "netbatch-week", synthetic: true, jobs },
        tables: [table],
        command: commandLine(),
        version,
      }),
    results: result,
  });
}
