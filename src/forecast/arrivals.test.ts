import { expect, test } from "vitest";
import { ArrivalModel } from "./arrivals.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

function modelOf(times: readonly number[]): ArrivalModel {
  const model = new ArrivalModel();
  for (const time of times) model.learn(time);
  return model;
}

function taken(model: ArrivalModel, now: number, draw: number, until: number): [number, number][] {
  const found: [number, number][] = [];
  for (const { submitSeconds, like } of model.from(now, draw)) {
    if (submitSeconds > until) break;
    found.push([submitSeconds, like]);
  }
  return found;
}

test("a past week comes again, at the same weekday and hour", () => {
  // Each Monday at 9, week after week.
  const model = modelOf([0, 1, 2, 3].map((week) => week * 7 * DAY + 9 * HOUR));
  const now = 3 * 7 * DAY + 10 * HOUR;
  for (const draw of [0, 0.4, 0.9])
    expect(taken(model, now, draw, now + 7 * DAY).map(([time]) => time)).toEqual([4 * 7 * DAY + 9 * HOUR]);
});

test("each draw repeats one of the weeks", () => {
  const model = modelOf([0, 100, 7 * DAY, 7 * DAY + 200, 14 * DAY]);
  const now = 14 * DAY + 10;
  expect(taken(model, now, 0, now + DAY)).toEqual([[14 * DAY + 200, 3]]);
  expect(taken(model, now, 0.99, now + DAY)).toEqual([[14 * DAY + 100, 1]]);
});

test("what comes later than the past is long begins with it again", () => {
  const model = modelOf([0, 8 * DAY]);
  const now = 8 * DAY + 1;
  expect(taken(model, now, 0, now + 15 * DAY)).toEqual([
    [15 * DAY, 1],
    [22 * DAY, 1],
  ]);
});

test("a farm younger than a week repeats days, and one younger than a day knows nothing", () => {
  const model = modelOf([0, HOUR, DAY + HOUR]);
  expect(taken(model, DAY + 2 * HOUR, 0.5, 2 * DAY + 2 * HOUR)).toEqual([[2 * DAY + HOUR, 2]]);
  expect(taken(model, HOUR, 0.5, 9 * DAY)).toEqual([]);
  expect(taken(new ArrivalModel(), HOUR, 0.5, 9 * DAY)).toEqual([]);
});

test("nothing comes where nothing came in the past that is repeated", () => {
  const model = modelOf([0, HOUR]);
  expect(taken(model, 2 * DAY, 0, 60 * DAY)).toEqual([]);
  expect(taken(model, 2 * DAY, 0.9, 3 * DAY)).toEqual([[2 * DAY + HOUR, 1]]);
  expect(taken(model, 30 * DAY, 0.1, 60 * DAY)).toEqual([]);
  // Nor where the clock was set back since the last one.
  expect(taken(modelOf([0, 9 * DAY]), 8 * DAY, 0, 60 * DAY)).toEqual([]);
});
