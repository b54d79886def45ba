import { constants, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * Standard error as the log has it. A line that cannot be written (a full disk, a terminal that was closed) is dropped and
 * counted: what the line is about has happened all the same.
 */
export class LogDestination {
  /** Lines that were dropped, in all. */
  dropped = 0;
  /** Of them, those that the log does not tell of yet. */
  private untold = 0;
  /** Whether a part of a line was written. */
  private isBroken = false;
  private readonly sink: (bytes: Uint8Array) => number;

  /** @param sink writes some bytes and returns how many, or throws */
  constructor(sink: (bytes: Uint8Array) => number = standardError()) {
    this.sink = sink;
  }

  write(line: string): void {
    const told =
      this.untold === 0
        ? ""
        : `${JSON.stringify({ level: 40, time: Date.now(), msg: `${this.untold} lines of the log could not be written` })}\n`;
    const bytes = Buffer.from(`${this.isBroken ? "\n" : ""}${told}${line}`);
    let at = 0;
    try {
      while (at < bytes.length) at += this.sink(bytes.subarray(at));
      this.untold = 0;
      this.isBroken = false;
    } catch {
      this.dropped++;
      this.untold++;
      this.isBroken ||= at > 0;
    }
  }
}

/**
 * A terminal is opened anew, so that a write does not wait: one that was stopped (Ctrl-S, a connection that hangs) would
 * hold up the service with the line.
 */
function standardError(): (bytes: Uint8Array) => number {
  let file = 2;
  if (isatty(2))
    try {
      file = openSync("/proc/self/fd/2", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // Another user's, as after su: then it is written to as it is.
    }
  return (bytes) => writeSync(file, bytes);
}
