import { singleResource, thesisHeuristics } from "../heuristics.ts";
import type { LoadFigures } from "../load/load.ts";
import type { Claim } from "./claim.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { areEqual, atHighest, hasQueue, levelsOf, noQueue, withWaits, type Wait } from "./load-levels.ts";
import { CLEAR_MEANS, CLEAR_SHARE, EQUAL_MEANS, EQUAL_WAIT_SECONDS, SIMILAR_SHARE } from "./tolerances.ts";
import { change, list, percent, points, pointsLimit, seconds } from "./wording.ts";

/** The claims of Shai 2014, section 6, about pools under load. "The highest load" is the highest of the runs. */
export const loadClaims: readonly Claim<readonly LoadFigures[]>[] = [
  {
    claim: "at the log's own pace (β = 1) all heuristics perform the same",
    source: "section 6",
    pools: "any",
    judge(runs) {
      const original = levelsOf(runs).find(({ beta }) => beta === 1);
      if (original === undefined) return cannotTell("no run at β = 1");
      return withWaits(original, thesisHeuristics, (wait) => {
        const judgement = allEqual(thesisHeuristics, wait);
        if (hasQueue(original)) return judgement;
        // The thesis's reason: the load "is too low for the wait queue [...] to accumulate".
        const evidence = `${judgement.evidence}; none is longer than a cycle: no job queues`;
        return { ...judgement, holds: true, evidence };
      });
    },
  },
  {
    claim: "mix-fit leads at the highest load: wait −22 %, slowdown −23 %, queue length −22 %",
    source: "section 6, Figures 6.1 to 6.3",
    pools: ["a"],
    judge: (runs) =>
      atHighest(runs, thesisHeuristics, (_wait, level) => {
        const against = metrics.map(({ name, value }) => {
          const best = Math.min(...singleResource.map((heuristic) => value(level.runs.get(heuristic)!)));
          return { name, mix: value(level.runs.get("mix-fit")!), best };
        });
        return {
          holds: against.every(({ mix, best }) => mix <= best * (1 - CLEAR_MEANS)),
          figure: { what: "wait of mix-fit", value: against[0]!.mix / against[0]!.best - 1, unit: "change" },
          evidence: `mix-fit against the best of the others: ${list(against.map(({ name, mix, best }) => `${name} ${change(mix, best)}`))}; leads: all ${percent(CLEAR_MEANS)} or more below`,
        };
      }),
  },
  {
    claim: "best-fit-memory is the second best",
    source: "section 6",
    pools: ["a"],
    judge: (runs) =>
      atHighest(runs, thesisHeuristics, (wait) => {
        const order = thesisHeuristics.toSorted((a, b) => wait(a) - wait(b));
        const best = Math.min(
          ...thesisHeuristics.filter((name) => name !== "mix-fit" && name !== "best-fit-memory").map(wait),
        );
        return {
          holds: order.indexOf("best-fit-memory") === 1,
          figure: {
            what: "wait of best-fit-memory against the best besides it and mix-fit",
            value: wait("best-fit-memory") / best - 1,
            unit: "change",
          },
          evidence: `shortest wait first: ${list(order.map((name) => `${name} ${seconds(wait(name))}`))}`,
        };
      }),
  },
  {
    claim: "worse-fit-cores performs poorly",
    source: "section 6",
    pools: ["a", "b"],
    judge: (runs) => atHighest(runs, thesisHeuristics, (wait) => poor("worse-fit-cores", wait)),
  },
  {
    claim: "best-fit-memory slightly outperforms mix-fit",
    source: "section 6",
    pools: ["b"],
    judge: (runs) =>
      atHighest(runs, ["best-fit-memory", "mix-fit"], (wait) => {
        const [memory, mix] = [wait("best-fit-memory"), wait("mix-fit")];
        return {
          holds: memory < mix && areEqual(memory, mix),
          figure: { what: "wait of best-fit-memory", value: memory / mix - 1, unit: "change" },
          evidence: `best-fit-memory ${seconds(memory)}, ${change(memory, mix)} against mix-fit; slightly: at most ${percent(EQUAL_MEANS)}`,
        };
      }),
  },
  {
    claim: "best-fit-memory's advantage over mix-fit is largest at loads in the middle",
    source: "section 6",
    pools: ["b"],
    judge: advantageInTheMiddle,
  },
  {
    claim: "best-fit-memory performs relatively poorly",
    source: "section 6",
    pools: ["d"],
    judge: (runs) => atHighest(runs, thesisHeuristics, (wait) => poor("best-fit-memory", wait)),
  },
  {
    claim: "all heuristics perform essentially the same",
    source: "section 6",
    pools: ["c"],
    judge: (runs) => atHighest(runs, thesisHeuristics, (wait) => allEqual(thesisHeuristics, wait)),
  },
  {
    claim: "mix-fit performs like worse-fit-cores",
    source: "section 6",
    pools: ["d"],
    judge: (runs) =>
      atHighest(runs, ["mix-fit", "worse-fit-cores"], (wait) =>
        allEqual(["mix-fit", "worse-fit-cores"], wait),
      ),
  },
  {
    claim: "max-jobs is the best or near the best at every load",
    source: "section 6",
    pools: "any",
    judge: nearBestEverywhere,
  },
  {
    claim: "max-jobs is better than every heuristic",
    source: "section 6",
    pools: ["b"],
    judge: (runs) =>
      atHighest(runs, [...thesisHeuristics, "max-jobs"], (wait) => {
        const { name, least } = bestOf(wait);
        return {
          holds: wait("max-jobs") < least,
          figure: { what: "wait of max-jobs", value: wait("max-jobs") / least - 1, unit: "change" },
          evidence: maxJobsText(wait, name, least),
        };
      }),
  },
  {
    claim: "max-jobs is slightly behind the best heuristic",
    source: "section 6",
    pools: ["a"],
    judge: (runs) =>
      atHighest(runs, [...thesisHeuristics, "max-jobs"], (wait) => {
        const { name, least } = bestOf(wait);
        return {
          holds: wait("max-jobs") > least && areEqual(wait("max-jobs"), least),
          figure: { what: "wait of max-jobs", value: wait("max-jobs") / least - 1, unit: "change" },
          evidence: `${maxJobsText(wait, name, least)}; slightly: at most ${percent(EQUAL_MEANS)}`,
        };
      }),
  },
  {
    claim: "of max-jobs' choices mix-fit is the most frequent",
    source: "section 6, Figure 6.4",
    pools: "any",
    judge: (runs) =>
      chosen(runs, (share) => ({
        holds: singleResource.every((name) => share("mix-fit") >= share(name)),
        evidence: list(thesisHeuristics.map((name) => `${name} ${percent(share(name))}`)),
      })),
  },
  {
    claim: "max-jobs chooses mix-fit in 73 % of the cycles",
    source: "section 6, Figure 6.4",
    pools: ["a"],
    judge: (runs) =>
      chosen(runs, (share) => ({
        holds: Math.abs(share("mix-fit") - 0.73) <= SIMILAR_SHARE,
        evidence: `${percent(share("mix-fit"))}; holds within ${pointsLimit(SIMILAR_SHARE)}`,
      })),
  },
  {
    claim: "max-jobs chooses best-fit-memory more often than worse-fit-cores",
    source: "section 6, Figure 6.4",
    pools: "any",
    judge: (runs) =>
      chosen(runs, (share) => {
        const lead = share("best-fit-memory") - share("worse-fit-cores");
        return { holds: lead > 0, evidence: `best-fit-memory ${points(lead)}` };
      }),
  },
  {
    claim: "max-jobs chooses best-fit-memory markedly more often than worse-fit-cores",
    source: "section 6, Figure 6.4",
    pools: ["a", "d"],
    judge: (runs) =>
      chosen(runs, (share) => {
        const lead = share("best-fit-memory") - share("worse-fit-cores");
        return {
          holds: lead >= CLEAR_SHARE,
          evidence: `best-fit-memory ${points(lead)}; markedly: ${pointsLimit(CLEAR_SHARE)} or more`,
        };
      }),
  },
  {
    claim: "first-fit performs poorly",
    source: "section 3",
    pools: "any",
    judge: (runs) => atHighest(runs, ["first-fit", ...thesisHeuristics], (wait) => poor("first-fit", wait)),
  },
];

