import * as fc from "fast-check";
import { expect, it } from "vitest";

import { answerText, MOST_CHARACTERS } from "./answer-text.ts";

it("leaves a short answer as it is", () => {
  expect(answerText({ jobs: [1, 2], name: "a\nb" })).toBe('{"jobs":[1,2],"name":"a\\nb"}');
});

it("leaves out the last entries of the longest list, and says how many", () => {
  const jobs = Array.from({ length: 1000 }, (_, number) => ({ number, text: "x".repeat(300) }));
  const text = answerText({ farm: "chips", jobs });
  expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
  const short = JSON.parse(text) as { farm: string; jobs: { number?: number; leftOut?: number }[] };
  expect(short.farm).toBe("chips");
  expect(short.jobs[0]).toMatchObject({ number: 0 });
  const told = short.jobs.filter(({ number }) => number !== undefined).length;
  const left = short.jobs.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
  expect(told).toBeGreaterThan(50);
  expect(told + left).toBe(1000);
});

it("is short whatever it is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, depth) => {
      let large: unknown = Array.from({ length: 2000 }, () => [value, "y".repeat(100)]);
      for (let each = 0; each < depth; each++) large = { more: large, "a key": "z".repeat(10_000) };
      const text = answerText(large);
      expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    }),
    { numRuns: 20 },
  );
  expect(answerText("x".repeat(1_000_000)).length).toBeLessThan(200);
});
