import {
  otherPriorities,
  priorityAlgorithms,
  publishedBandwidth,
  unpenalised,
  withPriority,
} from "./algorithms.ts";
import { USUAL_PERIOD_SECONDS } from "./plan.ts";
import { priorities } from "../../fractional/index.ts";
import type { OnlineRow } from "./row.ts";

/** A line of a chart: means over traces. */
export interface OnlineLine {
  readonly policy: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface BandwidthRow {
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
  /** At one load (null: over all slices of a log): what the priority by which jobs are paused makes of an algorithm. */
  readonly byPriority: { readonly load: number | null; readonly rows: readonly PriorityRow[] } | null;
}

/** Means over traces. */
interface PriorityRow {
  readonly policy: string;
  /** Its formula, such as `flow/virtual`. */
  readonly priority: string;
  readonly penaltySeconds: number;
  readonly degradation: number;
  /** Of pauses and moves together. */
  readonly gigabytesPerSecond: number;
}

/** The slides' table is of these loads. */
const BANDWIDTH_LOAD = 0.7;
/** Loads of a log's slices come in classes this wide. */
const LOAD_STEP = 0.1;

/**
 * Means over traces, as the slides' charts have them.
 *
 * @param algorithms those asked for; the others in the rows are theirs by another priority
 */
export function summarise(
  rows: readonly OnlineRow[],
  isSliced: boolean,
  algorithms: readonly string[] = withoutVariants(rows),
): OnlineSummary {
  const loadOf = ({ load }: OnlineRow): number =>
    isSliced ? Math.max(LOAD_STEP, Math.round(load / LOAD_STEP) * LOAD_STEP) : load;
  const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const policies = [...new Set(rows.map(({ policy }) => policy))].filter((name) => algorithms.includes(name));
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
    byPriority: byPriority(usual, penalties, isSliced ? null : loadOf),
  };
}

/** @param loadOf of a row; null: the rows of all slices belong together */
function byPriority(
  rows: readonly OnlineRow[],
  penalties: readonly number[],
  loadOf: ((row: OnlineRow) => number) | null,
): OnlineSummary["byPriority"] {
  const isVariant = ({ policy }: OnlineRow): boolean =>
    priorityAlgorithms.some((name) => otherPriorities.some((word) => policy === withPriority(name, word)));
  const some = rows.find(isVariant);
  if (some === undefined) return null;
  const load = loadOf === null ? null : loadOf(some);
  const there = loadOf === null ? rows : rows.filter((row) => loadOf(row) === load);
  return {
    load,
    rows: priorityAlgorithms.flatMap((name) =>
      priorities.flatMap((priority, i) => {
        const policy = i === 0 ? name : withPriority(name, priority.word);
        return penalties.flatMap((penaltySeconds): PriorityRow[] => {
          const mine = there.filter((row) => row.policy === policy && row.penaltySeconds === penaltySeconds);
          if (mine.length === 0) return [];
          return [
            {
              policy: name,
              priority: priority.name,
              penaltySeconds,
              degradation: mean(mine.map(degradation)),
              gigabytesPerSecond: mean(
                mine.map((row) => row.pauseGBPerSecondMean + row.migrationGBPerSecondMean),
              ),
            },
          ];
        });
      }),
    ),
  };
}

function withoutVariants(rows: readonly OnlineRow[]): string[] {
  return rows.map(({ policy }) => policy).filter((policy) => !policy.includes("/PRIO="));
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
