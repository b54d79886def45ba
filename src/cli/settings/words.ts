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

interface GivenOption {
  readonly option: Option;
  readonly text: string | null;
  /** What follows an option without a value; absent at the end. */
  readonly next?: string;
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
      if (word.startsWith("-") && word !== "-") continue;
      operands.push(word);
      if (!passesThrough(command)) continue;
      operands.push(...rest.slice(at + 1));
      break;
    } else if (equals !== -1) options.push({ option, text: word.slice(equals + 1) });
    else if (option.required || isValueOf(option, rest[at + 1]))
      options.push({ option, text: rest[++at] ?? "" });
    else options.push({ option, text: null, ...(at + 1 < rest.length ? { next: rest[at + 1]! } : {}) });
  }
  return { command, path, rest, options, operands };
}

/** Whether what follows the first argument is another program's; commander's types do not have it. */
function passesThrough(command: Command): boolean {
  return (command as unknown as Readonly<Record<string, unknown>>)["_passThroughOptions"] === true;
}

/** Whether a word after an option that may go without a value is its value. */
function isValueOf({ optional, argChoices }: Option, word: string | undefined): boolean {
  return optional && word !== undefined && argChoices?.includes(word) === true;
}

/**
 * A command line for commander, which takes any word for the value of an option that may go without: here such an
 * option has its choices, and what is none of them is the next argument.
 */
export function spelledOut(program: Command, words: readonly string[]): string[] {
  const given = takeApart(program, words);
  if (given === null) return [...words];
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return words.map((word, at) => {
    const option = given.command.options.find(({ long }) => word === long);
    // Commander also calls an option optional whose value has brackets in its form: --after <job[:ok]>.
    const mayBeBare = at < end && option?.optional === true && !option.required;
    return mayBeBare && !isValueOf(option, words[at + 1]) ? `${word}=${String(option.presetArg)}` : word;
  });
}

/** What a file of settings calls an option: its name without dashes, `year` for `--no-year`. */
export function settingName({ long, negate }: Option): string {
  return (long ?? "").slice(negate ? "--no-".length : "--".length);
}
