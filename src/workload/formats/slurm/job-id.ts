import { UNKNOWN } from "../job-row.ts";

const POINT = 46;
const UNDERSCORE = 95;
const PLUS = 43;
const ZERO = 48;

/**
 * A job's number as sacct writes it: `123`, `123_4` of an array, `123+1` of a
 * heterogeneous job, `123_[5-9]` for what an array has not started; `123.batch` is a step.
 */
export class SlurmJobId {
  /** NaN where it is no number. */
  number = Number.NaN;
  /** The place in the array or the heterogeneous job; -1: of none. */
  index: number = UNKNOWN;
  isStep = false;
  isHeterogeneous = false;

  read(bytes: Uint8Array, start: number, end: number): void {
    this.index = UNKNOWN;
    this.isStep = this.isHeterogeneous = false;
    let at = start;
    let number = 0;
    for (; at < end && isDigit(bytes[at]!); at++) number = number * 10 + bytes[at]! - ZERO;
    this.number = at > start ? number : Number.NaN;
    if (at < end && (bytes[at] === UNDERSCORE || bytes[at] === PLUS)) {
      this.isHeterogeneous = bytes[at] === PLUS;
      let index = 0;
      const from = ++at;
      for (; at < end && isDigit(bytes[at]!); at++) index = index * 10 + bytes[at]! - ZERO;
      if (at > from) this.index = index;
    }
    this.isStep = at < end && bytes[at] === POINT;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
