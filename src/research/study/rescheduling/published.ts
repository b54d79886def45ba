import type { Scenario } from "./rescheduling.ts";

/** A row of Zhang 2010, Tables 1 to 5, to compare ours with. */
interface PublishedRow {
  readonly scenario: Scenario;
  readonly routing: string;
  readonly strategy: string;
  /** A share of all jobs; the others are minutes. */
  readonly suspendRate: number;
  readonly completionMeanSuspendedMinutes: number;
  readonly completionMeanMinutes: number;
  readonly suspendedMeanMinutes: number;
  readonly wastedMeanMinutes: number;
}

/** The tables, with the rows that each shows. Rows that two tables share stand in both. */
export interface PublishedTable {
  readonly number: number;
  readonly title: string;
  readonly scenario: Scenario;
  readonly routing: string;
  readonly strategies: readonly string[];
}

export const publishedTables: readonly PublishedTable[] = [
  table(1, "Normal load", "normal", "round-robin", ["NoRes", "ResSusUtil", "ResSusRand"]),
  table(2, "High load", "high-load", "round-robin", ["NoRes", "ResSusUtil", "ResSusRand"]),
  table(3, "High load", "high-load", "utilization", ["NoRes", "ResSusUtil", "ResSusRand"]),
  table(4, "High load, waiting jobs moved too", "high-load", "round-robin", [
    "NoRes",
    "ResSusWaitUtil",
    "ResSusWaitRand",
  ]),
  table(5, "High load, waiting jobs moved too", "high-load", "utilization", [
    "NoRes",
    "ResSusWaitUtil",
    "ResSusWaitRand",
  ]),
];

export const publishedRows: readonly PublishedRow[] = [
  row("normal", "round-robin", "NoRes", [0.0114, 2498.7, 569.8, 1189.1, 31.0]),
  row("normal", "round-robin", "ResSusUtil", [0.0156, 1265.4, 560.0, 82.2, 20.8]),
  row("normal", "round-robin", "ResSusRand", [0.0152, 7580.7, 638.7, 80.7, 91.9]),
  row("high-load", "round-robin", "NoRes", [0.0126, 5846.1, 988.7, 4402.4, 450.1]),
  row("high-load", "round-robin", "ResSusUtil", [0.0183, 1475.1, 962.2, 86.2, 423.9]),
  row("high-load", "round-robin", "ResSusRand", [0.016, 6485, 1180, 73.2, 636.3]),
  row("high-load", "round-robin", "ResSusWaitUtil", [0.0146, 1224.3, 951.4, 72.7, 414.2]),
  row("high-load", "round-robin", "ResSusWaitRand", [0.015, 1417, 954.7, 62.3, 417.6]),
  row("high-load", "utilization", "NoRes", [0.015, 5936.0, 994.2, 4916, 456.6]),
  row("high-load", "utilization", "ResSusUtil", [0.0172, 1466.9, 946.2, 84.5, 407.6]),
  row("high-load", "utilization", "ResSusRand", [0.0162, 7979.9, 1229.9, 72.3, 686.8]),
  row("high-load", "utilization", "ResSusWaitUtil", [0.0174, 1467.2, 937.9, 84.5, 402.0]),
  row("high-load", "utilization", "ResSusWaitRand", [0.0171, 1603.1, 935.7, 100.6, 399.7]),
];

/** Section 2.2 and Figure 2: time suspended over a year, in minutes. */
export const publishedYear = { medianMinutes: 437, meanMinutes: 905, longMinutes: 1100, longShare: 0.2 };

function table(
  number: number,
  title: string,
  scenario: Scenario,
  routing: string,
  strategies: readonly string[],
): PublishedTable {
  return { number, title, scenario, routing, strategies };
}

function row(
  scenario: Scenario,
  routing: string,
  strategy: string,
  [suspendRate, ofSuspended, ofAll, suspended, wasted]: readonly [number, number, number, number, number],
): PublishedRow {
  return {
    scenario,
    routing,
    strategy,
    suspendRate,
    completionMeanSuspendedMinutes: ofSuspended,
    completionMeanMinutes: ofAll,
    suspendedMeanMinutes: suspended,
    wastedMeanMinutes: wasted,
  };
}
