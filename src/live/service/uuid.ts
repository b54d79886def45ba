import { randomFillSync } from "node:crypto";

const RANDOM_BYTES = 10;
/** Drawn many at a time: a call costs more than the bytes. */
const pool = Buffer.alloc(RANDOM_BYTES * 400);
let used = pool.length;

/** A UUID of version 7 (RFC 9562): the time in milliseconds, then chance, so that they sort by time. */
export function uuid7(unixSeconds: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = Math.max(0, Math.floor(unixSeconds * 1000))
    .toString(16)
    .padStart(12, "0");
  const first = (0x7000 | (pool.readUInt16BE(used) & 0x0fff)).toString(16);
  const second = (0x8000 | (pool.readUInt16BE(used + 2) & 0x3fff)).toString(16);
  const rest = pool.toString("hex", used + 4, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return `${time.slice(0, 8)}-${time.slice(8)}-${first}-${second}-${rest}`;
}
