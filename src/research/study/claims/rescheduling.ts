import type { ReschedulingResult, Scenario } from "../rescheduling/rescheduling.ts";
import type { JudgedClaim } from "./claim.ts";
import {
  against,
  changeOf,
  combined,
  cuts,
  lowers,
  lowersOf,
  minutes,
  rate,
  SHAPE,
  withRows,
  type ReschedulingClaim,
} from "./rescheduling-figures.ts";
import { yearClaims } from "./rescheduling-year.ts";
import { ALMOST_DOUBLE, EQUAL_MEANS } from "./tolerances.ts";
import { change, percent } from "./wording.ts";

/** The claims of Zhang 2010 about rescheduling. "Cuts" and "backfires": by 10 % or more, and at all. */
export const reschedulingClaims: readonly ReschedulingClaim[] = [
  {
    claim: "ResSusUtil cuts the completion time of suspended jobs under normal load (published: −50 %)",
    source: "section 3.2.1, Table 1",
    figures: "fitted",
    judge: (result) => cuts(result, "normal", "round-robin", "ResSusUtil", "completionMeanSuspendedMinutes"),
    otherwise: SHAPE,
  },
  {
    claim: "ResSusUtil cuts wasted time under normal load (published: −33 %)",
    source: "section 3.2.1, Table 1",
    figures: "fitted",
    judge: (result) => cuts(result, "normal", "round-robin", "ResSusUtil", "wastedMeanMinutes"),
    otherwise: SHAPE,
  },
  {
    claim: "ResSusUtil cuts the completion time of suspended jobs under high load (published: −75 %)",
    source: "section 3.2.1, Table 2",
    figures: "fitted",
    judge: (result) =>
      cuts(result, "high-load", "round-robin", "ResSusUtil", "completionMeanSuspendedMinutes"),
    otherwise: SHAPE,
  },
  {
    claim: "ResSusUtil helps suspended jobs more under high load than under normal load",
    source: "section 3.2.1, Table 2",
    figures: "fitted",
    judge: (result) =>
      withRows(
        result,
        [
          ["normal", "round-robin", "NoRes"],
          ["normal", "round-robin", "ResSusUtil"],
          ["high-load", "round-robin", "NoRes"],
          ["high-load", "round-robin", "ResSusUtil"],
        ],
        "completionMeanSuspendedMinutes",
        ([normal, normalUtil, high, highUtil]) => ({
          holds: highUtil! / high! < normalUtil! / normal!,
          figure: {
            what: "change under high load less that under normal load",
            value: highUtil! / high! - normalUtil! / normal!,
            unit: "points",
          },
          evidence: `${change(normalUtil!, normal!)} under normal load, ${change(highUtil!, high!)} under high load`,
        }),
      ),
    otherwise: "on half the cores a restarted job may find every pool full",
  },
  {
    claim: "ResSusUtil suspends more jobs than NoRes (published: 1.56 % against 1.14 %)",
    source: "section 3.2.1, Table 1",
    figures: "fitted",
    judge: (result) =>
      withRows(
        result,
        [
          ["normal", "round-robin", "NoRes"],
          ["normal", "round-robin", "ResSusUtil"],
        ],
        "suspendRate",
        ([none, util]) => ({
          holds: util! > none!,
          figure: changeOf(util!, none!),
          evidence: `${rate(none!)} under NoRes, ${rate(util!)} under ResSusUtil`,
        }),
      ),
    otherwise:
      "suspended jobs that stay go on when the burst lets up; where they have left, others start and are suspended in turn, but few jobs wait to do so here",
  },
  backfires("normal", "Table 1"),
  backfires("high-load", "Table 2"),
  {
    claim: "ResSusRand wastes the most by waiting",
    source: "section 3.2.1, Figure 3",
    figures: "fitted",
    judge: (result) =>
      withRows(
        result,
        [
          ["normal", "round-robin", "NoRes"],
          ["normal", "round-robin", "ResSusUtil"],
          ["normal", "round-robin", "ResSusRand"],
        ],
        "wastedWaitMinutes",
        ([none, util, random]) => ({
          holds: random! > none! && random! > util!,
          figure: {
            what: "more than the other that waits more",
            value: random! - Math.max(none!, util!),
            unit: "min",
          },
          evidence: `waiting ${minutes(none!)} under NoRes, ${minutes(util!)} under ResSusUtil, ${minutes(random!)} under ResSusRand`,
        }),
      ),
    otherwise: SHAPE,
  },
  {
    claim:
      "rescheduling waiting jobs as well cuts the completion time of suspended jobs further (published: −79 % against −75 %)",
    source: "section 3.3.1, Table 4",
    figures: "predicted",
    judge: (result) =>
      withRows(
        result,
        [
          ["high-load", "round-robin", "ResSusUtil"],
          ["high-load", "round-robin", "ResSusWaitUtil"],
        ],
        "completionMeanSuspendedMinutes",
        ([suspended, waiting]) => ({
          holds: waiting! < suspended!,
          figure: changeOf(waiting!, suspended!),
          evidence: `${minutes(suspended!)} under ResSusUtil, ${minutes(waiting!)} under ResSusWaitUtil`,
        }),
      ),
    otherwise: SHAPE,
  },
  {
    claim:
      "rescheduling waiting jobs as well shortens all jobs further (published: 951.4 min against 962.2 min)",
    source: "section 3.3.1, Table 4",
    figures: "predicted",
    judge: (result) =>
      withRows(
        result,
        [
          ["high-load", "round-robin", "ResSusUtil"],
          ["high-load", "round-robin", "ResSusWaitUtil"],
        ],
        "completionMeanMinutes",
        ([suspended, waiting]) => ({
          holds: waiting! < suspended!,
          figure: changeOf(waiting!, suspended!),
          evidence: `${minutes(suspended!)} under ResSusUtil, ${minutes(waiting!)} under ResSusWaitUtil: ${change(waiting!, suspended!)}`,
        }),
      ),
    otherwise: SHAPE,
  },
  {
    claim:
      "high load almost doubles the completion time of all jobs (published: 988.7 min against 569.8 min)",
    source: "section 3.2.1",
    // Table 2 was among what the model's load was set by.
    figures: "fitted",
    judge: (result) =>
      withRows(
        result,
        [
          ["normal", "round-robin", "NoRes"],
          ["high-load", "round-robin", "NoRes"],
        ],
        "completionMeanMinutes",
        ([normal, high]) => ({
          holds: high! / normal! >= ALMOST_DOUBLE,
          figure: { what: "high ÷ normal", value: high! / normal!, unit: "times" },
          evidence: `${minutes(normal!)} under normal load, ${minutes(high!)} under high load: ${(high! / normal!).toFixed(2)} times; almost doubles: ${ALMOST_DOUBLE} times or more`,
        }),
      ),
    otherwise: SHAPE,
  },
  {
    claim: "rescheduling waiting jobs as well lowers wasted time (published: −8 %)",
    source: "section 3.3.1, Table 4",
    figures: "predicted",
    judge: (result) => lowers(result, "round-robin", "ResSusWaitUtil"),
    otherwise: SHAPE,
  },
  nearUtil("round-robin", "section 3.3.1, Table 4"),
  nearUtil("utilization", "section 3.3.2, Table 5"),
  {
    claim: "utilization routing without rescheduling suspends more jobs (published: 1.50 % against 1.26 %)",
    source: "section 3.2.2, Table 3",
    figures: "predicted",
    judge: (result) =>
      withRows(
        result,
        [
          ["high-load", "round-robin", "NoRes"],
          ["high-load", "utilization", "NoRes"],
        ],
        "suspendRate",
        ([robin, utilization]) => ({
          holds: utilization! > robin!,
          figure: changeOf(utilization!, robin!),
          evidence: `${rate(robin!)} under round-robin, ${rate(utilization!)} under utilization`,
        }),
      ),
    otherwise:
      "the paper guesses that it sends more jobs to the larger pools, where bursts then hit them; where those are busy before a burst it sends fewer",
  },
  {
    claim:
      "ResSusUtil works with utilization routing: it cuts the completion time of suspended jobs under high load (published: −75 %)",
    source: "section 3.2.2, Table 3",
    figures: "predicted",
    judge: (result) =>
      cuts(result, "high-load", "utilization", "ResSusUtil", "completionMeanSuspendedMinutes"),
    otherwise: SHAPE,
  },
  {
    claim:
      "ResSusUtil works with utilization routing: it lowers wasted time under high load (published: −11 %)",
    source: "section 3.2.2, Table 3",
    figures: "predicted",
    judge: (result) => lowers(result, "utilization", "ResSusUtil"),
    otherwise: SHAPE,
  },
  {
    claim:
      "where many jobs are suspended ResSusUtil shortens all jobs (published: −7 %) and the suspended (−44 %)",
    source: "section 3.2.1",
    figures: "predicted",
    judge: (result) =>
      combined([
        lowersOf(result, "high-suspension", "round-robin", "ResSusUtil", "completionMeanMinutes"),
        lowersOf(result, "high-suspension", "round-robin", "ResSusUtil", "completionMeanSuspendedMinutes"),
      ]),
    otherwise: SHAPE,
  },
  ...yearClaims,
];

