import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { ActedOnSelection } from "./answers.ts";
import { ForecastBody, SubmitBody } from "./job-schemas.ts";
import { FitsBody } from "./trial-schemas.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/live/rest.md"), "utf8");
const rowOf = (path: string): string => page.split("\n").find((line) => line.startsWith(`| \`${path}\``))!;
const fieldsIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([A-Za-z]+)`/g), ([, field]) => field);

it("the page of REST names what a forecast refuses of a submission, and what fits takes", () => {
  const refused = Object.keys(SubmitBody.properties).filter((field) => !(field in ForecastBody.properties));
  expect(
    fieldsIn(rowOf("POST /v1/forecasts"))
      .filter((field) => field !== "command")
      .sort(),
  ).toEqual(refused.sort());
  expect(fieldsIn(rowOf("POST /v1/fits")).sort()).toEqual(Object.keys(FitsBody.properties).sort());
});

it("the page of REST names what is answered to what is done to a choice", () => {
  const fields = Object.keys(ActedOnSelection.properties);
  expect(rowOf("POST /v1/job-selections/cancel")).toContain(`{${fields.join(", ")}}`);
});
