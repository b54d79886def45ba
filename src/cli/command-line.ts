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
  const quoted = without(words, leftOut).map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return ["croft", ...quoted].join(" ");
}

function without(all: readonly string[], options: readonly Option[]): string[] {
  const isOne = (word: string | undefined): Option | undefined =>
    options.find(({ long }) => word === long || word?.startsWith(`${long}=`) === true);
  return all.filter((word, at) => {
    const before = isOne(all[at - 1]);
    return isOne(word) === undefined && !(before?.required === true && all[at - 1] === before.long);
  });
}
