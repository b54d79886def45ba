/** Results: nothing else goes to standard output. Resolves when the text is written. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, (error) =>
      error === null || error === undefined ? resolve() : reject(error),
    );
  });
}

/** Remarks beside the results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A line on standard error that is written over again and again; nothing where that is no terminal. */
export class StatusLine {
  private readonly isShown: boolean;

  constructor(quiet: boolean) {
    this.isShown = !quiet && process.stderr.isTTY;
  }

  show(text: string): void {
    if (this.isShown) process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
  }

  clear(): void {
    if (this.isShown) process.stderr.write("\r\u001b[K");
  }
}
