import { Command } from "commander";

import { formatChange, formatDuration, formatPercent, terminalText } from "../../../report/index.ts";
import {
  confidenceSettings,
  studyConfidence,
  type Calibration,
  type ConfidenceRow,
} from "../../study/index.ts";
import { InputError } from "../../../workload/index.ts";
import { names, positiveInteger, wholeNumber } from "../../../cli/options.ts";
import { print, say } from "../../../cli/terminal.ts";
import { columns } from "./output.ts";

interface ConfidenceFlags {
  readonly setting?: readonly string[];
  readonly logs: number;
  readonly draws: number;
  readonly equals: number;
  readonly seed: number;
  readonly json?: true;
  readonly quiet?: true;
}

export function confidenceCommand(): Command {
  return new Command("confidence")
    .description(
      "how often the verdict's intervals hold what they promise, on made logs whose truth is known",
    )
    .option("--setting <texts>", "only settings whose name contains one of these", names)
    .option("--logs <number>", "logs of each setting", positiveInteger, 40)
    .option("--draws <number>", "logs drawn from each and simulated again; 0: none", wholeNumber, 20)
    .option("--equals <number>", "policies that are the same, all of them compared", positiveInteger, 2)
    .option("--seed <number>", "of the first log", wholeNumber, 1)
    .option("--json", "print one JSON object instead of the table")
    .option("--quiet", "no progress")
    .action(run);
}

async function run(flags: ConfidenceFlags): Promise<void> {
  const { setting: wanted, logs, draws, equals, seed } = flags;
  const settings = confidenceSettings.filter(
    ({ name }) => wanted === undefined || wanted.some((text) => name.includes(text)),
  );
  if (settings.length === 0)
    throw new InputError(
      `no setting is named so; there are ${confidenceSettings.map(({ name }) => `"${name}"`).join(", ")}`,
    );
  const rows = settings.map((setting) => {
    if (flags.quiet !== true) say(`${setting.name}: ${logs} logs`);
    return studyConfidence(setting, { logs, draws, equals, seed });
  });
  await print(flags.json === true ? JSON.stringify({ logs, draws, equals, seed, rows }) : tableOf(rows));
}

function tableOf(rows: readonly ConfidenceRow[]): string {
  const head = [
    "setting",
    "mean wait",
    "true change",
    "by",
    "judged",
    "covers the truth",
    "alarms",
    "losers",
    "found",
  ];
  const lines = rows.flatMap((row) =>
    (["byDays", "byResampling", "asVerdict"] as const).flatMap((by) =>
      row[by] === null ? [] : [lineOf(row, row[by], by)],
    ),
  );
  return [
    columns([head, ...lines]),
    "",
    "as the verdict: by resampling where there are users enough, or days say nothing. judged: pairs of policies that have an",
    "interval. covers the truth: of those, of two equal policies and of two that differ.",
    "alarms: equal policies called clearly different, of all. losers: logs on which one of them is called clearly worse than",
    "the best. found: policies that differ and are called so.",
  ].join("\n");
}

const kinds = { byDays: "days", byResampling: "resampling", asVerdict: "as the verdict" } as const;

function lineOf(
  { setting, waitMeanSeconds, change }: ConfidenceRow,
  of: Calibration,
  by: keyof typeof kinds,
): string[] {
  const isDays = by === "byDays";
  return [
    isDays ? setting : "",
    isDays ? formatDuration(waitMeanSeconds) : "",
    isDays ? formatChange(change) : "",
    kinds[by],
    `${of.judged} of ${of.compared}`,
    `${formatPercent(of.coveredOfEqual)}, ${formatPercent(of.coveredOfOther)}`,
    ...[of.falseAlarms, of.falseLosers, of.found].map(formatPercent),
  ].map(terminalText);
}
