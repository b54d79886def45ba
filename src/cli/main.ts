import { setFlagsFromString } from "node:v8";

import { Command, CommanderError } from "commander";

import { commands } from "./commands.ts";
import { exitCodeOf, messageOf } from "./failure.ts";
import { version } from "./version.ts";

/** A later Node.js may not know the flags below, and would say so at every start. */
const NEWEST_TRIED = 26;

// V8 optimises hot code on up to four threads, which on two cores take turns with the one that
// simulates. Told to do so ten times later, when it is known what is worth it, GreedyPM on a trace of 1,000
// jobs takes 0.053 instead of 0.074 s; runs of 0.1 s and longer take as long as before.
if (Number.parseInt(process.versions.node, 10) <= NEWEST_TRIED) {
  setFlagsFromString("--invocation-count-for-turbofan=30000");
  setFlagsFromString("--invocation-count-for-osr=5000");
}

/** What a process that a signal ended leaves as its status. */
const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

// Whatever is half-written is removed when the process exits; worker threads end with it.
for (const [signal, status] of Object.entries(SIGNAL_STATUS)) process.on(signal, () => process.exit(status));

// The reader of our output may leave early, as `head` does. Other failures reach whoever prints.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});
process.stderr.on("error", () => undefined);

const program = new Command("croft")
  .description("Schedule and study compute farms: replay a job log under every matching policy.")
  .version(version)
  .exitOverride()
  .showSuggestionAfterError()
  .configureHelp({ showGlobalOptions: false });
for (const create of commands) program.addCommand(inherit(create()));

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
