import { InputError } from "../errors.ts";
import { readChunks, sourceName } from "./bytes.ts";
import type { ByteSource } from "./bytes.ts";

/**
 * A line is `bytes[start..end)`, without its line break; `line` counts from 1.
 *
 * There is always a byte at `end`, a line break. Valid during the call only.
 */
export type LineHandler = (bytes: Uint8Array, start: number, end: number, line: number) => void;

/** A longer line does not belong to a log. Without a limit, a file of one line would be held in memory as a whole. */
export const MAX_LINE_BYTES = 1 << 20;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** What was found about a text while reading it. */
export interface LinesRead {
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
export async function readLines(
  source: ByteSource,
  onLine: LineHandler,
  onNul?: (line: number) => void,
): Promise<LinesRead> {
  const file = sourceName(source);
  let line = 0;
  /** The beginning of a line that continues in the next chunk. */
  let carry = Buffer.allocUnsafe(4096);
  let carried = 0;
  let atStart = true;
  /** Whether a chunk with NUL bytes was seen. From then on each line is checked. */
  let sawNul = false;

  const emit = (bytes: Uint8Array, start: number, end: number): void => {
    line++;
    if (end - start > MAX_LINE_BYTES) throw tooLong(file, line);
    if (sawNul && bytes.subarray(start, end).includes(0)) {
      onNul!(line);
      return;
    }
    onLine(bytes, start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end, line);
  };
  const keep = (bytes: Uint8Array): void => {
    const total = carried + bytes.length;
    if (total > MAX_LINE_BYTES) throw tooLong(file, line + 1);
    // One more byte, for the line break.
    if (total >= carry.length) {
      const larger = Buffer.allocUnsafe(Math.max(total + 1, 2 * carry.length));
      larger.set(carry.subarray(0, carried));
      carry = larger;
    }
    carry.set(bytes, carried);
    carry[total] = NEWLINE;
    carried = total;
  };

  for await (const chunk of readChunks(source)) {
    if (atStart) refuseUtf16(chunk, file);
    if (onNul === undefined) refuseBinary(chunk, file, line);
    else sawNul ||= chunk.includes(0);
    let start = atStart && hasByteOrderMark(chunk) ? 3 : 0;
    atStart = false;
    let end = chunk.indexOf(NEWLINE, start);
    if (carried > 0 && end !== -1) {
      keep(chunk.subarray(start, end));
      emit(carry, 0, carried);
      carried = 0;
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    while (end !== -1) {
      emit(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (carried > 0) emit(carry, 0, carried);
  return { lines: line, isOpenEnded: carried > 0 };
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
