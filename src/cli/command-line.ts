let words: readonly string[] = process.argv.slice(2);

/** Sets the words of the command line, including those from a file of settings. */
export function setCommandWords(all: readonly string[]): void {
  words = all;
}

/** The command line that repeats this run, quoted for a shell. */
export function commandLine(): string {
  const quoted = words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return ["croft", ...quoted].join(" ");
}
