/** Prints results to standard output, where nothing else goes. Resolves when the text is written. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, (error) =>
      error === null || error === undefined ? resolve() : reject(error),
    );
  });
}

/** Prints remarks to standard error. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** How often to print a line if standard error is not a terminal. */
const LOG_MILLISECONDS = 60_000;

/** A status line on standard error that is overwritten by the next. */
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