/**
 * Judges every claim by the figures; the evidence of a claim that fails on the synthetic weeks includes the possible
 * reason.
 */
export function judgeRescheduling(result: ReschedulingResult): JudgedClaim[] {
  return reschedulingClaims.map(({ claim, source, judge, otherwise }) => {
    const judgement = judge(result);
    const isExplained = judgement.holds === false && result.ofLog === undefined;
    const evidence = isExplained ? `${judgement.evidence}. Why: ${otherwise}.` : judgement.evidence;
    return { claim, source, ...judgement, evidence };
  });
}

function backfires(scenario: Scenario, table: string): ReschedulingClaim {
  return {
    claim: `ResSusRand backfires under ${scenario === "normal" ? "normal" : "high"} load: more waste than NoRes, and suspended jobs take longer`,
    source: `section 3.2.1, ${table}`,
    figures: "fitted",
    judge: (result) =>
      combined(
        (["wastedMeanMinutes", "completionMeanSuspendedMinutes"] as const).map((figure) =>
          against(result, scenario, "round-robin", "ResSusRand", figure, (value, none) => ({
            holds: value > none,
            figure: changeOf(value, none, "change of wasted time"),
            evidence: `${figure === "wastedMeanMinutes" ? "wasted" : "suspended jobs"} ${minutes(none)} under NoRes, ${minutes(value)} under ResSusRand`,
          })),
        ),
      ),
    otherwise: "where the pools that owners keep full have gaps, a random draw loses little",
  };
}

function nearUtil(routing: string, source: string): ReschedulingClaim {
  return {
    claim: `with waiting jobs rescheduled too, random comes close to utilisation-based, under ${routing}`,
    source,
    figures: "predicted",
    judge: (result) =>
      withRows(
        result,
        [
          ["high-load", routing, "ResSusWaitUtil"],
          ["high-load", routing, "ResSusWaitRand"],
        ],
        "completionMeanMinutes",
        ([util, random]) => ({
          holds: random! <= util! * (1 + EQUAL_MEANS),
          figure: changeOf(random!, util!),
          evidence: `all jobs ${minutes(util!)} under ResSusWaitUtil, ${minutes(random!)} under ResSusWaitRand: ${change(random!, util!)}; close: at most ${percent(EQUAL_MEANS)} above`,
        }),
      ),
    otherwise: SHAPE,
  };
}
