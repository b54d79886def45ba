import { Transform, type TransformCallback } from "node:stream";

/** A message is a line. */
const MOST_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/** Passes lines on, and fails at one that is longer than a message may be: whoever reads would keep all of it. */
export class LimitedLines extends Transform {
  private readonly most: number;
  private length = 0;

  constructor(most = MOST_BYTES) {
    super();
    this.most = most;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const first = chunk.indexOf(NEWLINE);
    const longest = first === -1 ? this.length + chunk.length : this.length + first;
    this.length = first === -1 ? longest : chunk.length - 1 - chunk.lastIndexOf(NEWLINE);
    if (Math.max(longest, this.length) > this.most)
      done(new Error(`a message is longer than ${this.most} bytes`));
    else done(null, chunk);
  }
}
