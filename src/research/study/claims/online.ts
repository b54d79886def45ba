import type { OnlineLine, OnlineSummary } from "../online/summary.ts";
import type { Claim } from "./claim.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { ABOUT_THE_SAME, AMONG_BEST, LIGHT_BANDWIDTH, ORDERS_OF_MAGNITUDE } from "./tolerances.ts";

const fractional = ["GreedyPM */per/MVT", "MCB */per/MVT"];
const batch = ["FCFS", "EASY"];

/** The claims of the slides about the online algorithms (Stillwell 2014). */
export const onlineClaims: readonly Claim<OnlineSummary>[] = [
  {
    claim:
      "without a penalty, FCFS and EASY degrade by orders of magnitude more than fractional scheduling as load rises",
    source: "Max Stretch Degradation vs. Load, No Migration Cost",
    pools: "any",
    judge(summary) {
      const lines = summary.degradation.find(({ penaltySeconds }) => penaltySeconds === 0)?.lines;
      if (lines === undefined) return cannotTell("no run without a penalty");
      return compareEnds(lines, batch, fractional, ORDERS_OF_MAGNITUDE);
    },
  },
  {
    claim: "with the penalty, fractional scheduling still widely outperforms FCFS and EASY",
    source: "Max Stretch Degradation vs. Load, 5 minute penalty; Conclusions",
    pools: "any",
    judge(summary) {
      const lines = penalised(summary);
      if (lines === undefined) return cannotTell("no run with a penalty");
      return compareEnds(lines, batch, ["GreedyPM */per/MVT"], ORDERS_OF_MAGNITUDE);
    },
  },
  {
    claim: "with the penalty, GreedyPM */per/MVT is among the best",
    source: "Max Stretch Degradation vs. Load, 5 minute penalty",
    pools: "any",
    judge(summary) {
      const lines = penalised(summary);
      const own = lines?.find(({ policy }) => policy === "GreedyPM */per/MVT");
      if (lines === undefined || own === undefined) return cannotTell("no run of it with a penalty");
      const ratios = own.points.map(([load, value]) => {
        const best = Math.min(
          ...lines.flatMap((line) => line.points.filter(([x]) => x === load).map(([, y]) => y)),
        );
        return value / best;
      });
      const worst = Math.max(...ratios);
      return {
        holds: worst <= AMONG_BEST,
        evidence: `at most ${worst.toFixed(2)} times the best, over all loads`,
      };
    },
  },
  {
    claim: "a minimum virtual time before a job is moved helps where moves are penalised",
    source: "Limiting Migration",
    pools: "any",
    judge(summary) {
      const lines = penalised(summary);
      const [without, limited] = ["GreedyPM */per", "GreedyPM */per/MVT"].map((name) =>
        endOf(lines ?? [], name),
      );
      if (without === null || limited === null || without === undefined || limited === undefined)
        return cannotTell("not both were run with a penalty");
      return {
        holds: limited <= without,
        figure: { what: "change", value: limited / without - 1, unit: "change" },
        evidence: `at the highest load ${limited.toFixed(2)} with it, ${without.toFixed(2)} without`,
      };
    },
  },
  {
    claim: "bandwidth costs are reasonable: about a GB/s, and far less without the periodic packing",
    source: "Bandwidth Utilization; Conclusions",
    pools: "any",
    judge({ bandwidth }) {
      const total = (name: string): number | undefined => {
        const row = bandwidth.find(({ policy }) => policy === name);
        return row === undefined ? undefined : row.pauseMean + row.migrationMean;
      };
      const [plain, periodic] = [total("GreedyPM *"), total("GreedyPM */per/MVT")];
      if (plain === undefined || periodic === undefined)
        return cannotTell("not both GreedyPM * and GreedyPM */per/MVT");
      return {
        holds: periodic <= LIGHT_BANDWIDTH && plain <= periodic / 2,
        figure: { what: "GreedyPM */per/MVT", value: periodic, unit: "GB/s" },
        evidence: `GreedyPM *: ${plain.toFixed(2)} GB/s; GreedyPM */per/MVT: ${periodic.toFixed(2)} GB/s`,
      };
    },
  },
  {
    claim: "longer periods trade bandwidth for stretch",
    source: "Bandwidth vs. Period, Max Stretch Degradation vs. Period",
    pools: "any",
    judge({ byPeriod }) {
      if (byPeriod === null) return cannotTell("one period only");
      const ends = (lines: readonly OnlineLine[]): [number, number][] =>
        lines.map(({ points }) => [points[0]![1], points.at(-1)![1]]);
      const bandwidth = ends(byPeriod.bandwidth);
      const stretch = ends(byPeriod.degradation);
      const [[short, long]] = stretch as [[number, number]];
      const text = byPeriod.degradation.map(
        ({ policy }, i) =>
          `${policy}: ${bandwidth[i]![0].toFixed(2)} to ${bandwidth[i]![1].toFixed(2)} GB/s, degradation ${stretch[i]![0].toFixed(1)} to ${stretch[i]![1].toFixed(1)}`,
      );
      return {
        holds:
          bandwidth.every(([short, long]) => long < short) && stretch.every(([short, long]) => long > short),
        figure: {
          what: `${byPeriod.degradation[0]!.policy}'s degradation from the shortest to the longest`,
          value: long / short - 1,
          unit: "change",
        },
        evidence: text.join("; "),
      };
    },
  },
  {
    claim: "a longer period cuts the bandwidth by half or more without a significant penalty",
    source: "Conclusions",
    pools: "any",
    judge({ byPeriod }) {
      const place = byPeriod?.degradation.findIndex(({ policy }) => policy === "GreedyPM */per/MVT") ?? -1;
      if (byPeriod === null || place === -1)
        return cannotTell("the period of GreedyPM */per/MVT was not varied");
      const bandwidth = byPeriod.bandwidth[place]!.points;
      const stretch = byPeriod.degradation[place]!.points;
      const tried = stretch.map(([period, degradation], i) => ({
        period,
        bandwidth: bandwidth[i]![1] / bandwidth[0]![1],
        degradation: degradation / stretch[0]![1],
      }));
      const good = tried.filter((each) => each.bandwidth <= 0.5 && each.degradation <= 1 + ABOUT_THE_SAME);
      const text = tried.map(
        (each) =>
          `${each.period} s: ${each.bandwidth.toFixed(2)} of the bandwidth, ${each.degradation.toFixed(2)} of the degradation`,
      );
      return { holds: good.length > 0, evidence: `GreedyPM */per/MVT: ${text.join("; ")}` };
    },
  },
  {
    claim: "the priority flow ÷ virtual performs poorly",
    source: "Priority",
    pools: "any",
    judge: (summary) =>
      comparePriorities(summary, "flow/virtual", (ratios) => Math.min(...ratios) > 1 + ABOUT_THE_SAME),
  },
  {
    claim: "the priority flow ÷ virtual² performs about the same as 1 ÷ virtual",
    source: "Priority",
    pools: "any",
    judge: (summary) =>
      comparePriorities(summary, "flow/virtual^2", (ratios) =>
        ratios.every((ratio) => Math.abs(Math.log(ratio)) <= Math.log(1 + ABOUT_THE_SAME)),
      ),
  },
];

