import { Command, InvalidArgumentError, Option } from "commander";

import { generateInstance, generatorDefaults, writeInstance } from "../../instances/index.ts";
import { positive, positiveInteger, wholeNumber } from "../../../cli/options.ts";

interface GenerateFlags {
  readonly hosts: number;
  readonly services: number;
  readonly dimensions: number;
  readonly slack: number;
  readonly load: number;
  readonly needVariation: number;
  readonly shape: "equal" | "varied" | "cores";
  readonly hostVariation: number;
  readonly constrained: number;
  readonly minYield: number;
  readonly seed: number;
  readonly out: string;
}

export function generateCommand(): Command {
  const defaults = generatorDefaults;
  return new Command("generate")
    .description("make a synthetic instance, after the authors' experiments")
    .option("--hosts <number>", "how many", positiveInteger, defaults.hosts)
    .option("--services <number>", "how many", positiveInteger, defaults.services)
    .option(
      "--dimensions <number>",
      "the first half fluid, as cores, the others rigid, as memory",
      positiveInteger,
      defaults.dimensions,
    )
    .option(
      "--slack <share>",
      "of the rigid dimensions, what requirements leave",
      shareBelowOne,
      defaults.slack,
    )
    .option("--load <factor>", "needs ÷ capacity in the fluid dimensions", positive, defaults.load)
    .option(
      "--need-variation <factor>",
      "coefficient of variation of needs and requirements",
      variation,
      defaults.needVariation,
    )
    .addOption(
      new Option("--shape <name>", "hosts: all 1; of varied capacities; of cores and memory sizes")
        .choices(["equal", "varied", "cores"])
        .default(defaults.shape),
    )
    .option(
      "--host-variation <factor>",
      "coefficient of variation of varied hosts' capacities",
      variation,
      defaults.hostVariation,
    )
    .option("--constrained <share>", "of the services that have a minimum yield", share, defaults.constrained)
    .option(
      "--min-yield <yield>",
      "theirs; folded in, so that yields are scaled yields",
      shareBelowOne,
      defaults.minYield,
    )
    .option("--seed <number>", "the same seed gives the same instance", wholeNumber, defaults.seed)
    .requiredOption("--out <file>", "what to write")
    .action(({ out, ...settings }: GenerateFlags) => writeInstance(generateInstance(settings), out));
}

function share(text: string): number {
  const value = number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError("Give a number from 0 to 1.");
  return value;
}

function shareBelowOne(text: string): number {
  const value = share(text);
  if (value === 1) throw new InvalidArgumentError("Give a number from 0 to below 1.");
  return value;
}

/** Limited to 2, since amounts have limits: with more variation most would be cut off there. */
function variation(text: string): number {
  const value = number(text);
  if (!(value >= 0 && value <= 2)) throw new InvalidArgumentError("Give a number from 0 to 2.");
  return value;
}

function number(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}
