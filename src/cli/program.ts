import { Command } from "commander";

import { commands, type CommandEntry } from "./commands.ts";
import { helpCommand } from "./commands/help.ts";
import { addConfigOption } from "./settings/settings.ts";
import { version } from "./version.ts";

/** The command line with these commands of its own; `help` comes with all of them. */
export async function makeProgram(entries: readonly CommandEntry[]): Promise<Command> {
  const program = new Command("croft")
    .description("Schedule and study compute farms: replay a job log under every matching policy.")
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError()
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: false });
  for (const entry of entries) {
    const command = await entry.create();
    if (entry.takesSettings === true) addConfigOption(command);
    program.addCommand(inherit(command, program));
  }
  if (entries.length === commands.length) program.addCommand(inherit(helpCommand(program), program));
  return program;
}

/** Copies the program's settings to an added command, which commander does not do by itself. */
function inherit(command: Command, program: Command): Command {
  command.copyInheritedSettings(program);
  for (const child of command.commands) inherit(child, program);
  return command;
}
