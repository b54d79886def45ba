import { expect, test } from "vitest";
import { gainsOf, gainsSentence, longestWaitCaution } from "./gains.ts";
import { inventCheck, inventRecord, inventRun } from "./report.fixture.ts";
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

test("who waits longer comes first, and is named", () => {
  const gains = gainsOf(row("b", 600, 7200), row("a", 3600, 1200), null, undefined)!;
  expect(gains.kinds[0].parts.map(({ name }) => name)).toEqual(["bob", "ann"]);
  expect(plain(gainsSentence(gains))).toBe(
    "Against the waits under a: 1 of the 2 users waits longer (bob: 20.0 min becomes 2.00 h), 1 less.",
  );
  expect(plain(longestWaitCaution(gains))).toBe(
    "Under b the longest wait is 6.0 times as long as under a: 20.0 h instead of 3.33 h.",
  );
});

test("small differences are none", () => {
  const gains = gainsOf(row("b", 3590, 1210), row("a", 3600, 1200), null, undefined)!;
  expect(gainsSentence(gains)).toMatch(/none of the 2 users waits clearly longer or less/);
  expect(longestWaitCaution(gains)).toBeNull();
});

test("a longest wait of minutes may double unnoticed", () => {
  expect(longestWaitCaution(gainsOf(row("b", 1, 20), row("a", 1, 5), null, undefined))).toBeNull();
});

test("the record is held against only where the simulation comes near it", () => {
  const recorded = inventRecord(8000);
  const best = row("b", 600, 7200);
  const against = (factor: number): string | undefined =>
    gainsOf(best, row("a", 1, 1), recorded, inventCheck(recorded, factor, "easy"))?.against;
  expect([against(1), against(0.3)]).toEqual(["as it was", "easy"]);
  expect(gainsOf(best, row("a", 1, 1), recorded, inventCheck(recorded, 0.3, "b"))).toBeNull();
  expect(gainsOf(best, best, null, undefined)).toBeNull();
});
