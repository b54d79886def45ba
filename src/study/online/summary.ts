import { publishedBandwidth, unpenalised } from "./algorithms.ts";
import { USUAL_PERIOD_SECONDS } from "./plan.ts";
import type { OnlineRow } from "./row.ts";

/** A line of a chart: means over traces. */
export interface OnlineLine {
  readonly policy: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface BandwidthRow {
  readonly policy: string;
  readonly pauseMean: number;
  readonly pauseMax: number;
  readonly migrationMean: number;
  readonly migrationMax: number;
  /** Of the slides; undefined where they have no such row. */
  readonly published?: Omit<BandwidthRow, "policy" | "published">;
}

/** What a study of the online algorithms found, ready to be shown and judged. */
export interface OnlineSummary {
  readonly traces: number;
  readonly jobs: number;
  readonly loads: readonly number[];
  /** By penalty: maximum stretch ÷ its bound, against load. */
  readonly degradation: readonly { readonly penaltySeconds: number; readonly lines: readonly OnlineLine[] }[];
  /** GB/s over the loads of at least `bandwidthLoad`, at the highest penalty. */
  readonly bandwidth: readonly BandwidthRow[];
  readonly bandwidthLoad: number;
  /** At one load (null: over all slices of a log) and the highest penalty, against the period: degradation, and GB/s of pauses and moves together. */
  readonly byPeriod: {
    readonly load: number | null;
    readonly penaltySeconds: number;
    readonly degradation: readonly OnlineLine[];
    readonly bandwidth: readonly OnlineLine[];
  } | null;
}

/** The slides' table is of these loads. */
const BANDWIDTH_LOAD = 0.7;
/** Loads of a log's slices come in classes this wide. */
const LOAD_STEP = 0.1;

/** Means over traces, as the slides' charts have them. */
export function summarise(rows: readonly OnlineRow[], isSliced: boolean): OnlineSummary {
  const loadOf = ({ load }: OnlineRow): number =>
    isSliced ? Math.max(LOAD_STEP, Math.round(load / LOAD_STEP) * LOAD_STEP) : load;
  const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  const penalties = distinct(rows.map(({ penaltySeconds }) => penaltySeconds));
  const last = penalties.at(-1)!;
  const usual = rows.filter(({ periodSeconds }) => periodSeconds === USUAL_PERIOD_SECONDS);
  const loads = distinct(usual.map(loadOf));
  const isOf = (row: OnlineRow, policy: string, penalty: number): boolean =>
    row.policy === policy && (row.penaltySeconds === penalty || unpenalised.has(policy));
  const line = (
    among: readonly OnlineRow[],
    policy: string,
    x: (row: OnlineRow) => number,
    y: (row: OnlineRow) => number,
  ): OnlineLine => {
    const mine = among.filter((row) => row.policy === policy);
    const points = distinct(mine.map(x)).map((at): [number, number] => [
      at,
      mean(mine.filter((row) => x(row) === at).map(y)),
    ]);
    return { policy, points };
  };

  const varied = rows.filter(({ periodSeconds }) => periodSeconds !== USUAL_PERIOD_SECONDS);
  const periodPolicies = [...new Set(varied.map(({ policy }) => policy))];
  const periodLoad = isSliced || varied[0] === undefined ? null : loadOf(varied[0]);
  const comparable = usual.filter(
    (row) =>
      row.penaltySeconds === last &&
      periodPolicies.includes(row.policy) &&
      (periodLoad === null || loadOf(row) === periodLoad),
  );
  const period = ({ periodSeconds }: OnlineRow): number => periodSeconds;
  const bandwidthLoad = Math.min(BANDWIDTH_LOAD, loads.at(-1)!);
  return {
    traces: new Set(rows.map(({ trace }) => trace)).size,
    jobs: Math.max(...rows.map(({ jobs }) => jobs)),
    loads,
    degradation: penalties.map((penaltySeconds) => ({
      penaltySeconds,
      lines: policies.map((policy) =>
        line(
          usual.filter((row) => isOf(row, policy, penaltySeconds)),
          policy,
          loadOf,
          degradation,
        ),
      ),
    })),
    bandwidthLoad,
    bandwidth: policies
      .filter((policy) => !unpenalised.has(policy))
      .map((policy) =>
        bandwidthRow(
          policy,
          usual.filter((row) => isOf(row, policy, last) && loadOf(row) >= bandwidthLoad - 1e-9),
        ),
      ),
    byPeriod:
      varied.length === 0
        ? null
        : {
            load: periodLoad,
            penaltySeconds: last,
            degradation: periodPolicies.map((policy) =>
              line([...comparable, ...varied], policy, period, degradation),
            ),
            bandwidth: periodPolicies.map((policy) =>
              line(
                [...comparable, ...varied],
                policy,
                period,
                (row) => row.pauseGBPerSecondMean + row.migrationGBPerSecondMean,
              ),
            ),
          },
  };
}

function bandwidthRow(policy: string, rows: readonly OnlineRow[]): BandwidthRow {
  const published = publishedBandwidth.find((each) => each.policy === policy);
  const pauses = rows.map((row) => row.pauseGBPerSecondMean);
  const migrations = rows.map((row) => row.migrationGBPerSecondMean);
  return {
    policy,
    pauseMean: mean(pauses),
    pauseMax: Math.max(0, ...pauses),
    migrationMean: mean(migrations),
    migrationMax: Math.max(0, ...migrations),
    ...(published === undefined ? {} : { published }),
  };
}

function degradation({ stretchMax, stretchBound }: OnlineRow): number {
  return stretchMax / stretchBound;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
