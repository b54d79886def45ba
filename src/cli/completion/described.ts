import type { Command, Option } from "commander";

/** A command, as the completion scripts need it. */
export interface DescribedCommand {
  /** The words that lead to it; empty: the program. */
  readonly path: readonly string[];
  readonly summary: string;
  /** The commands below it. */
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly DescribedOption[];
  /** What its arguments can be; null: files. */
  readonly operands: readonly string[] | null;
}

export interface DescribedOption {
  /** With its dashes. */
  readonly name: string;
  readonly summary: string;
  readonly value: DescribedValue;
}

/** Of an option: nothing, any of these words, a folder, or anything, for which files are offered. */
export type DescribedValue = "none" | readonly string[] | "folder" | "file";

/** Values of options that commander does not know, by the options' names. */
type KnownValues = Readonly<Record<string, readonly string[]>>;

/** Every command of the program, itself first. */
export function describeCommands(program: Command, known: KnownValues): DescribedCommand[] {
  const describe = (command: Command, path: readonly string[]): DescribedCommand[] => [
    {
      path,
      summary: command.description(),
      commands: command.commands.map((each) => ({ name: each.name(), summary: each.description() })),
      options: [
        ...command.options
          .filter(({ long }) => long !== undefined)
          .map((option) => describeOption(option, known)),
        help,
      ],
      operands: operandsOf(command, program),
    },
    ...command.commands.flatMap((each) => describe(each, [...path, each.name()])),
  ];
  return describe(program, []);
}

const help: DescribedOption = { name: "--help", summary: "display help for command", value: "none" };

function describeOption(option: Option, known: KnownValues): DescribedOption {
  const { long, description, argChoices, required, optional, flags } = option;
  const name = long!;
  const words = argChoices ?? known[name];
  const value: DescribedValue =
    !required && !optional ? "none" : (words ?? (flags.includes("folder") ? "folder" : "file"));
  return { name, summary: description, value };
}

function operandsOf(command: Command, program: Command): readonly string[] | null {
  if (command.name() === "help") return program.commands.map((each) => each.name());
  return command.registeredArguments.find(({ argChoices }) => argChoices !== undefined)?.argChoices ?? null;
}

/** The path of a command as a single word: `/study/load`. */
export function pathOf({ path }: DescribedCommand): string {
  return path.map((word) => `/${word}`).join("");
}