const metrics: readonly { readonly name: string; readonly value: (run: LoadFigures) => number }[] = [
  { name: "wait", value: (run) => run.waitMeanSeconds },
  { name: "slowdown", value: (run) => run.slowdownMean },
  { name: "queue length", value: (run) => run.queueLengthMean },
];

function allEqual(policies: readonly string[], wait: Wait): Judgement {
  const waits = policies.map(wait);
  const least = Math.min(...waits);
  const most = Math.max(...waits);
  return {
    holds: areEqual(least, most),
    figure: { what: "most against least", value: most / least - 1, unit: "change" },
    evidence: `${list(policies.map((policy) => `${policy} ${seconds(wait(policy))}`))}: ${least > 0 ? change(most, least) : seconds(most)} from least to most; equal: at most ${percent(EQUAL_MEANS)} or ${EQUAL_WAIT_SECONDS} s`,
  };
}

/** The best of the five heuristics. */
function bestOf(wait: Wait): { name: string; least: number } {
  const name = thesisHeuristics.toSorted((a, b) => wait(a) - wait(b))[0]!;
  return { name, least: wait(name) };
}

function poor(policy: string, wait: Wait): Judgement {
  const { name, least } = bestOf(wait);
  return {
    holds: wait(policy) >= least * (1 + CLEAR_MEANS) && !areEqual(wait(policy), least),
    figure: { what: `wait of ${policy}`, value: wait(policy) / least - 1, unit: "change" },
    evidence: `${policy} ${seconds(wait(policy))}, ${change(wait(policy), least)} against the best, ${name}; poor: ${percent(CLEAR_MEANS)} or more above`,
  };
}

