import { CommanderError } from "commander";

import { setCommandWords } from "./command-line.ts";
import { commands, hiddenCommands } from "./commands.ts";
import { exitCodeOf, messageOf } from "./failure.ts";
import { statusOfError } from "./live/exit-status.ts";
import { makeProgram } from "./program.ts";
import { checkWords } from "./settings/check-words.ts";
import { FarmError } from "../live/client/farm-error.ts";
import { addSettings } from "./settings/settings.ts";
import { spelledOut } from "./settings/words.ts";
import { endWithLauncher, exitOnSignals } from "./signals.ts";

exitOnSignals();
endWithLauncher();

// The reader of our output may stop early, as `head` does. Other errors are thrown where the text is printed.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});
process.stderr.on("error", () => undefined);

const words = process.argv.slice(2);
// Loads only the command asked for, or all of them for the list of commands and for unknown words.
const asked = [...commands, ...hiddenCommands].filter(({ name }) => name === words[0]);
const program = await (asked.length > 0 ? makeProgram(asked, false) : makeProgram(commands, true));

try {
  const all = await addSettings(program, words, commands);
  setCommandWords(all);
  checkWords(program, all);
  await program.parseAsync(spelledOut(program, all), { from: "user" });
} catch (error) {
  // Commander has said what is wrong, or shown the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else fail(error);
}

function fail(error: unknown): void {
  process.stderr.write(`croft: ${messageOf(error)}\n`);
  const asksFarm = asked.some(({ group }) => group === "Use a farm" || group === "Run a farm");
  process.exitCode = asksFarm || error instanceof FarmError ? statusOfError(error) : exitCodeOf(error);
}
