import { describe, expect, test } from "vitest";
import { batchOf, Calibration } from "./calibration.ts";
import { drawOf } from "./draws.ts";
import { middle, quantilesOf, SHARES, valueAt } from "./quantiles.ts";
import { scoresOf, type Scored } from "./scores.ts";

/** Waits around an hour, by a factor of e at one standard deviation (Box and Muller). */
const wait = (at: number): number => {
  const [u, v] = [drawOf(3, at, 0, 0), drawOf(3, at, 0, 1)];
  return 3600 * Math.exp(Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v));
};
/** A forecast that is far too sure, and a third too short. */
const sure = SHARES.map((share) => 2400 + 100 * share);

describe("calibration", () => {
  test("a forecast that is too sure covers what it says once its misses are learnt", () => {
    const calibration = new Calibration();
    const before: Scored[] = [];
    const after: Scored[] = [];
    for (let at = 0; at < 2000; at++) {
      const waitSeconds = wait(at);
      before.push({ forecast: sure, waitSeconds });
      const forecast = calibration.correct(sure);
      if (at >= 400) after.push({ forecast, waitSeconds });
      calibration.learn(sure, waitSeconds, forecast, at);
    }
    expect(scoresOf(before).coverage80).toBeLessThan(0.1);
    const { coverage50, coverage80, coverage95, crpsSeconds } = scoresOf(after);
    expect(coverage50).toBeCloseTo(0.5, 1);
    expect(Math.abs(coverage80 - 0.8)).toBeLessThan(0.03);
    expect(Math.abs(coverage95 - 0.95)).toBeLessThan(0.03);
    expect(crpsSeconds).toBeLessThan(scoresOf(before).crpsSeconds);
  });

  test("what starts at once in all futures does so, however late others came", () => {
    const calibration = new Calibration();
    for (let at = 0; at < 100; at++) calibration.learn(sure, 10_000, calibration.correct(sure), at);
    const atOnce = SHARES.map(() => 0);
    expect(calibration.correct(atOnce)).toEqual(atOnce);
    expect(calibration.correct(sure)[0]).toBeGreaterThan(sure[0]);
  });

  test("a forecast that was right stays as it is", () => {
    const calibration = new Calibration();
    const right = SHARES.map((share) => 1000 * share);
    const come = Array.from({ length: 1000 }, (_, at) => 1000 * drawOf(5, at, 0, 0));
    for (const [at, waitSeconds] of come.entries())
      calibration.learn(right, waitSeconds, calibration.correct(right), at);
    for (const [at, value] of calibration.correct(right).entries())
      expect(Math.abs(value - right[at])).toBeLessThan(100);
  });

  test("few forecasts teach nothing, and a corrected one never falls", () => {
    const calibration = new Calibration();
    expect(calibration.correct(sure)).toEqual(sure);
    for (let at = 0; at < 60; at++) calibration.learn(sure, wait(at), sure, at);
    const corrected = calibration.correct(sure);
    expect(corrected).toEqual(corrected.toSorted((a, b) => a - b));
  });

  test("a batch of jobs teaches as much as one job, and one says little", () => {
    const [one, many] = [new Calibration(), new Calibration()];
    one.learn(sure, 40_000, sure, 1);
    for (let at = 0; at < 300; at++) many.learn(sure, 40_000, sure, 1);
    const [single, batch] = [one.correct(sure), many.correct(sure)];
    for (const share of [0.1, 0.25, 0.5]) {
      expect(valueAt(single, share) / valueAt(sure, share)).toBeLessThan(1.1);
      expect(valueAt(batch, share) / valueAt(single, share)).toBeLessThan(1.1);
    }
    // As many that each are of their own teach it.
    const others = new Calibration();
    for (let at = 0; at < 300; at++) others.learn(sure, 40_000, sure, at);
    expect(valueAt(others.correct(sure), 0.5)).toBeGreaterThan(20_000);
  });

  test("few batches teach the outer quantiles to be wider than the largest miss that was seen, on both sides", () => {
    const calibration = new Calibration();
    // Eight batches, whose waits were between a half of what was forecast and the double of it.
    const flat = SHARES.map(() => 3600);
    // As told wide enough, so that it does not drift.
    const wide = SHARES.map((share) => (share < 0.5 ? 0 : 1e6));
    for (let at = 0; at < 8; at++)
      for (let job = 0; job < 5; job++) calibration.learn(flat, 1800 * 4 ** (at / 7), wide, at);
    const corrected = calibration.correct(flat);
    const [low, high] = middle(corrected, 0.95);
    expect(low).toBeLessThan(1750);
    expect(high).toBeGreaterThan(8000);
    expect(high).toBeLessThan(4 * 7200);
    // What lies between those that were seen stays between them.
    const [from, to] = middle(corrected, 0.5);
    expect(from).toBeGreaterThan(1800);
    expect(to).toBeLessThan(7200);
    expect(corrected).toEqual(corrected.toSorted((a, b) => a - b));
  });

  test("the outer quantiles of many batches are those that were seen", () => {
    const calibration = new Calibration();
    const flat = SHARES.map(() => 3600);
    for (let at = 0; at < 400; at++)
      calibration.learn(flat, 1800 + 3600 * drawOf(7, at, 0, 0), calibration.correct(flat), at);
    const [low, high] = middle(calibration.correct(flat), 0.95);
    expect(low).toBeGreaterThan(1700);
    expect(high).toBeLessThan(5600);
  });

  test("batches are of one user and of one hour", () => {
    expect(batchOf(7, 7200)).toBe(batchOf(7, 10_700));
    expect(batchOf(7, 7200)).not.toBe(batchOf(7, 10_900));
    expect(batchOf(7, 7200)).not.toBe(batchOf(8, 7200));
  });

  test("a job that still waits counts with what it has waited", () => {
    const calibration = new Calibration();
    for (let at = 0; at < 40; at++) calibration.learn(sure, 2450, calibration.correct(sure), at);
    const waiting = Array.from({ length: 40 }, (_, batch) => ({
      forecast: sure,
      waitSeconds: 90_000,
      batch: 100 + batch,
    }));
    expect(valueAt(calibration.correct(sure, waiting), 0.9)).toBeGreaterThan(20_000);
  });

  test("a farm on which all comes later than it did is followed", () => {
    const calibration = new Calibration();
    for (let at = 0; at < 400; at++) calibration.learn(sure, wait(at), calibration.correct(sure), at);
    let inside = 0;
    for (let at = 400; at < 800; at++) {
      const forecast = calibration.correct(sure);
      const waitSeconds = 4 * wait(at);
      const [low, high] = middle(forecast, 0.8);
      if (at >= 500 && waitSeconds >= low && waitSeconds <= high) inside++;
      calibration.learn(sure, waitSeconds, forecast, at);
    }
    expect(inside / 300).toBeGreaterThan(0.74);
  });

  test("a job that waits since a moment ago says nothing yet", () => {
    const calibration = new Calibration();
    for (let at = 0; at < 80; at++) calibration.learn(sure, wait(at), sure, at);
    const without = calibration.correct(sure);
    const waiting = Array.from({ length: 20 }, (_, batch) => ({
      forecast: sure,
      waitSeconds: 1,
      batch: 100 + batch,
    }));
    const corrected = calibration.correct(sure, waiting);
    for (const share of [0.1, 0.25, 0.5, 0.75, 0.9])
      expect(valueAt(corrected, share) / valueAt(without, share)).toBeCloseTo(1, 0);
    expect(valueAt(corrected, 0.5)).toBeGreaterThan(1800);
  });

  test("what never starts within the budget makes no forecast a number that is none", () => {
    const calibration = new Calibration();
    const open = quantilesOf([10, 20, Infinity]);
    for (let at = 0; at < 30; at++) calibration.learn(open, 50, open, at);
    for (const value of calibration.correct(open)) expect(Number.isNaN(value)).toBe(false);
  });
});

describe("quantiles and scores", () => {
  test("of a sample, and between the shares", () => {
    const quantiles = quantilesOf([1, 2, 3, 4]);
    expect(valueAt(quantiles, 0.5)).toBe(2.5);
    expect(middle(SHARES, 0.8)).toEqual([expect.closeTo(0.1), expect.closeTo(0.9)]);
    expect(quantilesOf([5, Infinity]).some(Number.isNaN)).toBe(false);
  });

  test("the score of a point is its error", () => {
    const scored = [{ forecast: SHARES.map(() => 100), waitSeconds: 160 }];
    const { crpsSeconds, medianAbsoluteErrorSeconds, within1Minute, coverage95 } = scoresOf(scored);
    expect(crpsSeconds).toBeCloseTo(60, 0);
    expect([medianAbsoluteErrorSeconds, within1Minute, coverage95]).toEqual([60, 1, 0]);
  });
});
