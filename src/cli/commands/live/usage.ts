import { Command, InvalidArgumentError, Option } from "commander";

import { usageKeys, type Efficiency, type UsageRow } from "../../../live/store/usage.ts";
import { formatDuration, formatNumber, formatPercent } from "../../../report/numbers.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { local } from "../../live/local-time.ts";
import { moment } from "../../live/moments.ts";
import { table, type Column } from "../../live/tables.ts";
import { duration } from "../../options.ts";
import { print, say } from "../../terminal.ts";

interface UsageFlags extends JobsFlags {
  readonly by: string;
  readonly since?: Since;
}

/** A time in ISO 8601, or so many seconds until now. */
type Since = { readonly since: string } | { readonly lastSeconds: number };

interface UsageAnswer {
  readonly by: string;
  readonly since: string;
  readonly until: string;
  readonly countedSince: string | null;
  readonly rows: readonly UsageRow[];
}

export function usageCommand(): Command {
  const command = new Command("usage")
    .description("tell what jobs have used, how long they waited, and how well they used what they had")
    .addOption(new Option("--by <what>", "what a line is of").choices([...usageKeys]).default("user"))
    .option("--since <time>", "from then on: 12h, 7d, 2026-10-01 (30d)", since)
    .option("--json", "as a JSON object");
  return addFarmOptions(command).action(async (flags: UsageFlags) => {
    const query = new URLSearchParams({ by: flags.by });
    for (const [field, value] of Object.entries(flags.since ?? {})) query.set(field, String(value));
    const answer = await farmOf(flags).get<UsageAnswer>(`/v1/usage?${query.toString()}`);
    if (flags.json === true) return print(JSON.stringify(answer, null, 2));
    await print(usageText(answer));
    for (const remark of remarks(answer)) say(`croft: ${remark}`);
  });
}

function since(text: string): Since {
  try {
    if (/^\d{4}-\d\d-\d\d/.test(text)) return { since: new Date(moment(text)(0)).toISOString() };
    const lastSeconds = duration(text);
    if (lastSeconds > 0) return { lastSeconds };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
  }
  // Both say what they take themselves, which is less than this option does, and more.
  throw new InvalidArgumentError(
    "Give how long before now, such as 12h or 7d, or a date, such as 2026-10-01.",
  );
}

function usageText({ by, since: from, rows }: UsageAnswer): string {
  return `since ${local(from)}\n${rows.length === 0 ? "nothing ran" : table(columnsOf(by), rows)}`;
}

function columnsOf(by: string): readonly Column<UsageRow>[] {
  const figure = (title: string, text: (row: UsageRow) => string): Column<UsageRow> => ({
    title,
    text: (row) => text(row).replaceAll("\u00a0", " "),
    right: true,
  });
  const seconds = (value: number | null): string => (value === null ? "–" : formatDuration(value));
  return [
    { title: by, text: ({ name }) => (name === "" ? "(no project)" : name) },
    figure("jobs", ({ jobs }) => String(jobs)),
    figure("core-hours", ({ coreHours }) => formatNumber(coreHours)),
    figure("GPU-hours", ({ gpuHours }) => formatNumber(gpuHours)),
    figure("waited", ({ waitMeanSeconds }) => seconds(waitMeanSeconds)),
    figure("at most", ({ waitMaxSeconds }) => seconds(waitMaxSeconds)),
    figure("cores used", ({ coresUsed }) => percent(coresUsed)),
    figure("memory used", ({ memoryUsed }) => percent(memoryUsed)),
    figure("time used", ({ timeUsed }) => percent(timeUsed)),
  ];
}

function percent({ part }: Efficiency): string {
  return part === null ? "–" : formatPercent(part);
}

/** What is not known, so that nobody takes a part for the whole. */
function remarks({ rows, countedSince }: UsageAnswer): string[] {
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const ended = sum(({ runsEnded }) => runsEnded);
  const known = sum(({ coresUsed }) => coresUsed.known);
  return [
    ...(known < ended ? [`of ${ended} runs that have ended the processor time is known of ${known}`] : []),
    ...(countedSince === null
      ? []
      : [`what ended before ${local(countedSince)} is in the files of past months, and is not counted`]),
  ];
}
