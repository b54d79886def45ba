const NEWLINE = 10;
const MAX_LENGTH = 1 << 16;

/** The first line that is not blank, trimmed. Formats are recognised by it. */
export function firstLine(bytes: Uint8Array): string {
  let start = 0;
  // `trim` removes blanks, line breaks, and a byte order mark.
  while (start < bytes.length && bytes[start]! <= 32) start++;
  const newline = bytes.indexOf(NEWLINE, start);
  const end = newline === -1 ? bytes.length : newline;
  return new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + MAX_LENGTH))).trim();
}
