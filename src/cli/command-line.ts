import type { Option } from "commander";

let words: readonly string[] = process.argv.slice(2);

/** Sets the words of the command line, including those from a file of settings. */
export function setCommandWords(all: readonly string[]): void {
  words = all;
}

/**
 * The command line that repeats this run, quoted for a shell.
 *
 * @param leftOut options that change nothing of what comes out
 */
export function commandLine(leftOut: readonly Option[] = []): string {
  return ["croft", ...without(words, leftOut).map(shellWord)].join(" ");
}

/** A word of a command line, quoted for a shell where it has to be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function without(all: readonly string[], options: readonly Option[]): string[] {
  const isOne = (word: string | undefined): Option | undefined =>
    options.find(({ long }) => word === long || word?.startsWith(`${long}=`) === true);
  return all.filter((word, at) => {
    const before = isOne(all[at - 1]);
    return isOne(word) === undefined && !(before?.required === true && all[at - 1] === before.long);
  });
}
