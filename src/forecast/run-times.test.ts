import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawOf } from "./draws.ts";
import { NOBODY, RunTimeModel, type JobTraits } from "./run-times.ts";

const job = (user: number, requestedSeconds: number, name = NOBODY): JobTraits => ({
  user,
  name,
  requestedSeconds,
});
const draws = (model: RunTimeModel, traits: JobTraits, elapsed = 0, count = 400): number[] =>
  Array.from({ length: count }, (_, member) =>
    model.draw(traits, elapsed, (purpose) => drawOf(1, member, 7, purpose)),
  );
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

describe("run times as those of like jobs", () => {
  test("a user's own jobs count more than those of others, the more of them there are", () => {
    const model = new RunTimeModel();
    for (let i = 0; i < 200; i++) model.learn(job(1, 3600), 360);
    for (let i = 0; i < 20; i++) model.learn(job(2, 3600), 3000);
    model.learn(job(3, 3600), 3000);
    const [many, one, none] = [2, 3, 4].map((user) => mean(draws(model, job(user, 3600))));
    expect(many).toBeGreaterThan(2700);
    expect(one).toBeLessThan(many);
    expect(one).toBeGreaterThan(none);
    expect(none).toBeLessThan(1000);
  });

  test("what ends at its limit and what fails at once come as often as they did", () => {
    const model = new RunTimeModel();
    for (let i = 0; i < 24; i++) model.learn(job(1, 7200), i % 4 === 0 ? 7200 : i % 4 === 1 ? 3 : 3600);
    const drawn = draws(model, job(1, 7200), 0, 2000);
    const share = (is: (seconds: number) => boolean): number => drawn.filter(is).length / drawn.length;
    expect(share((seconds) => seconds === 7200)).toBeCloseTo(0.25, 1);
    expect(share((seconds) => seconds < 10)).toBeCloseTo(0.25, 1);
  });

  test("a user's next batch may be like an earlier one, and not like the last", () => {
    const model = new RunTimeModel();
    for (const seconds of [100, 3000, 100, 3000, 100])
      for (let i = 0; i < 200; i++) model.learn(job(1, 3600), seconds);
    const longOnes = (ofBatches: boolean): number => {
      const drawn = Array.from({ length: 1000 }, (_, member) =>
        model.draw(job(1, 3600), 0, (purpose) => drawOf(1, member, 7, purpose), ofBatches),
      );
      return drawn.filter((seconds) => seconds > 1000).length / 1000;
    };
    expect(longOnes(false)).toBeLessThan(0.15);
    expect(longOnes(true)).toBeGreaterThan(0.25);
    expect(longOnes(true)).toBeLessThan(0.6);
  });

  test("a job that has run for an hour is one of those that run for more than an hour", () => {
    const model = new RunTimeModel();
    for (let i = 0; i < 480; i++) model.learn(job(1, 7200), i % 6 > 0 ? 60 : 5001 + i);
    for (const seconds of draws(model, job(1, 7200), 3600)) expect(seconds).toBeGreaterThan(5000);
  });

  test.each([
    { ended: 0, limit: 3600, elapsed: 0 },
    { ended: 0, limit: Infinity, elapsed: 0 },
    { ended: 5, limit: 3600, elapsed: 100 },
    { ended: 10, limit: Infinity, elapsed: 2000 },
    { ended: 300, limit: 3600, elapsed: 0 },
    { ended: 300, limit: 3600, elapsed: 1700 },
    { ended: 300, limit: 3600, elapsed: 3590 },
    { ended: 300, limit: 3600, elapsed: 4000 },
    { ended: 300, limit: 86_400, elapsed: 20_000 },
  ])("the mean is that of the draws: $ended jobs known, $limit s, $elapsed s run", (given) => {
    const model = new RunTimeModel();
    for (let i = 0; i < given.ended; i++)
      model.learn(job(i % 3, i % 2 === 0 ? given.limit : 2 * given.limit, i % 5), 1 + ((i * 397) % 3000));
    for (const ofBatches of [false, true]) {
      const traits = job(1, given.limit, 2);
      const drawn = Array.from({ length: 40_000 }, (_, member) =>
        model.draw(traits, given.elapsed, (purpose) => drawOf(1, member, 7, purpose), ofBatches),
      );
      const left = mean(drawn) - given.elapsed;
      expect((model.mean(traits, given.elapsed, ofBatches) - given.elapsed) / left).toBeCloseTo(1, 1);
    }
  });

  test("a job that has outlived all but a few may be like none of them, and runs to its limit at most", () => {
    const DAY = 86_400;
    const model = new RunTimeModel();
    for (let i = 0; i < 300; i++) model.learn(job(1, 1800), i % 100 === 0 ? 1800 : 20);
    const drawn = draws(model, job(2, 40 * DAY), 10 * DAY, 2000);
    const share = (is: (seconds: number) => boolean): number => drawn.filter(is).length / drawn.length;
    expect(share((seconds) => seconds > 40 * DAY)).toBe(0);
    // Three reached their limits, as many are of ignorance: of these a quarter runs to four times what it has run.
    expect(share((seconds) => seconds < 40 * DAY)).toBeGreaterThan(0.15);
    expect(share((seconds) => seconds < 20 * DAY)).toBeGreaterThan(0.1);
    expect(share((seconds) => seconds === 40 * DAY)).toBeGreaterThan(0.5);
    // Beyond all that is known, and beyond its limit.
    expect(Math.max(...draws(model, job(2, 1800), 3600))).toBeGreaterThan(7200);
  });

  test("while few jobs have ended, what comes may be like none of them", () => {
    for (const requestedSeconds of [3600, Infinity]) {
      const model = new RunTimeModel();
      const width = (): number => {
        const drawn = draws(model, job(1, requestedSeconds)).sort((a, b) => a - b);
        return drawn[360] - drawn[40];
      };
      for (let ended = 0; ended < 30; ended++) {
        // A job of the other kind says nothing of this one.
        model.learn(job(1, requestedSeconds === Infinity ? 60 : Infinity), 30);
        if (ended <= 10) expect(width()).toBeGreaterThan(300);
        model.learn(job(1, requestedSeconds), 30);
      }
      expect(model.known(job(2, requestedSeconds))).toBe(30);
      expect(width()).toBe(0);
    }
  });

  test("the same job draws the same, until something was learnt", () => {
    const model = new RunTimeModel();
    for (let i = 1; i < 20; i++) model.learn(job(i % 3, 3600), 100 * i);
    expect(draws(model, job(1, 3600))).toEqual(draws(model, job(1, 3600)));
  });

  test("whatever was learnt, a draw is longer than what the job has run", () => {
    const traits = fc.record({
      user: fc.integer({ min: 0, max: 3 }),
      name: fc.integer({ min: -1, max: 2 }),
      requestedSeconds: fc.constantFrom(60, 3600, 86_400, Infinity),
    });
    const learnt = fc.array(fc.tuple(traits, fc.double({ min: 0, max: 1e6, noNaN: true })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(learnt, traits, fc.double({ min: 0, max: 1e7, noNaN: true }), (all, asked, elapsed) => {
        const model = new RunTimeModel();
        for (const [each, seconds] of all) model.learn(each, seconds);
        for (const seconds of draws(model, asked, elapsed, 5)) {
          expect(seconds).toBeGreaterThanOrEqual(elapsed);
          expect(Number.isFinite(seconds)).toBe(true);
        }
      }),
    );
  });
});
