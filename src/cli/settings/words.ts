import type { Command, Option } from "commander";

/** The parts of a command line. */
export interface GivenWords {
  readonly command: Command;
  /** The words that lead to the command: `study load`. */
  readonly path: readonly string[];
  /** The words after them, as they stand. */
  readonly rest: readonly string[];
  /** In their order, with their texts; null: it takes none. */
  readonly options: readonly GivenOption[];
  readonly operands: readonly string[];
}

export interface GivenOption {
  readonly option: Option;
  readonly text: string | null;
}

/**
 * Parses a command line as commander will; null if it names no command that can be run. Errors are left to commander.
 */
export function takeApart(program: Command, words: readonly string[]): GivenWords | null {
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    path.push(word);
    command = next;
  }
  if (command === program || command.commands.length > 0) return null;
  const rest = words.slice(path.length);
  const options: GivenOption[] = [];
  const operands: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]!;
    if (word === "--") {
      operands.push(...rest.slice(at + 1));
      break;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals === -1 ? word : word.slice(0, equals);
    const option = command.options.find(({ long, short }) => name === long || name === short);
    if (option === undefined) {
      if (!word.startsWith("-") || word === "-") operands.push(word);
    } else if (equals !== -1) options.push({ option, text: word.slice(equals + 1) });
    else if (option.required || (option.optional && !(rest[at + 1] ?? "-").startsWith("-")))
      options.push({ option, text: rest[++at] ?? "" });
    else options.push({ option, text: null });
  }
  return { command, path, rest, options, operands };
}

/** What a file of settings calls an option: its name without dashes, `year` for `--no-year`. */
export function settingName({ long, negate }: Option): string {
  return (long ?? "").slice(negate ? "--no-".length : "--".length);
}
