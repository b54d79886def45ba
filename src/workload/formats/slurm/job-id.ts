import { UNKNOWN } from "../job-row.ts";

const POINT = 46;
const UNDERSCORE = 95;
const PLUS = 43;
const ZERO = 48;

/**
 * A job's number as sacct writes it: `123`, `123_4` in an array, `123+1` in a heterogeneous job, `123_[5-9]` for the
 * part of an array that has not started. `123.batch` is a step.
 */
export class SlurmJobId {
  /** NaN if it is not a number. */
  number = Number.NaN;
  /** The index in the array or the heterogeneous job; -1 if there is none. */
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