function maxJobsText(wait: Wait, best: string, least: number): string {
  return `max-jobs ${seconds(wait("max-jobs"))}, ${change(wait("max-jobs"), least)} against the best, ${best}`;
}

function advantageInTheMiddle(runs: readonly LoadFigures[]): Judgement {
  const levels = levelsOf(runs).filter(
    (level) => level.runs.has("best-fit-memory") && level.runs.has("mix-fit") && hasQueue(level),
  );
  if (levels.length < 3) {
    return cannotTell(`there is a queue at ${levels.length} of the loads; it takes three to have a middle`);
  }
  const advantages = levels.map(({ runs }) => {
    const [memory, mix] = [runs.get("best-fit-memory")!, runs.get("mix-fit")!];
    return 1 - memory.waitMeanSeconds / mix.waitMeanSeconds;
  });
  const largest = Math.max(...advantages);
  const at = advantages.indexOf(largest);
  const text = levels.map(
    ({ offeredLoad }, i) => `${points(advantages[i]!).replace(" points", " %")} at ${percent(offeredLoad)}`,
  );
  return {
    holds: largest > 0 && at > 0 && at < levels.length - 1,
    figure: {
      what: "the largest advantage in the middle less that at the ends",
      value: Math.max(...advantages.slice(1, -1)) - Math.max(advantages[0]!, advantages.at(-1)!),
      unit: "points",
    },
    evidence: `best-fit-memory's wait is shorter by ${list(text)} load`,
  };
}

function nearBestEverywhere(runs: readonly LoadFigures[]): Judgement {
  const levels = levelsOf(runs);
  const needed = [...thesisHeuristics, "max-jobs"];
  const missing = needed.filter((policy) => !levels.every((level) => level.runs.has(policy)));
  if (levels.length === 0 || missing.length > 0) return cannotTell(`not run at all loads: ${list(missing)}`);
  if (!levels.some(hasQueue)) return noQueue;
  const judged = levels.map((level) => {
    const wait: Wait = (policy) => level.runs.get(policy)!.waitMeanSeconds;
    const { least } = bestOf(wait);
    const isNear = wait("max-jobs") < least || areEqual(wait("max-jobs"), least);
    const text = least > 0 ? change(wait("max-jobs"), least) : seconds(wait("max-jobs"));
    return { isNear, behind: wait("max-jobs") / least - 1, text: `${text} at ${percent(level.offeredLoad)}` };
  });
  return {
    holds: judged.every(({ isNear }) => isNear),
    figure: { what: "wait of max-jobs at the highest load", value: judged.at(-1)!.behind, unit: "change" },
    evidence: `max-jobs' wait against the best heuristic: ${list(judged.map(({ text }) => text))} load; near: at most ${percent(EQUAL_MEANS)} or ${EQUAL_WAIT_SECONDS} s above`,
  };
}

/** Judges what Max-Jobs chose at the highest load. */
function chosen(
  runs: readonly LoadFigures[],
  judge: (share: (name: string) => number) => Judgement,
): Judgement {
  const level = levelsOf(runs).at(-1);
  const wins = level?.runs.get("max-jobs")?.wins;
  if (level === undefined || wins === undefined) return cannotTell("not run: max-jobs");
  const missing = thesisHeuristics.filter((name) => !(name in wins));
  if (missing.length > 0) return cannotTell(`max-jobs did not try ${list(missing)}`);
  const judgement = hasQueue(level) ? judge((name) => wins[name]!) : noQueue;
  return { ...judgement, evidence: `at ${percent(level.offeredLoad)} load: ${judgement.evidence}` };
}
