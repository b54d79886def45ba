import { parseNumber } from "../../input/numbers.ts";
import { decodeText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { EMPTY_NAME } from "../job-row.ts";

const PLUS = 43;
const SLASH = 47;
const STAR = 42;
const COMMA = 44;
const MINUS = 45;

/**
 * Where a job ran, from `exec_host`: `n1/0*8+n2/0*8` of PBS Pro, `n1/0+n1/1+n2/0` or
 * `n1/0-3+n2/0-7` of Torque.
 */
export class ExecHosts {
  /** The number of cores; 0 if no host is named. */
  cores = 0;
  /** The number of distinct hosts. */
  count = 0;
  /** Whether all hosts have the same number of cores. */
  isEven = true;
  private bytes: Uint8Array = Buffer.alloc(0);
  /** The position of the last host's name: a job's slots on a host are next to each other. */
  private lastStart = 0;
  private lastEnd = 0;
  private lastHost = 0;
  private readonly parts: number[] = [];
  /** By name, for a job on several hosts. */
  private readonly numbers = new Map<string, number>();

  read(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.cores = this.count = 0;
    if (this.numbers.size > 0) this.numbers.clear();
    for (let from = start; from < end;) {
      let slash = from;
      while (slash < end && bytes[slash] !== SLASH && bytes[slash] !== PLUS) slash++;
      let to = slash;
      while (to < end && bytes[to] !== PLUS) to++;
      if (slash > from) this.add(from, slash, slotCores(bytes, slash + 1, to));
      from = to + 1;
    }
    this.isEven = true;
    for (let host = 1; host < this.count; host++) {
      if (this.parts[host] !== this.parts[0]) this.isEven = false;
    }
  }

  /** The code of the list of these hosts, with their cores if they differ. */
  code(names: Names): number {
    if (this.count === 0) return EMPTY_NAME;
    if (this.count === 1) return names.codeOfBytes(this.bytes, this.lastStart, this.lastEnd);
    const hosts = [...this.numbers].map(([name, host]) =>
      this.isEven ? name : `${name}*${this.parts[host]}`,
    );
    return names.codeOf(hosts.join(","));
  }

  private add(start: number, end: number, cores: number): void {
    this.cores += cores;
    if (this.count === 0) this.begin(0, start, end, cores);
    else if (this.isLast(start, end)) this.parts[this.lastHost]! += cores;
    else this.addOther(start, end, cores);
  }

  private addOther(start: number, end: number, cores: number): void {
    if (this.count === 1) this.numbers.set(decodeText(this.bytes, this.lastStart, this.lastEnd), 0);
    const name = decodeText(this.bytes, start, end);
    const known = this.numbers.get(name);
    if (known === undefined) {
      this.numbers.set(name, this.count);
      this.begin(this.count, start, end, cores);
    } else {
      this.parts[known]! += cores;
      [this.lastHost, this.lastStart, this.lastEnd] = [known, start, end];
    }
  }

  private begin(host: number, start: number, end: number, cores: number): void {
    this.parts[host] = cores;
    this.count = host + 1;
    [this.lastHost, this.lastStart, this.lastEnd] = [host, start, end];
  }

  private isLast(start: number, end: number): boolean {
    if (this.lastEnd - this.lastStart !== end - start) return false;
    for (let at = end - start - 1; at >= 0; at--) {
      if (this.bytes[this.lastStart + at] !== this.bytes[start + at]) return false;
    }
    return true;
  }
}

/** The cores of `0*8`, `3`, `0-7`, `0-3,6`; an empty text is one. */
function slotCores(bytes: Uint8Array, start: number, end: number): number {
  let cores = 0;
  let from = start;
  for (let at = start; at <= end; at++) {
    if (at < end && bytes[at] === STAR) {
      const times = parseNumber(bytes, at + 1, end);
      return times >= 1 ? times : 1;
    }
    if (at < end && bytes[at] !== COMMA) continue;
    let dash = from;
    while (dash < at && bytes[dash] !== MINUS) dash++;
    const more = dash < at ? parseNumber(bytes, dash + 1, at) - parseNumber(bytes, from, dash) : 0;
    cores += more >= 0 ? more + 1 : 1;
    from = at + 1;
  }
  return cores;
}
