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

/** Where that is no terminal, a line so often: what a log of a long run needs. */
const LOG_MILLISECONDS = 60_000;

/** A line on standard error that is written over again and again. */
export class StatusLine {
  private readonly isQuiet: boolean;
  private readonly isShown: boolean;
  private loggedAt = performance.now();

  constructor(quiet: boolean) {
    this.isQuiet = quiet;
    this.isShown = !quiet && process.stderr.isTTY;
  }

  show(text: string): void {
    if (this.isShown) process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    else if (!this.isQuiet && performance.now() - this.loggedAt >= LOG_MILLISECONDS) {
      say(text);
      this.loggedAt = performance.now();
    }
  }

  clear(): void {
    if (this.isShown) process.stderr.write("\r\u001b[K");
  }
}
