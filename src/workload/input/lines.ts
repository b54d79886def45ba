import { InputError } from "../errors.ts";
import { readChunks, sourceName } from "./bytes.ts";
import type { ByteSource } from "./bytes.ts";

/**
 * A line is `bytes[start..end)`, without its line break; `line` counts from 1.
 *
 * There is always a byte at `end`, a line break. Valid during the call only.
 */
export type LineHandler = (bytes: Uint8Array, start: number, end: number, line: number) => void;

/**
 * Takes lines, as a `LineHandler`. A method of a class is compiled once; a function made for a file is new to the
 * compiler with every file.
 */
export interface LineReader {
  readonly read: LineHandler;
  /** Called instead of `read` for a line with NUL bytes; without it they are an error. */
  readonly readNul?: (line: number) => void;
}

/** A longer line does not belong to a log. Without a limit, a file of one line would be held in memory as a whole. */
export const MAX_LINE_BYTES = 1 << 20;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** What was found about a text while reading it. */
interface LinesRead {
  readonly lines: number;
  /** Whether the last line has no line break, so that it may be cut short. */
  readonly isOpenEnded: boolean;
}

/**
 * Calls `onLine` for every line of a text source, without making strings.
 *
 * A byte order mark at the start and carriage returns at line ends are left out.
 *
 * @param onNul called instead of `onLine` for a line with NUL bytes; without it they are an error
 * @throws InputError if the source cannot be read, has NUL bytes, or a line over `MAX_LINE_BYTES`
 */
export function readLines(
  source: ByteSource,
  onLine: LineHandler,
  onNul?: (line: number) => void,
): Promise<LinesRead> {
  return readLinesBy(onNul === undefined ? { read: onLine } : { read: onLine, readNul: onNul }, source);
}

/** As `readLines`, for a reader. */
export async function readLinesBy(reader: LineReader, source: ByteSource): Promise<LinesRead> {
  const lines = new Lines(sourceName(source), reader);
  for await (const chunk of readChunks(source)) lines.take(chunk);
  return lines.end();
}

/** Divides chunks into lines. */
class Lines {
  private readonly file: string;
  private readonly reader: LineReader;
  private line = 0;
  /** The beginning of a line that continues in the next chunk. */
  private carry = Buffer.allocUnsafe(4096);
  private carried = 0;
  private atStart = true;
  /** Whether a chunk with NUL bytes was seen. From then on each line is checked. */
  private sawNul = false;

  constructor(file: string, reader: LineReader) {
    this.file = file;
    this.reader = reader;
  }

  take(chunk: Uint8Array): void {
    if (this.atStart) refuseUtf16(chunk, this.file);
    if (this.reader.readNul === undefined) refuseBinary(chunk, this.file, this.line);
    else this.sawNul ||= chunk.includes(0);
    let start = this.atStart && hasByteOrderMark(chunk) ? 3 : 0;
    this.atStart = false;
    let end = chunk.indexOf(NEWLINE, start);
    if (this.carried > 0 && end !== -1) {
      this.keep(chunk.subarray(start, end));
      this.emit(this.carry, 0, this.carried);
      this.carried = 0;
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    while (end !== -1) {
      this.emit(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  end(): LinesRead {
    if (this.carried > 0) this.emit(this.carry, 0, this.carried);
    return { lines: this.line, isOpenEnded: this.carried > 0 };
  }

  private emit(bytes: Uint8Array, start: number, end: number): void {
    const line = ++this.line;
    if (end - start > MAX_LINE_BYTES) throw tooLong(this.file, line);
    if (this.sawNul && bytes.subarray(start, end).includes(0)) {
      this.reader.readNul!(line);
      return;
    }
    const hasReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN;
    this.reader.read(bytes, start, hasReturn ? end - 1 : end, line);
  }

  private keep(bytes: Uint8Array): void {
    const total = this.carried + bytes.length;
    if (total > MAX_LINE_BYTES) throw tooLong(this.file, this.line + 1);
    // One more byte, for the line break.
    if (total >= this.carry.length) {
      const larger = Buffer.allocUnsafe(Math.max(total + 1, 2 * this.carry.length));
      larger.set(this.carry.subarray(0, this.carried));
      this.carry = larger;
    }
    this.carry.set(bytes, this.carried);
    this.carry[total] = NEWLINE;
    this.carried = total;
  }
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function refuseUtf16(chunk: Uint8Array, file: string): void {
  const mark = (chunk[0]! << 8) | chunk[1]!;
  if (mark === 0xfffe || mark === 0xfeff) {
    throw new InputError("this is text in UTF-16: save it as UTF-8", { file, line: 1 });
  }
}

function refuseBinary(chunk: Uint8Array, file: string, linesBefore: number): void {
  const at = chunk.indexOf(0);
  if (at === -1) return;
  let line = linesBefore + 1;
  for (let i = 0; i < at; i++) if (chunk[i] === NEWLINE) line++;
  throw new InputError("a NUL byte: this is a binary file, not a text log", { file, line });
}

function tooLong(file: string, line: number): InputError {
  return new InputError("the line is longer than 1 MiB: this is not a log with one job a line", {
    file,
    line,
  });
}
