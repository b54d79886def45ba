import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** No program that says what it does prints as much. */
export const MOST_PRINTED_MIB = 1;
const MOST_SAID = 500;
/** What an ended program has written comes at once; something that it has left running may hold the pipes open. */
const PATIENCE_MILLISECONDS = 200;

/**
 * What a program prints that nobody reads. It goes nowhere, but for the first line of its errors, which says why it has
 * failed; and whoever prints without end is told of, since that alone keeps a processor busy.
 */
export class Printed {
  private readonly streams: readonly Readable[];
  private bytes = 0;
  private said = "";

  /** @param tooMuch called once, when it has printed more than `MOST_PRINTED_MIB` */
  constructor(stdout: Readable, stderr: Readable, tooMuch: () => void) {
    this.streams = [stdout, stderr];
    for (const stream of this.streams) {
      stream.on("error", () => undefined);
      stream.on("data", (chunk: Buffer) => {
        const before = this.isTooMuch;
        this.bytes += chunk.length;
        if (stream === stderr && this.said.length < MOST_SAID) this.said += chunk.toString();
        if (!this.isTooMuch || before) return;
        // Nothing more is read of it, whatever becomes of it.
        this.close();
        tooMuch();
      });
    }
  }

  get isTooMuch(): boolean {
    return this.bytes > MOST_PRINTED_MIB * 2 ** 20;
  }

  /**
   * @param problem of a program that has ended
   * @returns the same, with the first line of what it has written on standard error
   */
  async told(problem: string): Promise<string> {
    const closed = this.streams
      .filter((stream) => !stream.closed)
      .map((stream) => new Promise((resolve) => stream.once("close", resolve)));
    await Promise.race([Promise.all(closed), pause(PATIENCE_MILLISECONDS)]);
    const [line = ""] = this.said.trim().slice(0, MOST_SAID).split("\n");
    return line === "" ? problem : `${problem}: ${line.replaceAll(/\p{Cc}/gu, " ").trim()}`;
  }

  close(): void {
    for (const stream of this.streams) stream.destroy();
  }
}
