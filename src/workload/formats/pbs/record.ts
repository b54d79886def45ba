import { ByteTable } from "../../byte-table.ts";
import { daysSince1970, isDay } from "../../input/instants.ts";
import { parseNumber } from "../../input/numbers.ts";
import { decodeText } from "../../input/text.ts";
import { Names } from "../../names.ts";
import { UNKNOWN } from "../job-row.ts";

const SEMICOLON = 59;
const EQUALS = 61;
const QUOTE = 34;
const BACKSLASH = 92;
const POINT = 46;
const BLANK = 32;
const SLASH = 47;
const COLON = 58;
const OPEN = 91;
const MINUS = 45;
const ZERO = 48;
const DATE_LENGTH = 19;

/** The keys of a record's message that are read. */
export const KEYS = [
  "user",
  "group",
  "account",
  "project",
  "queue",
  "ctime",
  "qtime",
  "etime",
  "start",
  "end",
  "Exit_status",
  "exec_host",
  "Resource_List.select",
  "Resource_List.nodes",
  "Resource_List.neednodes",
  "Resource_List.ncpus",
  "Resource_List.procs",
  "Resource_List.ngpus",
  "Resource_List.mem",
  "Resource_List.pmem",
  "Resource_List.walltime",
  "Resource_List.place",
  "Resource_List.naccesspolicy",
  "Resource_List.x",
  "run_count",
] as const;

export type PbsKey = (typeof KEYS)[number];

/** The numbers of the keys, by name. */
const numberOfKey = Object.fromEntries(KEYS.map((key, number) => [key, number])) as Record<PbsKey, number>;

/** A line of PBS's accounting, `date;type;id;message`, parsed in place. */
export class PbsRecord {
  bytes: Uint8Array = Buffer.alloc(0);
  /** The code of the letter: `E` for a job that ended. */
  type = 0;
  /** NaN if the id does not begin with a number. */
  jobNumber = Number.NaN;
  arrayIndex: number = UNKNOWN;
  /** The number of the server that the id names, in order of appearance: several may be in one log. */
  server = 0;
  /** Whether the id is that of a whole array, `123[].server`. */
  isWholeArray = false;
  /** Whether a key appears twice in the message. */
  isMixed = false;
  /** Whether a value of the message is in quotes and has a backslash. */
  private hasEscapes = false;
  private dateStart = 0;
  private messageStart = 0;
  private end = 0;
  private readonly known = new ByteTable();
  private readonly starts = new Int32Array(KEYS.length);
  private readonly ends = new Int32Array(KEYS.length);
  private readonly servers = new Names();

  constructor() {
    KEYS.forEach((key, number) => {
      const bytes = new TextEncoder().encode(key);
      this.known.find(bytes, 0, bytes.length);
      this.known.add(bytes, 0, bytes.length, number);
    });
  }

  /** Tells the job from all others in the log. */
  key(): number | string {
    return keyOf(this.server, this.jobNumber, this.arrayIndex);
  }

