import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";

/** Lines in which scripts of other queues have their options, which this one does not read. */
const OPTION_LINE = /^#(SBATCH|PBS|HQ|BSUB|\$) +-/m;
/** Where such lines are. */
const FIRST_BYTES = 16_384;
const SHELLS = /^(.*\/)?(sh|bash|dash|zsh|ksh)$/;

/** What people who know other queues expect of a command, and what does not hold here. */
export function scriptHints(command: readonly string[]): string[] {
  const [program = "", argument = ""] = command;
  const script = SHELLS.test(program) && !argument.startsWith("-") ? argument : program;
  const hints: string[] = [];
  if (!program.includes("/") && isScript(program))
    hints.push(`${program} is looked for in the PATH, not in this folder: ./${program} is the one here`);
  if (command.length === 1 && /\S\s+\S/.test(program) && !existsSync(program))
    hints.push(
      `no shell reads ${JSON.stringify(program)}, which is one word: croft submit -- sh -c '…' has it read`,
    );
  const beginning = isScript(script) ? beginningOf(script) : "";
  const [line = ""] = beginning.split("\n");
  const [, interpreter = ""] = /^#! *(\/\S+)/.exec(line) ?? [];
  if (line.startsWith("#!") && line.endsWith("\r"))
    hints.push(
      `the lines of ${script} end as those of Windows do, with which it is not found or fails: dos2unix`,
    );
  else if (script === program && interpreter !== "" && !existsSync(interpreter))
    hints.push(`${script} is run by ${interpreter}, as its first line says, which is not here`);
  const options = OPTION_LINE.exec(beginning);
  if (options !== null)
    hints.push(`the #${options[1]} lines of ${script} are not read: give croft submit the options`);
  return hints;
}

function isScript(path: string): boolean {
  return path !== "" && existsSync(path) && statSync(path).isFile();
}

function beginningOf(path: string): string {
  const bytes = Buffer.alloc(FIRST_BYTES);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // It may still be run: by somebody else, or on another machine.
    return "";
  }
  try {
    return bytes.toString("latin1", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
