import { studentQuantile } from "../../simulation/figures/student.ts";
import type { SweepFigures, SweepInput, SweepRow } from "./sweep-input.ts";

/** What policies are compared by; lower is better. */
export interface SweepMeasure {
  readonly id: "wait" | "bounded-slowdown";
  readonly title: string;
  readonly value: (run: SweepFigures) => number;
}

export const sweepMeasures: readonly SweepMeasure[] = [
  { id: "wait", title: "Mean wait", value: (run) => run.waitMeanSeconds },
  { id: "bounded-slowdown", title: "Mean bounded slowdown", value: (run) => run.boundedSlowdownMean },
];

/** A policy's figure ÷ the baseline's, as a geometric mean. */
export interface Ratio {
  readonly policy: string;
  /** Null where no pair of runs has a ratio. */
  readonly ratio: number | null;
  /** In which the mean over seeds lies with 95 % confidence; null without two seeds or more. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Pairs of runs that it is the mean of, and pairs left out since one of the two is 0. */
  readonly pairs: number;
  readonly leftOut: number;
}

/** The ratios of the policies on each log, and over all logs. */
export interface Ratios {
  readonly measure: SweepMeasure["id"];
  readonly logs: readonly { readonly log: string; readonly ratios: readonly Ratio[] }[];
  readonly all: readonly Ratio[];
}

/** A log's mean logarithm of the ratio, seed by seed. */
interface Replicates {
  readonly bySeed: ReadonlyMap<number | null, number>;
  readonly pairs: number;
  readonly leftOut: number;
}

/**
 * Every policy but the baseline against it, over the rows that `isMeant`. Both runs of a pair are of the same jobs: of
 * the same log, seed, load and estimates. Each log counts alike, however many runs it has; and within a log each seed.
 *
 * The interval is Student's over the seeds' logarithms. A log without seeds of its own is the same in all of them, so
 * over all logs the interval tells only what generators and farms draw.
 */
export function ratiosOf(
  input: Pick<SweepInput, "logs" | "policies" | "baseline" | "rows">,
  measure: SweepMeasure,
  isMeant: (row: SweepRow) => boolean = () => true,
): Ratios {
  const pairOf = ({ log, seed, load, estimates }: SweepRow): string =>
    JSON.stringify([log, seed, load, estimates]);
  const rows = input.rows.filter(isMeant);
  const base = new Map(
    rows
      .filter(({ policy }) => policy === input.baseline)
      .map((row) => [pairOf(row), measure.value(row.run)]),
  );
  const others = input.policies.filter((policy) => policy !== input.baseline);
  const replicates = (log: string, policy: string): Replicates => {
    const logarithms = new Map<number | null, number[]>();
    let [pairs, leftOut] = [0, 0];
    for (const row of rows) {
      if (row.log !== log || row.policy !== policy) continue;
      const logarithm = Math.log(measure.value(row.run) / (base.get(pairOf(row)) ?? Number.NaN));
      if (!Number.isFinite(logarithm)) {
        leftOut++;
        continue;
      }
      pairs++;
      logarithms.set(row.seed, [...(logarithms.get(row.seed) ?? []), logarithm]);
    }
    const bySeed = new Map(Array.from(logarithms, ([seed, values]) => [seed, meanOf(values)]));
    return { bySeed, pairs, leftOut };
  };
  const table = others.map((policy) => input.logs.map(({ name }) => replicates(name, policy)));
  return {
    measure: measure.id,
    logs: input.logs.map(({ name }, log) => ({
      log: name,
      ratios: others.map((policy, i) => ratioOf(policy, [table[i]![log]!])),
    })),
    all: others.map((policy, i) => ratioOf(policy, table[i]!)),
  };
}

function ratioOf(policy: string, logs: readonly Replicates[]): Ratio {
  const counted = logs.filter(({ bySeed }) => bySeed.size > 0);
  const sum = (of: (log: Replicates) => number): number => logs.reduce((total, log) => total + of(log), 0);
  const told = { policy, pairs: sum(({ pairs }) => pairs), leftOut: sum(({ leftOut }) => leftOut) };
  if (counted.length === 0) return { ...told, ratio: null, interval: null };
  const means = counted.map(({ bySeed }) => meanOf([...bySeed.values()]));
  const mean = meanOf(means);
  // A seed that a log lacks, as a log without seeds of its own lacks all, is its mean there.
  const seeds = [...new Set(counted.flatMap(({ bySeed }) => [...bySeed.keys()]))].filter(
    (seed) => seed !== null,
  );
  const bySeed = seeds.map((seed) => meanOf(counted.map((log, i) => log.bySeed.get(seed) ?? means[i]!)));
  return { ...told, ratio: Math.exp(mean), interval: intervalOf(mean, bySeed) };
}

function intervalOf(mean: number, values: readonly number[]): Ratio["interval"] {
  const degrees = values.length - 1;
  if (degrees < 1) return null;
  const centre = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const margin = studentQuantile(0.95, degrees) * Math.sqrt(squares / degrees / values.length);
  return { low: Math.exp(mean - margin), high: Math.exp(mean + margin) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
