import { isUtf8 } from "node:buffer";

/**
 * The text of `bytes[start..end)` as UTF-8, or if it is not valid UTF-8 as ISO 8859-1, in which every byte is a
 * character. So names that differ in any byte stay different.
 */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  const view = bytes.subarray(start, end);
  const text = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return text.toString(isUtf8(text) ? "utf8" : "latin1");
}

/** Whether `bytes[start..end)` is this text, of ASCII characters only. */
export function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Whether `bytes[start..end)` begins with this text, of ASCII characters only. */
export function startsWith(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  return end - start >= text.length && isText(bytes, start, start + text.length, text);
}
