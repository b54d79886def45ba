import { describe, expect, test } from "vitest";
import type { Fidelity } from "../simulation/recorded/fidelity.ts";
import type { RunResult } from "../simulation/result.ts";
import { inventCheck, inventRecord, inventRun } from "./report.fixture.ts";
import { headlineLoad, tabulate } from "./runs.ts";
import { sensitivitySentence } from "./sensitivity.ts";
import { judge } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** A run whose every day has this mean wait, but for a wobble of its own. */
function run(policy: string, waitMeanSeconds: number, days = 30, wobble = 0, load = 0.95): RunResult {
  return {
    ...inventRun(policy, 0, load, 1),
    rejected: 0,
    waitMeanSeconds,
    days: Array.from({ length: days }, (_, day) => ({
      day,
      jobs: 100,
      waitSumSeconds: 100 * waitMeanSeconds * (1 + (Math.floor(day / 5) % 2 === 0 ? wobble : -wobble)),
    })),
  };
}

function atLoad(load: number): RunResult {
  return { ...run("first-fit", 1, 30, 0, load), beta: 1 / load };
}

function verdictOf(
  runs: readonly RunResult[],
  baseline = "first-fit",
  synthetic = false,
  isOwn = true,
): Verdict {
  return judge(headlineLoad(tabulate(runs))!, { baseline, workload: { synthetic, jobs: 100 }, isOwn });
}

const log = { synthetic: false, jobs: 100 };
const units = 50;

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const sentence = (verdict: Verdict): string => plain(verdict.sentence);

test("a clear winner", () => {
  const verdict = verdictOf([run("first-fit", 1000), run("mix-fit", 780), run("worse-fit-cores", 1200)]);
  expect(verdict.best).toBe("mix-fit");
  expect(sentence(verdict)).toBe(
    "At 95 % load, jobs wait 13.0 min on average under mix-fit, and 16.7 min under first-fit; over months like this the wait is expected to be 22 % shorter (95 % confidence: 22 to 22 %).",
  );
  expect(verdict.waits!.againstBest.map((row) => row.judgement)).toEqual(["longer", "longer"]);
  expect(verdict.cautions).toEqual([]);
});

test("synthetic workloads are called so in the sentence itself", () => {
  const verdict = verdictOf([run("first-fit", 1000), run("mix-fit", 780)], "first-fit", true);
  expect(sentence(verdict)).toMatch(
    /^On a synthetic workload, not a real log: at 95 % load, jobs wait 13.0 min/,
  );
});

test("nothing would have been cut where no record says that the simulation follows it", () => {
  const runs = [run("first-fit", 1000), run("mix-fit", 780)];
  for (const isOwn of [false, true])
    expect(sentence(verdictOf(runs, "first-fit", false, isOwn))).toBe(
      "At 95 % load, jobs wait 13.0 min on average under mix-fit, and 16.7 min under first-fit; over months like this the wait is expected to be 22 % shorter (95 % confidence: 22 to 22 %).",
    );
});

