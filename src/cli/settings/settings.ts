import { existsSync } from "node:fs";

import type { Command } from "commander";

import type { CommandEntry } from "../command-entry.ts";
import { say } from "../terminal.ts";
import { takeApart, type GivenWords } from "./words.ts";

/** Read from the folder in which a command is run. */
const PROJECT_FILE = "croft.yaml";

/**
 * Adds `--config` to a command, or to its subcommands.
 *
 * @param writesReports whether its settings are saved beside the report in `--out`
 */
export function addConfigOption(command: Command, writesReports: boolean): void {
  for (const child of command.commands) addConfigOption(child, writesReports);
  if (command.commands.length > 0) return;
  command.option(
    "--config <file>",
    `a YAML file with options by name; the command line overrides it (${PROJECT_FILE}, where there is one)`,
  );
  if (!writesReports) return;
  command.hook("postAction", async (_command, action) => {
    const { out } = action.opts<{ out?: string }>();
    const given = takenApart.get(action);
    if (out === undefined || given === undefined) return;
    await (await import("./save.ts")).saveSettings(out, given);
  });
}

/** The final options of each command. */
const takenApart = new WeakMap<Command, GivenWords>();

/**
 * Adds the words of a file of settings to those of a command line, and says so on standard error.
 *
 * @param entries every command
 * @throws InputError where the file cannot be read, or says what the command does not know
 */
export async function addSettings(
  program: Command,
  words: readonly string[],
  entries: readonly CommandEntry[],
): Promise<readonly string[]> {
  const given = takeApart(program, words);
  const names = entries.filter(({ takesSettings }) => takesSettings === true).map(({ name }) => name);
  if (given === null || !names.includes(given.path[0]!)) return words;
  const told = given.options.findLast(({ option }) => option.long === "--config")?.text;
  const file = told ?? (existsSync(PROJECT_FILE) ? PROJECT_FILE : null);
  const isHelp = given.rest.includes("--help") || given.rest.includes("-h");
  // Commander reports a missing file name.
  if (file === null || file === "" || isHelp) {
    takenApart.set(given.command, given);
    return words;
  }
  const { readSettings } = await import("./file.ts");
  const { options, operands, used, overruled } = await readSettings(file, given, names, told !== undefined);
  if (used.length + overruled.length > 0) {
    const kept = overruled.length === 0 ? "" : `; the command line overrides: ${overruled.join(", ")}`;
    say(`${file}: ${used.length === 0 ? "nothing" : used.join(", ")}${kept}`);
  } else if (told !== undefined && told !== null) say(`${file}: nothing for croft ${given.path.join(" ")}`);
  const all = [...given.path, ...options, ...given.rest, ...operands];
  const whole = takeApart(program, all);
  if (whole !== null) takenApart.set(whole.command, whole);
  return all;
}
