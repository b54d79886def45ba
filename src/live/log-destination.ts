import { writeSync } from "node:fs";

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
  constructor(sink: (bytes: Uint8Array) => number = (bytes) => writeSync(2, bytes)) {
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