describe("where the log tells waits", () => {
  const atOwnPace = (policy: string, wait: number, index = 0, load = 0.58): RunResult => {
    const invented = { ...inventRun(policy, index, load, 30), beta: 1 };
    const scale = wait / invented.waitMeanSeconds;
    const days = invented.days.map((day) => ({ ...day, waitSumSeconds: day.waitSumSeconds * scale }));
    return { ...invented, waitMeanSeconds: wait, days };
  };
  const recorded = inventRecord(8000);
  const judged = (runs: readonly RunResult[], factor: number, policy = "first-fit", isOwn = false): Verdict =>
    judge(headlineLoad(tabulate(runs))!, {
      baseline: "first-fit",
      isOwn,
      recorded,
      fidelity: inventCheck(recorded, factor, policy),
      workload: log,
    });
  const runs = [atOwnPace("first-fit", 7600), atOwnPace("mix-fit", 4000)];

  test("a wait is cut against what ran, where the simulation comes near it", () => {
    const verdict = judged(runs, 0.95);
    expect(verdict).toMatchObject({ baseline: "as it was", best: "mix-fit", reference: { kind: "record" } });
    expect(sentence(verdict)).toBe(
      "At 58 % load, mix-fit would have cut the mean wait from 2.22 h as recorded to 1.11 h; over months like this it is expected to be 50 % shorter (95 % confidence: 47 to 50 %).",
    );
    expect(verdict.waits!.againstBaseline.map(({ policy }) => policy)).toEqual(["mix-fit", "first-fit"]);
  });

  test("where it does not, only the difference between policies is the policy's, and what is not seen comes first", () => {
    const verdict = judged([atOwnPace("first-fit", 4000), atOwnPace("mix-fit", 2000)], 0.5);
    expect(verdict).toMatchObject({ baseline: "first-fit", reference: { kind: "own" }, standing: "shorter" });
    expect(sentence(verdict)).toBe(
      "At 58 % load, jobs wait 33.3 min on average under mix-fit, and 1.11 h under first-fit; over months like this the wait is expected to be 50 % shorter (95 % confidence: 50 to 50 %). That the farm runs first-fit as simulated is an assumption that the record does not bear out.",
    );
    expect(plain(verdict.unseen[0])).toBe(
      "Simulated, first-fit (near to the batch system's default) has a mean wait of 1.11 h where 2.22 h was recorded; its rise and fall from day to day follows the record closely (correlation 0.83). Another policy may have run (name it with --baseline), or the simulation leaves out much of what jobs waited for, such as limits of users, reservations and priorities: simulated policies are compared with each other, not with the record.",
    );
    const itself = judged([atOwnPace("mix-fit", 4000)], 0.5, "mix-fit");
    expect(itself.standing).toBe("itself");
    expect(sentence(itself)).toMatch(/no other policy was run to compare it with/);
  });

  test("nor where only the means are near, or a policy only happens to be close", () => {
    const check = inventCheck(recorded, 0.95, "first-fit");
    const of = (fidelity: Fidelity): Verdict =>
      judge(headlineLoad(tabulate(runs))!, { baseline: "first-fit", recorded, fidelity, workload: log });
    const byChance = of({ ...check, isNear: false, waitDayCorrelation: 0.3 });
    expect(byChance).toMatchObject({ baseline: "first-fit", reference: { kind: "own" } });
    expect(plain(byChance.unseen[0])).toMatch(
      /day by day it follows the record weakly \(correlation 0\.30\)\. The means are near by chance/,
    );
    const closest = of({ ...check, because: "closest" });
    expect(closest).toMatchObject({ baseline: "first-fit", reference: { kind: "own" } });
    for (const verdict of [byChance, closest]) expect(sentence(verdict)).not.toContain("would have");
  });

  test("the best policy is never held against its own record", () => {
    const verdict = judged([atOwnPace("first-fit", 7600), atOwnPace("mix-fit", 9000)], 0.95);
    expect(verdict).toMatchObject({ best: "first-fit", baseline: "first-fit", standing: "itself" });
    expect(sentence(verdict)).toMatch(/no policy has a shorter mean wait than first-fit \(2\.11 h\)/);
  });

  test("where hardly any job waited there is nothing to win, nor where hardly any waits in the simulation of what ran", () => {
    const nearly = { ...recorded, waitMeanSeconds: 12 };
    const short = [atOwnPace("first-fit", 11), atOwnPace("mix-fit", 4)];
    const verdict = judge(headlineLoad(tabulate(short))!, {
      baseline: "first-fit",
      recorded: nearly,
      fidelity: inventCheck(nearly, 0.95, "first-fit"),
      workload: log,
    });
    expect(verdict).toMatchObject({
      standing: "nothing to win",
      losers: "",
      confidence: "",
      sensitivity: [],
    });
    expect(sentence(verdict)).toMatch(
      /there is nothing to win: hardly any job waits, 12\.0 s on average as recorded; under mix-fit, the best, it is 4\.00 s\./,
    );
    const far = judged(short, 0.001);
    expect(far.standing).toBe("nothing to win");
    expect(sentence(far)).toMatch(/hardly any job waits, 8\.00 s on average under first-fit/);
  });

  test("of policies that tie the farm's own is the best, and no other is held against the record", () => {
    const verdict = judged([atOwnPace("best-fit-cores", 7800), atOwnPace("first-fit", 7801)], 7801 / 8000);
    expect(verdict).toMatchObject({ best: "first-fit", standing: "itself", losers: "", sensitivity: [] });
  });

  test("and the nearest policy may be better than all that were run", () => {
    const verdict = judged([atOwnPace("mix-fit", 6000)], 0.5);
    expect(verdict.standing).toBe("longer");
    expect(sentence(verdict)).toMatch(
      /no policy that was run has a shorter mean wait than the 1\.11 h under first-fit: under mix-fit, the best of them, it is 1\.67 h, clearly longer\./,
    );
    // Nobody is told to change to it, so nobody loses.
    expect(verdict.losers).toBe("");
  });

  test("the record may be the best", () => {
    const verdict = judged([atOwnPace("best-fit-cores", 9000), atOwnPace("mix-fit", 8400)], 1.1);
    expect(verdict.best).toBe("mix-fit");
    expect(sentence(verdict)).toMatch(
      /no policy that was run has a shorter mean wait than the 2\.22 h as recorded: under mix-fit, the best of them, it is 2\.33 h/,
    );
  });

  test("a policy that the reader named goes before it, and what is not seen stays", () => {
    const verdict = judged(runs, 0.95, "first-fit", true);
    expect(verdict).toMatchObject({ baseline: "first-fit", reference: { kind: "named" } });
    expect(sentence(verdict)).toMatch(/mix-fit would have cut the mean wait from 2\.11 h under first-fit/);
    const far = judged(runs, 0.5, "first-fit", true);
    expect(far.unseen).toHaveLength(1);
    expect(sentence(far)).not.toContain("would have");
    expect(sentence(far)).toMatch(
      /first-fit as simulated is an assumption that the record does not bear out\.$/,
    );
    expect(sentence(verdict)).not.toMatch(/bear out/);
    const noBetter = judged(
      [atOwnPace("first-fit", 4000), atOwnPace("mix-fit", 5000)],
      0.5,
      "first-fit",
      true,
    );
    expect(sentence(noBetter)).not.toMatch(/bear out/);
  });

  test("nor is such a policy borne out at another load, where nothing was recorded", () => {
    const others = [run("first-fit", 1000), run("mix-fit", 780)];
    expect(sentence(judged(others, 0.5, "first-fit", true))).toMatch(/bear out\.$/);
    expect(sentence(judged(others, 0.5))).toMatch(/bear out\.$/);
    // What the record does not bear out is not what these are compared with.
    expect(sentence(judged(others, 0.5, "best-fit-cores"))).not.toMatch(/bear out/);
  });

  test("another load than the log's is not held against it", () => {
    const verdict = judged([run("first-fit", 1000), run("mix-fit", 780)], 0.95);
    expect(verdict).toMatchObject({ baseline: "first-fit", reference: { kind: "first" } });
    expect(sentence(verdict)).not.toMatch(/recorded|what ran|would have/);
  });

  test("a record of more cores than there are is told", () => {
    const load = headlineLoad(tabulate(runs))!;
    const told = (coresExceededShare: number): string => {
      const larger = { ...recorded, coreUtilizationMax: 1.4, coresExceededShare };
      return judge(load, { baseline: "first-fit", recorded: larger, workload: log }).cautions.join();
    };
    expect(told(0.3)).toMatch(/has 140.% of these machines' cores in use: the log is of a larger farm/);
    expect(told(0.014)).toMatch(
      /^For 1.% of the time .* 140.% at most: some of its starts and ends are wrong/,
    );
    const inferred = (coresExceededShare: number, placelessShare?: number): boolean =>
      judge(load, {
        baseline: "first-fit",
        recorded: { ...recorded, coreUtilizationMax: 1.4, coresExceededShare },
        machineUse: {
          isInferred: true,
          machines: 3,
          ...(placelessShare === undefined ? {} : { placelessShare }),
        },
        workload: log,
      }).hasVerdict;
    expect(inferred(0.3, 0.77)).toBe(false);
    expect(inferred(0.014, 0.77)).toBe(true);
    // As with --scale-cores: the reader asks for fewer.
    expect(inferred(0.3)).toBe(true);
  });
});

test("an interval that contains zero is no clear difference", () => {
  const verdict = verdictOf([run("first-fit", 1000), run("mix-fit", 970, 30, 0.3)]);
  expect(sentence(verdict)).toMatch(
    /there is no clear difference: mix-fit .* 3 % below the 16\.7 min under first-fit, which may be chance: over months like this, −20 to \+18 % is expected/,
  );
});

test("the best has one interval, that of what is expected, wherever it is told", () => {
  // Each is the best on other days, so that some of the best one's gain is luck.
  const lucky = [run("a", 900, 30, 0.3), run("b", 905, 30, -0.3)];
  const { waits, best } = verdictOf([run("first-fit", 1000), ...lucky]);
  const told = waits!.againstBaseline.find(({ policy }) => policy === best)!;
  const { change, interval, nextMonth, judgement } = waits!.expected!;
  expect(change).toBeGreaterThan(told.change!);
  expect(told).toMatchObject({ interval, nextMonth, judgement });
  const mean = (of: { low: number; high: number }): number => Math.sqrt((1 + of.low) * (1 + of.high)) - 1;
  expect(mean(told.interval!)).toBeCloseTo(change, 10);
});

test("a baseline that is the best", () => {
  const worse = [run("first-fit", 500), run("a", 600), run("b", 700)];
  expect(sentence(verdictOf(worse))).toMatch(
    /no policy has a shorter mean wait than first-fit \(8.33 min\); all others are clearly worse/,
  );
  const mixed = [run("first-fit", 500), run("a", 510, 30, 0.4), run("b", 700)];
  expect(sentence(verdictOf(mixed))).toMatch(/1 of the 2 others is clearly worse/);
  const equal = [run("first-fit", 500), run("a", 500)];
  expect(sentence(verdictOf(equal))).toMatch(/none of the others is clearly different/);
});

test("a log of few days", () => {
  const short = verdictOf([run("first-fit", 1000, 4), run("mix-fit", 780, 4)]);
  expect(sentence(short)).toMatch(
    /22 % below the 16\.7 min under first-fit; with jobs on 4 days the log is too short/,
  );
  expect(short.cautions).toHaveLength(1);
  const one = verdictOf([run("first-fit", 1000, 1), run("mix-fit", 780, 1)]);
  expect(sentence(one)).toMatch(/with jobs on 1 day the log is too short/);
  const shortish = verdictOf([run("first-fit", 1000, 14), run("mix-fit", 780, 14)]);
  expect(shortish.cautions[0]).toMatch(/only 14 days.*rough/);
});

test("of a log too short to judge, nothing is judged, not even against a policy under which nobody waits", () => {
  const runs = [run("first-fit", 1000, 1), run("mix-fit", 0, 1), run("max-jobs", 0, 1)];
  const { waits, best } = verdictOf(runs);
  expect(best).toBe("mix-fit");
  for (const row of [...waits!.againstBaseline, ...waits!.againstBest])
    expect(row).toMatchObject({ interval: null, judgement: "cannot be judged" });
});

test("nobody waits under the baseline, but under others", () => {
  expect(sentence(verdictOf([run("first-fit", 0), run("mix-fit", 60)]))).toMatch(
    /there is nothing to win: hardly any job waits, 0 s on average under first-fit; all others are clearly worse\./,
  );
});

test.each([
  [0.5, / At a higher load, as with --load 0\.9, policies differ more\.$/],
  [0.89, /--load 0\.9,/],
  [0.9, /--load 1\.4,/],
  [1.2, /--load 1\.8,/],
  [5, /--load 7\.5,/],
  [0, /it is 10\.0 s\.$/],
])("at load %d the advice is a higher one, where there is one", (load, advice) => {
  const runs = [run("first-fit", 40, 30, 0, load), run("mix-fit", 10, 30, 0, load)];
  expect(sentence(verdictOf(runs))).toMatch(advice);
  const asked = Number(/--load ([\d.]+\d)/.exec(sentence(verdictOf(runs)))?.[1] ?? Infinity);
  expect(asked).toBeGreaterThan(load);
});

test("there is nothing to win where hardly any job waits", () => {
  const verdict = verdictOf([run("first-fit", 40), run("mix-fit", 10)]);
  expect(sentence(verdict)).toBe(
    "At 95 % load, there is nothing to win: hardly any job waits, 40.0 s on average under first-fit; under mix-fit, the best, it is 10.0 s. At a higher load, as with --load 1.5, policies differ more.",
  );
  expect(verdict.standing).toBe("nothing to win");
  expect(verdictOf([run("first-fit", 70), run("mix-fit", 10)]).standing).toBe("shorter");
});

describe("rows that were dropped", () => {
  const dropped = (count: number, isUnreadable = true): Verdict => {
    const reason = {
      what: "column Queued: no time",
      count,
      firstLine: 2,
      example: "2. März 2026",
      ...(isUnreadable ? { isUnreadable } : {}),
    } as const;
    const workload = { synthetic: false, jobs: 100, dropped: { count, reasons: [reason] } };
    const runs = [run("first-fit", 1000), run("mix-fit", 780)];
    return judge(headlineLoad(tabulate(runs))!, { baseline: "first-fit", workload });
  };
  const reason = /Most likely reason: column Queued: no time \(\d+, first in line 2: “2\. März 2026”\)\.$/;

  test("are told beside the verdict where they are more than one in a hundred", () => {
    expect(dropped(1).cautions).toEqual([]);
    const { hasVerdict, cautions } = dropped(25);
    expect(hasVerdict).toBe(true);
    expect(cautions[0]).toMatch(
      /^25 of 125 rows \(20\u00a0%\) of the log could not be read and are in no figure\. /,
    );
    expect(cautions[0]).toMatch(reason);
  });

  test("leave no verdict where they are most", () => {
    const { hasVerdict, sentence: said, cautions } = dropped(101);
    expect(hasVerdict).toBe(false);
    expect(said).toMatch(
      /there is no verdict: 101 of 201 rows \(50\u00a0%\) of the log could not be read\. /,
    );
    expect(said).toMatch(reason);
    expect(cautions).toEqual([]);
  });

  test("that could be read, as of jobs that never started, are told only where they are many", () => {
    expect(dropped(25, false).cautions).toEqual([]);
    const { hasVerdict, cautions } = dropped(900, false);
    expect(hasVerdict).toBe(true);
    expect(cautions[0]).toMatch(
      /^900 of 1,000 rows \(90\u00a0%\) of the log were dropped and are in no figure\. /,
    );
  });
});

describe("runs with figures of stretch", () => {
  const stretched = (policy: string, wait: number, max: number, mean: number): RunResult => ({
    ...run(policy, wait),
    stretchMax: max,
    stretchMean: mean,
    boundedSlowdownMean: mean,
  });
  // Nobody waits under "greedy", whose worst job takes 900 times its run time.
  const runs = [
    stretched("FCFS", 72_000, 14_000, 3930),
    stretched("greedy", 0, 900, 2),
    stretched("packed", 300, 13.1, 3.02),
  ];

  test("are judged and ordered by the maximum, not by the wait", () => {
    const verdict = verdictOf(runs, "FCFS");
    expect(verdict.best).toBe("packed");
    expect(verdict.waits).toBeNull();
    expect(verdict.ranked.map((row) => row.policy)).toEqual(["packed", "greedy", "FCFS"]);
    expect(sentence(verdict)).toBe(
      "At 95 % load, packed has the lowest maximum stretch in this log: 13.1, against 14,000 under FCFS; the mean stretch is 3.02, against 3,930.",
    );
    expect(verdict.cautions).toHaveLength(1);
    expect(verdict.cautions[0]).toMatch(/no confidence interval/);
  });

  test("of equal maxima the lower mean goes first", () => {
    const equal = [stretched("a", 5, 40, 3), stretched("b", 5, 40, 2)];
    expect(verdictOf(equal, "a").ranked.map((row) => row.policy)).toEqual(["b", "a"]);
    expect(sentence(verdictOf(equal, "a"))).toMatch(/is 40.0 under every policy: they are all equal/);
  });

  test("a baseline that is the best is held against the next", () => {
    expect(sentence(verdictOf(runs, "packed"))).toMatch(
      /no policy has a lower maximum stretch in this log than packed: 13.1, against 900 under greedy, the next; the mean stretch is 3.02, against 2.00/,
    );
    expect(sentence(verdictOf(runs.slice(0, 1), "FCFS"))).toMatch(
      /maximum stretch under FCFS is 14,000; no other/,
    );
  });

  test("beside runs without them are judged by the mean stretch, and it is said why", () => {
    const pool = { ...run("first-fit", 100), boundedSlowdownMean: 2.5 };
    const verdict = verdictOf([...runs, pool], "first-fit");
    expect(verdict.ranked.map((row) => row.policy)).toEqual(["greedy", "first-fit", "packed", "FCFS"]);
    expect(sentence(verdict)).toMatch(
      /greedy has the lowest mean stretch in this log: 2.00, against 2.50 under/,
    );
    expect(verdict.cautions[0]).toMatch(/maximum is not known of all/);
  });
});

test("one policy, and no waits at all", () => {
  expect(sentence(verdictOf([run("mix-fit", 90)], "mix-fit"))).toMatch(/1.50 min; no other policy was run/);
  expect(sentence(verdictOf([run("first-fit", 0), run("mix-fit", 0)]))).toMatch(/no job waits/);
});

test("the headline's load is the highest that the machines can bear", () => {
  expect(headlineLoad(tabulate([atLoad(1.2), atLoad(0.7), atLoad(0.98)]))!.offeredLoad).toBe(0.98);
  const overloaded = headlineLoad(tabulate([atLoad(1.4), atLoad(1.2)]))!;
  expect(overloaded.offeredLoad).toBe(1.2);
  expect(judge(overloaded, { baseline: "first-fit", workload: log }).cautions[0]).toMatch(
    /More work arrives/,
  );
});

test("policies that started different jobs are not silently compared", () => {
  const verdict = verdictOf([run("first-fit", 1000), { ...run("mix-fit", 780), started: 3 }]);
  expect(verdict.cautions[0]).toMatch(/different jobs/);
});

describe("rejected jobs", () => {
  const rejecting = (policy: string, wait: number, share: number): RunResult => ({
    ...run(policy, wait),
    jobs: 1000,
    rejected: 1000 * share,
  });
  const judgeAt = (share: number): Verdict =>
    judge(headlineLoad(tabulate([rejecting("first-fit", 1000, share), rejecting("mix-fit", 780, share)]))!, {
      baseline: "first-fit",
      rejectionAdvice: "give --memory-unit KiB",
      workload: log,
    });

  test("are no matter up to 1 %", () => {
    expect(judgeAt(0.01)).toMatchObject({ hasVerdict: true, cautions: [] });
  });

  test("above that are told beside the verdict", () => {
    const verdict = judgeAt(0.05);
    expect(verdict.hasVerdict).toBe(true);
    expect(sentence(verdict)).toMatch(/jobs wait 13.0 min/);
    expect(verdict.cautions[0]).toMatch(/50 of 1,000 jobs \(5.%\) were rejected.*give --memory-unit KiB/);
  });

  test("above 20 % leave no verdict", () => {
    const verdict = judgeAt(0.21);
    expect(verdict.hasVerdict).toBe(false);
    expect(sentence(verdict)).toMatch(
      /there is no verdict: 210 of 1,000 jobs \(21 %\).*give --memory-unit KiB/,
    );
    expect(verdict.cautions).toEqual([]);
  });
});

test("at its own pace a log of far more work than the machines can do is doubted", () => {
  const own = { ...run("first-fit", 1000, 30, 0, 4.2), beta: 1 };
  const { cautions } = judge(headlineLoad(tabulate([own]))!, { baseline: "first-fit", workload: log });
  expect(cautions[0]).toMatch(/4.20 times the work that these machines can do/);
});

describe("what is attainable goes first", () => {
  const runs = [run("easy", 1000), run("easy-sjbf", 500), run("conservative", 800)];
  const unattainable = { "easy-sjbf": "LSF: it backfills in the order of the queue." };

  test("and better policies are named after it", () => {
    const verdict = judge(headlineLoad(tabulate(runs))!, { baseline: "easy", workload: log, unattainable });
    expect(verdict.best).toBe("conservative");
    expect(sentence(verdict)).toMatch(/expected to be 20 % shorter/);
    expect(plain(verdict.better)).toBe(
      "Better, but not what the farm's batch system does: easy-sjbf (−38 % against conservative): LSF: it backfills in the order of the queue.",
    );
    // What ran is better than all: no better one is left to name.
    const recorded = inventRecord(8000);
    const own = [run("easy", 500), run("conservative", 800)].map((each) => ({ ...each, beta: 1 }));
    const none = judge(headlineLoad(tabulate(own))!, {
      baseline: "easy",
      workload: log,
      unattainable: { easy: "LSF: it reserves for all." },
      recorded,
      fidelity: inventCheck(recorded, 0.05, "first-fit"),
    });
    expect(none).toMatchObject({ best: "conservative", baseline: "first-fit", better: "" });
    const alike = [run("easy", 1000), run("easy-sjbf", 799.9), run("conservative", 800)];
    const tie = judge(headlineLoad(tabulate(alike))!, { baseline: "easy", workload: log, unattainable });
    expect(tie.better).toBe("");
  });
});

test("other estimates, machines and parts of the log are a line", () => {
  const waits = (before: number, after: number): { policy: string; waitMeanSeconds: number }[] => [
    { policy: "first-fit", waitMeanSeconds: before },
    { policy: "mix-fit", waitMeanSeconds: after },
  ];
  const trials = {
    beta: 0.58 / 0.95,
    units,
    draws: [],
    sensitivity: [
      { what: "exact estimates", waits: waits(1000, 860) },
      { what: "10 % fewer machines", on: "fewer" as const, waits: waits(2000, 1840) },
      { what: "10 % more machines", on: "more" as const, waits: waits(500, 0), isOfOtherJobs: true as const },
    ],
  };
  const { sensitivity, machines } = judge(
    headlineLoad(tabulate([run("first-fit", 1000), run("mix-fit", 780)]))!,
    { baseline: "first-fit", workload: log, trials },
  );
  expect(plain(machines)).toBe(
    "Other machines in place of another policy: simulated, the mean wait under first-fit is 16.7 min, 33.3 min with 10 % fewer machines.",
  );
  expect(plain(sensitivitySentence(sensitivity))).toBe(
    "The change of the mean wait under other assumptions: as it is −22 %, exact estimates −14 %, 10 % fewer machines −8 %, 10 % more machines not told (not the same jobs fit), first half −22 %, second half −22 %, odd weeks −22 %, even weeks −22 %.",
  );
});

test("where most waiting is in one queue, its machines are told, and what to do if more of them help", () => {
  const judged = (more: number): Verdict => {
    const waits = [{ policy: "first-fit", waitMeanSeconds: more }];
    const trials = {
      beta: 0.58 / 0.95,
      units,
      draws: [],
      sensitivity: [{ what: "2 machines of queue black in place of 1", on: "more" as const, waits }],
      busyQueue: { name: "black", waitsShare: 0.98, machines: 1, allMachines: 46 },
    };
    const runs = [run("first-fit", 1000), run("mix-fit", 1200)];
    return judge(headlineLoad(tabulate(runs))!, { baseline: "first-fit", workload: log, trials });
  };
  expect(plain(judged(300).machines)).toBe(
    "Other machines in place of another policy: 98 % of all waiting is in queue black, which has 1 of 46 machines; simulated, the mean wait under first-fit is 16.7 min, 5.00 min with 2 machines of queue black in place of 1.",
  );
  expect(judged(900).busyQueue).toBe(
    "Jobs wait for the machines of queue black: see whether others can take its jobs too.",
  );
  expect(judged(901)).toMatchObject({
    busyQueue: "",
    machines: expect.stringContaining("queue black") as string,
  });
});

test("an interval is called rough on few days only where there is one", () => {
  const rough = (hours: number): string[] =>
    verdictOf([run("first-fit", 3600 * hours, 20), run("mix-fit", 3000 * hours, 20)]).cautions.filter(
      (each) => each.includes("as rough"),
    );
  expect(rough(1)).toHaveLength(1);
  // A fifth of twenty days is four: jobs that wait for 60 h are a backlog.
  expect(rough(60)).toEqual([]);
});

test("logs drawn from this one decide where there are some", () => {
  const runs = [run("first-fit", 1000), run("mix-fit", 780)];
  const ofDraws = (
    policy: string,
    means: readonly number[],
  ): { policy: string; waitMeanSeconds: readonly number[] } => ({
    policy,
    waitMeanSeconds: means,
  });
  const draws = [
    ofDraws("first-fit", [900, 1100, 1000, 950, 1050, 1000, 980, 1020]),
    ofDraws("mix-fit", [1100, 800, 1000, 600, 900, 700, 780, 1200]),
  ];
  const basis = {
    baseline: "first-fit",
    workload: log,
    trials: { beta: 0.58 / 0.95, units, draws, sensitivity: [] },
  };
  const verdict = judge(headlineLoad(tabulate(runs))!, basis);
  expect(verdict.standing).toBe("no clear difference");
  expect(verdict.waits!.againstBaseline[0]).toMatchObject({ by: "resampling" });
  expect(verdict.cautions).toEqual([]);
});

test("policies that tie are a line", () => {
  const runs = [run("first-fit", 1000), run("a", 780), run("b", 1000), run("c", 780.1)];
  expect(verdictOf(runs).ties).toBe(
    "a and c have the same mean wait, 13.0\u00a0min. first-fit and b have the same mean wait, 16.7\u00a0min.",
  );
  expect(verdictOf(runs.slice(0, 2)).ties).toBe("");
});

test("cycles that are far apart for short jobs are told", () => {
  const withShort = (policy: string, wait: number, intervalSeconds: number, short: number): RunResult => {
    const made = run(policy, wait);
    const part = { waitMeanSeconds: wait, waitMaxSeconds: wait };
    const runtimes = [
      { ...part, name: "up to 1 min", jobs: short * made.started },
      { ...part, name: "up to 10 min", jobs: (1 - short) * made.started },
    ];
    return { ...made, intervalSeconds, waitsBy: { cores: [], runtimes } };
  };
  const cautionsOf = (short: number, interval: number): string =>
    judge(
      headlineLoad(
        tabulate([withShort("easy", 16_000, 0, short), withShort("first-fit", 38_000, interval, short)]),
      )!,
      { baseline: "easy", workload: log },
    )
      .cautions.map(plain)
      .join("\n");
  expect(cautionsOf(0.7, 30)).toContain(
    "70 % of the jobs run for a minute or less, and 1 of the 2 policies start jobs only every 30.0 s",
  );
  expect(cautionsOf(0.1, 30)).not.toContain("only every");
  expect(cautionsOf(0.7, 0)).not.toContain("only every");
});
