import { InvalidArgumentError } from "commander";

import { formatCount } from "../../../report/index.ts";
import { chapterTable, chapterTables, renderStudyPage, verdictNote } from "../../report/index.ts";
import {
  chaptersNamed,
  reschedulingChapters,
  studyChapters,
  studyChaptersOf,
  type Chapter,
  type ChapterResult,
  type ChaptersResult,
} from "../../study/index.ts";
import { InputError, wrap, type Farm, type Workload } from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { names } from "../../../cli/options.ts";
import { StatusLine } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { columns, heading, putOut } from "./output.ts";

export interface ChapterFlags {
  readonly jobs?: number;
  readonly seed?: number;
  readonly seeds?: number;
  readonly threads?: number;
  readonly json?: true;
  readonly out?: string;
  readonly quiet?: true;
}

/** The value of `--chapters`: names, or `all`. */
export function chapters(text: string): readonly Chapter[] {
  try {
    return text === "all" ? reschedulingChapters : chaptersNamed(names(text));
  } catch (error) {
    throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
  }
}

/** The chapters on a log and its farm, or, without them, on synthetic weeks. */
export async function runChapters(
  chosen: readonly Chapter[],
  flags: ChapterFlags,
  weekJobs: number,
  log?: { readonly workload: Workload; readonly farm: Farm },
): Promise<void> {
  const { seed = 1, seeds = 1, threads, jobs = weekJobs } = flags;
  const progress = new StatusLine(flags.quiet === true);
  const options = {
    chapters: chosen,
    seed,
    ...(threads === undefined ? {} : { threads }),
    onProgress: (done: number, of: number): void => progress.show(`${done} of ${of} runs`),
  };
  const result = await (
    log === undefined
      ? studyChapters({ ...options, jobs, seeds })
      : studyChaptersOf(log.workload, log.farm, options)
  ).finally(() => progress.clear());
  const on =
    log === undefined
      ? `${formatCount(jobs)} jobs of ${seeds === 1 ? "a synthetic week" : `each of ${seeds} synthetic weeks`}`
      : heading(log.workload, formatCount(log.workload.count));
  const title = `Dynamic rescheduling: what Zhang 2010 left for later, on ${on}`;
  await putOut(flags, {
    text: [title, "", ...wrap(describe(result), WIDTH), "", ...result.chapters.map(chapterText)].join("\n"),
    json: result,
    page: () =>
      renderStudyPage({
        title,
        workload:
          log === undefined
            ? { name: "netbatch-week", synthetic: true, jobs }
            : { name: log.workload.name, synthetic: log.workload.synthetic, jobs: result.jobs },
        overview: `${on}. ${describe(result)}`,
        tables: chapterTables(result),
        settings: [
          ...(log === undefined ? [] : [{ name: "farm", value: log.farm.name }]),
          {
            name: seeds === 1 ? "seed" : "seeds",
            value: seeds === 1 ? String(seed) : `${seed} to ${seed + seeds - 1}`,
          },
        ],
        command: commandLine(),
        version,
      }),
    results: result,
  });
}

function describe({ weeks }: ChaptersResult): string {
  return `Times are means in minutes; lower is better. High load: half the machines of every kind, at least one. ${verdictNote(weeks)}`;
}

const WIDTH = 110;

function chapterText(chapter: ChapterResult): string {
  const { name, question, source, notTried, limits } = chapter;
  const lines = [`${name} (${source})`, ...wrap(question, WIDTH)];
  if (notTried !== null) return [...lines, ...wrap(`Not tried: ${notTried}.`, WIDTH), ""].join("\n");
  const { head, rows } = chapterTable(chapter);
  return [...lines, columns([head, ...rows]), ...wrap(limits, WIDTH), ""].join("\n");
}
