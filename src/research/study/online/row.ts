/** What is kept of one run. */
export interface OnlineRow {
  readonly trace: string;
  /** The load asked for; otherwise the log's own. */
  readonly load: number;
  readonly penaltySeconds: number;
  readonly periodSeconds: number;
  readonly policy: string;
  readonly jobs: number;
  readonly stretchMean: number;
  readonly stretchMax: number;
  readonly stretchBound: number;
  readonly pauses: number;
  readonly migrations: number;
  readonly pauseGBPerSecondMean: number;
  readonly migrationGBPerSecondMean: number;
  readonly simulationSeconds: number;
}

const texts = ["trace", "policy"] as const satisfies (keyof OnlineRow)[];
const numbers = [
  "load",
  "penaltySeconds",
  "periodSeconds",
  "jobs",
  "stretchMean",
  "stretchMax",
  "stretchBound",
  "pauses",
  "migrations",
  "pauseGBPerSecondMean",
  "migrationGBPerSecondMean",
  "simulationSeconds",
] as const satisfies (keyof OnlineRow)[];

/** Whether something that was read is a row. */
export function isRow(read: unknown): read is OnlineRow {
  if (typeof read !== "object" || read === null) return false;
  const fields = read as Readonly<Record<string, unknown>>;
  return (
    texts.every((name) => typeof fields[name] === "string") &&
    numbers.every((name) => typeof fields[name] === "number")
  );
}

/** Identifies a run within a study. */
export function rowKey(
  trace: string,
  load: number | null,
  penalty: number,
  period: number,
  policy: string,
): string {
  return [trace, load ?? "own", penalty, period, policy].join("|");
}