/** By how much degradation under a priority is above that under 1 ÷ virtual, of each algorithm and penalty. */
function comparePriorities(
  { byPriority }: OnlineSummary,
  priority: string,
  isTrue: (ratios: readonly number[]) => boolean,
): Judgement {
  const pairs = (byPriority?.rows ?? [])
    .filter((row) => row.priority === priority)
    .flatMap((row) => {
      const other = byPriority!.rows.find(
        ({ policy, penaltySeconds, priority: name }) =>
          name === "1/virtual" && policy === row.policy && penaltySeconds === row.penaltySeconds,
      );
      return other === undefined ? [] : [{ row, other }];
    });
  if (pairs.length === 0) return cannotTell("priorities were not varied");
  const ratios = pairs.map(({ row, other }) => row.degradation / other.degradation);
  return {
    holds: isTrue(ratios),
    figure: {
      what: "degradation against 1 ÷ virtual, the mean",
      value: ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length,
      unit: "times",
    },
    evidence: pairs
      .map(
        ({ row, other }) =>
          `${row.policy}, penalty ${row.penaltySeconds} s: ${row.degradation.toFixed(2)}, by 1/virtual ${other.degradation.toFixed(2)}`,
      )
      .join("; "),
  };
}

function penalised({ degradation }: OnlineSummary): readonly OnlineLine[] | undefined {
  return degradation.findLast(({ penaltySeconds }) => penaltySeconds > 0)?.lines;
}

/** The value at the highest load; null where the policy was not run. */
function endOf(lines: readonly OnlineLine[], policy: string): number | null {
  return lines.find((line) => line.policy === policy)?.points.at(-1)?.[1] ?? null;
}

/** Whether at the highest load the best of some is this many times the worst of others. */
function compareEnds(
  lines: readonly OnlineLine[],
  worse: readonly string[],
  better: readonly string[],
  factor: number,
): Judgement {
  const ends = (names: readonly string[]): [string, number][] =>
    names.flatMap((name): [string, number][] => {
      const end = endOf(lines, name);
      return end === null ? [] : [[name, end]];
    });
  const [high, low] = [ends(worse), ends(better)];
  if (high.length === 0 || low.length === 0) return cannotTell("not both kinds were run");
  const ratio = Math.min(...high.map(([, y]) => y)) / Math.max(...low.map(([, y]) => y));
  return {
    holds: ratio >= factor,
    figure: { what: "the best of the worse ÷ the worst of the better", value: ratio, unit: "times" },
    evidence: `at the highest load ${[...high, ...low].map(([name, y]) => `${name} ${y.toFixed(1)}`).join(", ")} times the bound`,
  };
}
