import { Command } from "commander";
import { expect, it } from "vitest";

import { InputError } from "../../workload/index.ts";
import { columnPairs, estimates, fairShareOption, names, nodeSpeeds, onePlugin } from "../options.ts";
import { checkWords } from "./check-words.ts";

/** A program with one command that takes a log, and one that takes another program's words. */
function program(): Command {
  const simulate = new Command("simulate")
    .argument("<workload>")
    .addOption(fairShareOption())
    .option("--estimates <source>", "", estimates)
    .option("--machines <spec>")
    .option("--policy <names>", "", names)
    .option("--plugin <file>", "", onePlugin)
    .option("--node-speeds <list>", "", nodeSpeeds)
    .option("--columns <pairs>", "", columnPairs)
    .option("--json");
  const submit = new Command("submit").argument("[command...]").option("--name <name>").passThroughOptions();
  return new Command("croft").enablePositionalOptions().addCommand(simulate).addCommand(submit);
}

function refusal(line: string): string | null {
  try {
    checkWords(program(), line.split(" "));
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
}

it.each([
  ["simulate a.csv --estimates exact --estimates=2", "--estimates is given exact and 2"],
  ["simulate a.csv --machines 1x2c --json --machines 1x2c", "--machines is given 1x2c and 1x2c"],
  ["simulate a.csv --fair-share --fair-share usage", "--fair-share is given running and usage"],
  ["simulate a.csv --node-speeds 1x1 --node-speeds 1x0.5", "--node-speeds is given 1x1 and 1x0.5"],
  ["simulate a.csv --columns submit=a --columns submit=b", "--columns is given submit=a and submit=b"],
  ["submit --name a --name b -- true", "--name is given a and b"],
])("a value that would take another's place is refused: %s", (line, message) => {
  expect(refusal(line)).toBe(`${message}, of which only the last would count: give one`);
});

it.each([
  ["one that takes several", "simulate a.csv --policy easy --policy fcfs,mix-fit"],
  ["pairs of different columns", "simulate a.csv --columns submit=a --columns cores=b"],
  ["one without a value", "simulate a.csv --json --json"],
  ["another program's words", "submit --name a run --name b --name c"],
  ["another program's words after --", "submit --name a -- run --name b"],
  ["what is only asked about", "simulate --machines 1x2c --machines 1x2c --help"],
  ["values that the option itself refuses", "simulate a.csv --plugin a.ts --plugin b.ts"],
  ["values that cannot be", "simulate a.csv --estimates never --estimates ever"],
])("leaves alone %s", (_what, line) => {
  expect(refusal(line)).toBeNull();
});

it("a misspelt value of an option that may go without is told as that", () => {
  expect(refusal("simulate a.csv --fair-share useage")).toBe(
    '--fair-share: "useage" is none of running, usage',
  );
  expect(refusal("simulate --fair-share useage a.csv")).toBe(
    '--fair-share: "useage" is none of running, usage',
  );
  // Here the word can be the log.
  expect(refusal("simulate --fair-share a.csv")).toBeNull();
  expect(refusal("simulate --fair-share package.json b.csv")).toBeNull();
  expect(refusal("simulate a.csv b.csv")).toBeNull();
});
