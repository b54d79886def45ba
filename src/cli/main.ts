import { Command, CommanderError } from "commander";

import { commands } from "./commands.ts";
import { exitCodeOf, messageOf } from "./failure.ts";
import { exitOnSignals } from "./signals.ts";
import { version } from "./version.ts";

exitOnSignals();

// The reader of our output may leave early, as `head` does. Other failures reach whoever prints.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});
process.stderr.on("error", () => undefined);

const program = new Command("croft")
  .description("Schedule and study compute farms: replay a job log under every matching policy.")
  .version(version)
  .enablePositionalOptions()
  .exitOverride()
  .showSuggestionAfterError()
  .configureHelp({ showGlobalOptions: false });
// Only the one asked for is loaded; all for the list of them, and for words that are none.
const asked = commands.filter(({ name }) => name === process.argv[2]);
for (const entry of asked.length > 0 ? asked : commands) program.addCommand(inherit(await entry.create()));

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said what is wrong, or shown the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else fail(error);
}

function fail(error: unknown): void {
  process.stderr.write(`croft: ${messageOf(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

/** Added commands do not take over the settings of the program by themselves. */
function inherit(command: Command): Command {
  command.copyInheritedSettings(program);
  for (const child of command.commands) inherit(child);
  return command;
}
