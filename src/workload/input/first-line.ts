const NEWLINE = 10;
const MAX_LENGTH = 1 << 16;

/** The first line that is not blank, trimmed; what a format is recognised by. */
export function firstLine(bytes: Uint8Array): string {
  let start = 0;
  // Blanks, line breaks, and a byte order mark, which `trim` takes off.
  while (start < bytes.length && bytes[start]! <= 32) start++;
  const newline = bytes.indexOf(NEWLINE, start);
  const end = newline === -1 ? bytes.length : newline;
  return new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + MAX_LENGTH))).trim();
}
