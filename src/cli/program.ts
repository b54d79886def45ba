import { Command, type OutputConfiguration } from "commander";

import type { CommandEntry } from "./command-entry.ts";
import { helpCommand } from "./commands/help.ts";
import { withCounterpart } from "./counterparts.ts";
import { addConfigOption } from "./settings/settings.ts";
import { version } from "./package.ts";

/** What `croft --help` begins with: the commands that a newcomer needs, as they are typed. */
const firstSteps = `Which scheduling policy would have served your jobs best?

  croft workload inspect LOG                         what is in a log
  croft simulate LOG --machines LIST --out report    replay it under several policies
  croft export slurm --policy easy --out settings    a policy as settings of Slurm, LSF, PBS …
  croft compare BEFORE AFTER                         what became of the waits
  croft serve                                        run jobs, on this machine or a farm
  croft submit -- COMMAND                            submit a job to it
  croft help COMMAND                                 the options of a command
`;

/**
 * The command line with these commands.
 *
 * @param hasHelp whether they are all there are, so that `help` can tell of them
 */
export async function makeProgram(entries: readonly CommandEntry[], hasHelp: boolean): Promise<Command> {
  const program = new Command("croft")
    .description("Schedule and study compute farms: replay a job log under every matching policy.")
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(outputOf(""))
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText("before", firstSteps)
    .configureHelp({ showGlobalOptions: false });
  for (const entry of entries) {
    const command = await entry.create();
    if (entry.takesSettings === true) addConfigOption(command, entry.writesReports === true);
    program.addCommand(inherit(command, program).helpGroup(`${entry.group}:`));
  }
  if (hasHelp) program.addCommand(inherit(helpCommand(program), program).helpGroup("Tools:"));
  return program;
}

/**
 * Copies the program's settings to an added command, which commander does not do by itself. Wrong usage names the page
 * of the command's options.
 */
function inherit(command: Command, program: Command, path: readonly string[] = []): Command {
  const here = [...path, command.name()];
  command.copyInheritedSettings(program).configureOutput(outputOf(here.join(" ")));
  command.showHelpAfterError(`croft help ${here.join(" ")}: how to call it, and its options`);
  for (const child of command.commands) inherit(child, program, here);
  return command;
}

/** Wrong usage that is a habit from another queue names what is typed here. */
function outputOf(command: string): OutputConfiguration {
  return { outputError: (text, write) => write(withCounterpart(command, text)) };
}