  /** @returns whether the line begins like a record; its message is not parsed yet */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.bytes = bytes;
    this.end = end;
    if (!isDate(bytes, start)) start = afterPrefix(bytes, start, end);
    this.dateStart = start;
    if (end - start < DATE_LENGTH + 4 || !isDate(bytes, start)) return false;
    let at = start + DATE_LENGTH;
    // Some versions write fractions of a second.
    while (at < end && bytes[at] !== SEMICOLON && at < start + DATE_LENGTH + 10) at++;
    if (bytes[at] !== SEMICOLON || bytes[at + 2] !== SEMICOLON) return false;
    this.type = bytes[at + 1]!;
    const idStart = at + 3;
    at = idStart;
    while (at < end && bytes[at] !== SEMICOLON) at++;
    this.readId(idStart, at);
    this.messageStart = Math.min(end, at + 1);
    return at < end;
  }

  /**
   * Finds the keys in the message: `key=value` after blanks, with quotes around a value with blanks, and a backslash
   * before a quote within.
   */
  readMessage(): void {
    const { bytes, end, starts, ends } = this;
    starts.fill(-1);
    this.isMixed = this.hasEscapes = false;
    let at = this.messageStart;
    while (at < end) {
      while (at < end && bytes[at]! <= BLANK) at++;
      const keyStart = at;
      while (at < end && bytes[at] !== EQUALS && bytes[at]! > BLANK) at++;
      const keyEnd = at;
      if (at >= end || bytes[at] !== EQUALS) continue;
      const quoteEnd = bytes[++at] === QUOTE ? this.endOfQuoted(at + 1, true) : -1;
      const isQuoted = quoteEnd !== -1;
      const valueStart = isQuoted ? at + 1 : at;
      if (isQuoted) at = quoteEnd;
      else while (at < end && bytes[at]! > BLANK) at++;
      const key = this.known.find(bytes, keyStart, keyEnd);
      if (key >= 0) {
        if (starts[key] !== -1) this.isMixed = true;
        starts[key] = valueStart;
        ends[key] = at;
      }
      if (isQuoted) at++;
    }
  }

  /**
   * Where the quote is that ends a value: a blank or nothing follows it, and no backslash is before it, or one that is the
   * value's last character. -1 if none is.
   */
  private endOfQuoted(start: number, heedsBackslashes: boolean): number {
    const { bytes, end } = this;
    for (let at = start; at < end; at++) {
      if (heedsBackslashes && bytes[at] === BACKSLASH) {
        this.hasEscapes = true;
        at++;
      } else if (bytes[at] === QUOTE && (at + 1 === end || bytes[at + 1]! <= BLANK)) return at;
    }
    return heedsBackslashes ? this.endOfQuoted(start, false) : -1;
  }

  /** Whether the date of a second record is in the message, as when one runs into another. */
  hasSecondRecord(): boolean {
    return /\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d(\.\d+)?;[A-Za-z];/.test(
      decodeText(this.bytes, this.messageStart, this.end),
    );
  }

  /** A value without the backslashes before quotes and backslashes; null if it has none. */
  unescaped(key: PbsKey): string | null {
    if (!this.hasEscapes) return null;
    const [start, end] = [this.startOf(key), this.endOf(key)];
    if (!this.bytes.subarray(start, end).includes(BACKSLASH)) return null;
    return decodeText(this.bytes, start, end).replaceAll(/\\(["\\])/g, "$1");
  }

  has(key: PbsKey): boolean {
    const number = numberOfKey[key];
    return this.starts[number] !== -1 && this.ends[number]! > this.starts[number]!;
  }

  startOf(key: PbsKey): number {
    return this.starts[numberOfKey[key]]!;
  }

  endOf(key: PbsKey): number {
    return this.ends[numberOfKey[key]]!;
  }

  /** NaN if the message does not have the key, or its value is not a number. */
  number(key: PbsKey): number {
    const start = this.startOf(key);
    return start === -1 ? Number.NaN : parseNumber(this.bytes, start, this.endOf(key));
  }

  /** The time on the clock when the record was written, as if the clock were on UTC, in seconds since 1970. */
  wallSeconds(): number {
    const { bytes, dateStart: start } = this;
    const two = (at: number): number => (bytes[start + at]! - ZERO) * 10 + bytes[start + at + 1]! - ZERO;
    const year = two(6) * 100 + two(8);
    if (!isDay(year, two(0), two(3))) return Number.NaN;
    return daysSince1970(year, two(0), two(3)) * 86_400 + two(11) * 3600 + two(14) * 60 + two(17);
  }

  /** `123.server`, `123[4].server`, `123[].server`; old versions of Torque write `123-4.server`. */
  private readId(start: number, end: number): void {
    const { bytes } = this;
    let at = start;
    let number = 0;
    for (; at < end && isDigit(bytes[at]!); at++) number = number * 10 + bytes[at]! - ZERO;
    this.jobNumber = at > start ? number : Number.NaN;
    this.arrayIndex = UNKNOWN;
    const isPart = at < end && (bytes[at] === OPEN || bytes[at] === MINUS);
    const from = at + 1;
    let index = 0;
    if (isPart) for (at++; at < end && isDigit(bytes[at]!); at++) index = index * 10 + bytes[at]! - ZERO;
    this.isWholeArray = isPart && at === from;
    if (isPart && at > from) this.arrayIndex = index;
    while (at < end && bytes[at] !== POINT) at++;
    this.server = this.servers.codeOfBytes(bytes, at, end);
  }
}

/** Where a line goes on after blanks, or after the name of a file, as `grep` writes it: `20260301:03/01/2026 …`. */
function afterPrefix(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at]! <= BLANK) at++;
  if (at > start) return at;
  while (at < end && bytes[at]! > BLANK && bytes[at] !== SEMICOLON && bytes[at] !== COLON) at++;
  return bytes[at] === COLON ? at + 1 : start;
}

/** `MM/DD/YYYY HH:MM:SS`. */
function isDate(bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < DATE_LENGTH; at++) {
    const byte = bytes[start + at]!;
    if (at === 2 || at === 5) {
      if (byte !== SLASH) return false;
    } else if (at === 13 || at === 16) {
      if (byte !== COLON) return false;
    } else if (at === 10) {
      if (byte !== BLANK) return false;
    } else if (!isDigit(byte)) return false;
  }
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

/** A job's index in its array and its number, as one number. */
const ARRAY_PLACES = 2 ** 22;

/** Tells jobs apart, also those of several servers. @param server 0: the log's first */
export function keyOf(server: number, number: number, index: number): number | string {
  return server === 0 ? number * ARRAY_PLACES + index + 1 : `${server} ${number} ${index}`;
}
