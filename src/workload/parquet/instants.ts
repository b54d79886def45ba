import type { TextBuffer } from "./text-buffer.ts";

const DAY_SECONDS = 86_400;
/** The Julian day of 1970-01-01, from which INT96 counts. */
const JULIAN_1970 = 2_440_588n;
/** Dates that are kept as text: those of some ten years. */
const MAX_DATES = 4096;
const DAY_NANOS = 86_400_000_000_000n;

/** An instant: whole seconds since 1970, and the rest. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** @param perSecond parts of a second that `value` counts: 1000, or a thousand or a million times as many */
export function instantOf(value: number | bigint, perSecond: number): Instant {
  const nanosPerPart = 1e9 / perSecond;
  if (typeof value === "number") {
    const seconds = Math.floor(value / perSecond);
    return { seconds, nanos: (value - seconds * perSecond) * nanosPerPart };
  }
  const parts = BigInt(perSecond);
  const rest = ((value % parts) + parts) % parts;
  return { seconds: Number((value - rest) / parts), nanos: Number(rest) * nanosPerPart };
}

/** Of 96 bits: nanoseconds of the day in the lower 64, and the Julian day in the upper 32. */
export function instantOfInt96(value: bigint): Instant {
  return instantOf(((value >> 64n) - JULIAN_1970) * DAY_NANOS + BigInt.asIntN(64, value), 1e9);
}

/** Writes instants as `2026-12-31T08:05:00.25Z`. */
export class InstantWriter {
  private readonly zone: string;
  private readonly dates = new Map<number, string>();

  /** @param zone `Z`, or nothing for times of no zone */
  constructor(zone: "Z" | "") {
    this.zone = zone;
  }

  write({ seconds, nanos }: Instant, out: TextBuffer): void {
    const day = Math.floor(seconds / DAY_SECONDS);
    this.writeDay(day, out);
    out.ascii("T");
    writeClock({ seconds: seconds - day * DAY_SECONDS, nanos }, out);
    out.ascii(this.zone);
  }

  writeDay(day: number, out: TextBuffer): void {
    let date = this.dates.get(day);
    if (date === undefined) {
      const midnight = new Date(day * DAY_SECONDS * 1000);
      // Years of more than four digits begin with a sign, and no reader of times takes them.
      date = Number.isNaN(midnight.getTime()) ? `day ${day}` : midnight.toISOString().replace(/T.*/, "");
      if (this.dates.size >= MAX_DATES) this.dates.clear();
      this.dates.set(day, date);
    }
    out.ascii(date);
  }
}

/** `08:05:00.25`: a time of day, in which seconds count from midnight. */
export function writeClock({ seconds, nanos }: Instant, out: TextBuffer): void {
  out.padded(Math.floor(seconds / 3600), 2);
  out.ascii(":");
  out.padded(Math.floor(seconds / 60) % 60, 2);
  out.ascii(":");
  out.padded(seconds % 60, 2);
  if (nanos === 0) return;
  out.ascii(".");
  out.padded(nanos, 9);
}
