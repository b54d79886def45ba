import { Command } from "commander";
import { expect, it } from "vitest";

import { fairShareOption } from "../options.ts";
import { spelledOut, takeApart } from "./words.ts";

/** A program with one command that takes a log. */
function program(): Command {
  const simulate = new Command("simulate").argument("<workload>").addOption(fairShareOption());
  return new Command("croft").addCommand(simulate.option("--out <folder>"));
}

it.each([
  ["--fair-share log.csv", ["--fair-share=running", "log.csv"], null],
  ["--fair-share --out a log.csv", ["--fair-share=running", "--out", "a", "log.csv"], null],
  ["log.csv --fair-share", ["log.csv", "--fair-share=running"], null],
  ["--fair-share usage log.csv", ["--fair-share", "usage", "log.csv"], "usage"],
  ["--fair-share=usage log.csv", ["--fair-share=usage", "log.csv"], "usage"],
])(
  "what follows an option that may go without a value is its value if it can be: %s",
  (line, words, text) => {
    const given = ["simulate", ...line.split(" ")];
    expect(spelledOut(program(), given)).toEqual(["simulate", ...words]);
    const { operands, options } = takeApart(program(), given)!;
    expect(operands).toEqual(["log.csv"]);
    expect(options.find(({ option }) => option.long === "--fair-share")!.text).toBe(text);
  },
);

it("leaves what stands after -- alone", () => {
  const words = ["simulate", "--", "--fair-share"];
  expect(spelledOut(program(), words)).toEqual(words);
});
