import { InputError } from "../../workload/errors.ts";
import { readChunks, sourceName, type ByteSource } from "../../workload/input/bytes.ts";
import { hasByteOrderMark } from "../../workload/input/lines.ts";
import { parseNumber } from "../../workload/input/numbers.ts";

/** Space. Tab, line breaks and the other control characters are below it. */
const BLANK = 32;
const NEWLINE = 10;
/** No number is longer. */
const MAX_TOKEN_BYTES = 400;

/** Receives a number of the file (NaN if the text is not one) and its line, from 1. */
type TokenHandler = (value: number, line: number, text: () => string) => void;

/**
 * Calls `onToken` for every word of a text, whatever its lines.
 *
 * @returns the number of the last line
 * @throws InputError if the source cannot be read, or a word is too long for a number
 */
export async function readTokens(source: ByteSource, onToken: TokenHandler): Promise<number> {
  const file = sourceName(source);
  let line = 1;
  let isFirst = true;
  let carry: Uint8Array = new Uint8Array(0);
  const emit = (bytes: Uint8Array, start: number, end: number): void => {
    if (end - start > MAX_TOKEN_BYTES) {
      throw new InputError("a word that is too long for a number: this is not an instance file", {
        file,
        line,
      });
    }
    onToken(parseNumber(bytes, start, end), line, () => printable(bytes.subarray(start, end)));
  };
  for await (const chunk of readChunks(source)) {
    let at = isFirst && hasByteOrderMark(chunk) ? 3 : 0;
    isFirst = false;
    if (carry.length > 0) {
      while (at < chunk.length && chunk[at]! > BLANK) at++;
      carry = Buffer.concat([carry, chunk.subarray(0, at)]);
      if (at === chunk.length && carry.length <= MAX_TOKEN_BYTES) continue;
      emit(carry, 0, carry.length);
      carry = new Uint8Array(0);
    }
    while (at < chunk.length) {
      const byte = chunk[at]!;
      if (byte <= BLANK) {
        if (byte === NEWLINE) line++;
        at++;
        continue;
      }
      const start = at;
      while (at < chunk.length && chunk[at]! > BLANK) at++;
      // The chunk may be overwritten when the next one is asked for.
      if (at === chunk.length) carry = Uint8Array.from(chunk.subarray(start));
      else emit(chunk, start, at);
    }
  }
  if (carry.length > 0) emit(carry, 0, carry.length);
  return line;
}

function printable(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 40)).toString("latin1");
  return text.replace(/[^\x20-\x7e]/g, "?") + (bytes.length > 40 ? "…" : "");
}
