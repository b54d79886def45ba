import { formatCount, formatDuration, formatShare } from "../src/report/index.ts";
import type { ForecastResult, ForecastRow } from "../src/research/study/index.ts";

/** A log whose forecasts the page tells. */
export interface ForecastPart {
  /** Also the name of the file of its results. */
  readonly name: string;
  /** Of `croft study forecast`; LOGS and RESULTS stand for the folders. */
  readonly arguments: readonly string[];
  readonly moments: number;
  readonly members: number;
}

const on = (name: string, log: string, machines: string, moments: number, members: number): ForecastPart => ({
  name,
  arguments: [`LOGS/${log}`, "--machines", machines],
  moments,
  members,
});

export const forecastParts: readonly ForecastPart[] = [
  on("KTH-SP2", "KTH-SP2-1996-2.1-cln.swf.gz", "1x100c", 300, 16),
  on("SDSC-SP2", "SDSC-SP2-1998-4.2-cln.swf.gz", "1x128c", 300, 16),
  on("HPC2N", "HPC2N-2002-2.2-cln.swf.gz", "1x240c", 200, 12),
  on("LANL-CM5", "LANL-CM5-1994-4.1-cln.swf.gz", "1x1024c", 300, 16),
  on("LPC-EGEE", "LPC-EGEE-2004-1.2-cln.swf.gz", "1x140c", 300, 16),
  on("wagap", "alea-wagap-2013.swf.gz", "LOGS/alea-wagap-2013.swf.machines", 300, 16),
  on("RICC", "ricc-first-80000.swf.gz", "1x8192c", 200, 8),
  on("phillips", "phillips.sacct.gz", "1x64c", 200, 16),
  {
    name: "owners",
    arguments: ["RESULTS/owners.csv", "--farm", "RESULTS/owners.yaml"],
    moments: 200,
    members: 16,
  },
];

/** Results by name, in the order of the parts. */
export type Measured = readonly (readonly [ForecastPart, ForecastResult])[];

export function scoresTable(measured: Measured): string {
  const head =
    "log|jobs|as good as|futures|in 50 %|in 80 %|in 95 %|pinball|CRPS|best other|its pinball|its CRPS|error|in 10 min|width|moved".split(
      "|",
    );
  const rows = measured.map(([{ name, members }, { rows, jobs, independentJobs }]) => {
    const [croft, ...others] = rows;
    const best = others.reduce((a, b) => (b.crpsSeconds < a.crpsSeconds ? b : a));
    return [
      name,
      formatCount(jobs),
      formatCount(Math.round(independentJobs)),
      String(members),
      ...coverages(croft, independentJobs),
      formatDuration(croft.pinballLossSeconds),
      formatDuration(croft.crpsSeconds),
      `\`${best.method}\``,
      formatDuration(best.pinballLossSeconds),
      formatDuration(best.crpsSeconds),
      formatDuration(croft.medianAbsoluteErrorSeconds),
      formatShare(croft.within10Minutes),
      formatDuration(croft.width80Seconds),
      formatDuration(croft.revisionMedianSeconds),
    ];
  });
  return table(head, rows);
}

/** With one standard error of what it was to be, of as many jobs as it is as good as. */
function coverages({ coverage50, coverage80, coverage95 }: ForecastRow, independentJobs: number): string[] {
  return [
    [coverage50, 0.5],
    [coverage80, 0.8],
    [coverage95, 0.95],
  ].map(([share, nominal]) => {
    const error = 100 * Math.sqrt((nominal * (1 - nominal)) / independentJobs);
    return `${(100 * share).toFixed(1)} ± ${error.toFixed(1)}`;
  });
}

export function tenthsTable(measured: Measured): string {
  const rows = measured.map(([{ name }, { deciles }]) => {
    const isNear = ({ coverage80 }: (typeof deciles)[number]): boolean => Math.abs(coverage80 - 0.8) <= 0.08;
    const others = deciles
      .filter((tenth) => !isNear(tenth))
      .map(
        ({ coverage80, waitMedianSeconds }) =>
          `${Math.round(100 * coverage80)} % around ${formatDuration(waitMedianSeconds)}`,
      );
    return [name, `${deciles.filter(isNear).length} of ${deciles.length}`, others.join(", ") || "–"];
  });
  return table(["log", "tenths of the wait within 8 points of 80 %", "the others"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, at) => (at === 0 ? "---" : "---:")), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Puts a table between the two comments that name it. */
export function withTable(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page has no "${begin}" with an end: put both back`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
