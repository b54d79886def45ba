import { expect, test } from "vitest";
import { gainsOf, gainsSentence } from "./gains.ts";
import { losersSentence } from "./losers.ts";
import type { Reference } from "./reference.ts";
import { inventRun } from "./report.fixture.ts";
import type { PolicyRun } from "./runs.ts";

const plain = (text: string | null): string => (text ?? "").replaceAll("\u00a0", " ");

/** A policy under which two users wait so long on average; the longest wait is ten times the second's. */
function row(policy: string, annSeconds: number, bobSeconds: number): PolicyRun {
  const part = (name: string, jobs: number, wait: number) => ({
    name,
    jobs,
    waitMeanSeconds: wait,
    waitMaxSeconds: 10 * wait,
  });
  const run = {
    ...inventRun(policy, 0, 0.9, 30),
    waitMaxSeconds: 10 * bobSeconds,
    waitsBy: { users: [part("ann", 50, annSeconds), part("bob", 30, bobSeconds)], cores: [], runtimes: [] },
  };
  return { policy, index: 0, run };
}

const against = (row: PolicyRun): Reference => ({ kind: "first", ...row });

test("who waits longer comes first, and is named with the longest wait", () => {
  const gains = gainsOf(row("b", 600, 7200), against(row("a", 3600, 1200)))!;
  expect(gains.kinds[0].parts.map(({ name }) => name)).toEqual(["bob", "ann"]);
  expect(plain(gainsSentence(gains))).toBe(
    "Against the waits under a: 1 of the 2 users waits longer (user bob: 20.0 min becomes 2.00 h), 1 less.",
  );
  expect(plain(losersSentence(gains))).toBe(
    "Who would lose most: user bob, whose mean wait of 20.0 min becomes 2.00 h (30 jobs, at most 20.0 h); the longest wait of all is 20.0 h under b, and 3.33 h under a.",
  );
});

test("the longest wait is told once where it stays", () => {
  const gains = gainsOf(row("b", 600, 7200), against(row("a", 3600, 7200)))!;
  expect(plain(losersSentence(gains))).toMatch(/; the longest wait of all stays 20\.0 h\.$/);
});

test("small differences are none", () => {
  const gains = gainsOf(row("b", 3590, 1210), against(row("a", 3600, 1200)))!;
  expect(gainsSentence(gains)).toMatch(/none of the 2 users waits clearly longer or less/);
  expect(plain(losersSentence(gains))).toMatch(/^None of the users waits clearly longer; the longest/);
});

test("nobody gains or loses by the same policy", () => {
  expect(gainsOf(row("a", 1, 1), against(row("a", 1, 1)))).toBeNull();
  expect(losersSentence(null)).toBe("");
});

test("of many users the one whose jobs wait longest together is named, not one job that had bad luck", () => {
  const users = Array.from({ length: 60 }, (_, i) => `u${i}`);
  const run = (policy: string, waitOf: (name: string) => number): PolicyRun => {
    const parts = users.map((name, i) => ({
      name,
      jobs: i < 40 ? 100 : 1,
      waitMeanSeconds: waitOf(name),
      waitMaxSeconds: waitOf(name),
    }));
    return {
      policy,
      index: 0,
      run: { ...inventRun(policy, 0, 0.9, 30), waitsBy: { users: parts, cores: [], runtimes: [] } },
    };
  };
  const before = run("a", () => 3600);
  const after = run("b", (name) => (name === "u39" ? 7200 : name === "u59" ? 36_000 : 1800));
  const gains = gainsOf(after, against(before));
  expect(plain(losersSentence(gains))).toMatch(
    /^Who would lose most: user u39, .*, and 1 more of the 60 users would wait longer;/,
  );
  expect(gains!.kinds[0].parts.slice(0, 2).map(({ name }) => name)).toEqual(["u39", "u59"]);
});
