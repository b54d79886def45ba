/**
 * A job's text, made safe for a terminal: without control characters, which could move the cursor or change colours.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
}
