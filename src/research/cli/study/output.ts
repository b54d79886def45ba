import { join } from "node:path";

import { terminalText } from "../../../report/index.ts";
import { aloneText, type JudgedClaim } from "../../study/index.ts";
import { makeFolder, writeFileAtomically } from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { onFarmOptions, type OnFarmFlags } from "../../../cli/on-farm/flags.ts";
import { print, say } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import type { StudyFlags } from "./input.ts";

/** The results of a study, for each kind of output. */
interface StudyOutput {
  /** For the terminal. */
  readonly text: string;
  /** For `--json`. */
  readonly json: object;
  /** For `report.html`. */
  readonly page: () => string;
  /** For `results.json`: all of `json`, and what is too long for it. */
  readonly results: object;
}

/** The command line that makes the same again; where the runs are made changes nothing of them. */
export function commandOf({ on }: Pick<OnFarmFlags, "on">): string {
  return commandLine(on === undefined ? [] : onFarmOptions());
}

/** Writes the report, where a folder is given, and prints the rest. */
export async function putOut(
  flags: Pick<StudyFlags, "json" | "out"> & Pick<OnFarmFlags, "on">,
  { text, json, page, results }: StudyOutput,
): Promise<void> {
  const report = flags.out === undefined ? undefined : join(flags.out, "report.html");
  if (flags.out !== undefined && report !== undefined) {
    makeFolder(flags.out);
    const told = JSON.stringify({ ...results, command: commandOf(flags), version }, plainArrays, 2);
    await writeFileAtomically(join(flags.out, "results.json"), [told, "\n"]);
    await writeFileAtomically(report, [page()]);
  }
  await print(flags.json === true ? JSON.stringify(json, plainArrays) : terminalText(text));
  if (report === undefined) return;
  if (flags.json === true) say(`report: ${report}`);
  else await print(`report: ${report}`);
}

function plainArrays(_key: string, value: unknown): unknown {
  return value instanceof Float64Array ? Array.from(value) : value;
}

/** The claims as text: the judgement before each, its figures below. */
export function claimsTable(
  claims: readonly JudgedClaim[],
  title = "Claims of Shai 2014, on this workload:",
): string {
  const indent = " ".repeat(JUDGEMENT_WIDTH);
  const rows = claims.flatMap(({ claim, holds, evidence, source, alone }) => [
    `${judgementText(holds).padEnd(JUDGEMENT_WIDTH)}  ${claim} (${source})`,
    `${indent}  ${evidence}`,
    ...(alone === undefined ? [] : [`${indent}  ${aloneText(alone)}`]),
  ]);
  return [title, ...rows].join("\n");
}

const JUDGEMENT_WIDTH = "cannot be judged".length;

function judgementText(holds: boolean | null): string {
  return holds === null ? "cannot be judged" : holds ? "holds" : "does not hold";
}

/** Columns of text, the first to the left and the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(terminalText));
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  return cells
    .map((row) =>
      row.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join("  "),
    )
    .join("\n");
}

/** `12,000 jobs of netbatch-a (synthetic)`: says when figures are of a synthetic workload. */
export function heading(workload: { name: string; synthetic: boolean }, jobs: string): string {
  const isSaid = !workload.synthetic || workload.name.includes("synthetic");
  return `${jobs} jobs of ${workload.name}${isSaid ? "" : " (synthetic)"}`;
}
