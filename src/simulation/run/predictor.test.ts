import { describe, expect, it } from "vitest";

import { correctedSeconds, Predictor } from "./predictor.ts";

const ANN = 0;
const BOB = 1;

describe("Predictor", () => {
  it("gives the request until two jobs of the user have ended, then the mean of the last two, rounded down", () => {
    const predictor = new Predictor();
    predictor.end(ANN, 100, 10);
    expect(predictor.predict(ANN, 500, 20)).toBe(500);
    predictor.end(BOB, 7, 25);
    predictor.end(ANN, 41, 30);
    expect(predictor.predict(ANN, 500, 40)).toBe(70); // (100 + 41) / 2 = 70.5
    expect(predictor.predict(BOB, 500, 40)).toBe(500);
    predictor.end(ANN, 10, 50);
    expect(predictor.predict(ANN, 500, 60)).toBe(25); // (41 + 10) / 2 = 25.5
  });

  it("never predicts more than the request", () => {
    const predictor = new Predictor();
    predictor.end(ANN, 100, 10);
    predictor.end(ANN, 200, 20);
    expect(predictor.predict(ANN, 120, 30)).toBe(120);
  });

  it("does not know ends of the very instant, which come after its submissions", () => {
    const predictor = new Predictor();
    predictor.end(ANN, 100, 10);
    predictor.end(ANN, 200, 20);
    expect(predictor.predict(ANN, 500, 20)).toBe(500);
    expect(predictor.predict(ANN, 500, 21)).toBe(150);
  });

  it("takes nothing from the jobs of unknown users", () => {
    const predictor = new Predictor();
    predictor.end(-1, 100, 10);
    predictor.end(-1, 200, 20);
    expect(predictor.predict(-1, 500, 30)).toBe(500);
  });
});

describe("correctedSeconds", () => {
  it("adds to the first prediction, up to the request", () => {
    const corrected = (request: number): number[] =>
      Array.from({ length: 4 }, (_, i) => correctedSeconds(50, i + 1, request));
    expect(corrected(10_000)).toEqual([110, 350, 950, 1850]);
    expect(corrected(400)).toEqual([110, 350, 400, NaN]);
    expect(corrected(350)).toEqual([110, 350, NaN, NaN]);
  });

  it("has nothing to correct where the request was predicted, and nothing after the eleventh", () => {
    expect(correctedSeconds(50, 1, 50)).toBeNaN();
    expect(correctedSeconds(50, 11, 1e6)).toBe(360_050);
    expect(correctedSeconds(50, 12, 1e6)).toBeNaN();
  });
});
