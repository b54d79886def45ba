let words: readonly string[] = process.argv.slice(2);

/** The words of the command line with those of a file of settings among them. */
export function setCommandWords(all: readonly string[]): void {
  words = all;
}

/** The command that makes this again, as a shell takes it. */
export function commandLine(): string {
  const quoted = words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return ["croft", ...quoted].join(" ");
}
