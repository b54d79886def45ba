import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../errors.ts";
import { epochSeconds, InstantReader } from "./instants.ts";
import { TimeZone } from "./time-zone.ts";

function instant(text: string, zone = "UTC", notBefore?: number): number {
  const bytes = new TextEncoder().encode(`<${text}>`);
  return new InstantReader(new TimeZone(zone)).read(bytes, 1, bytes.length - 1, notBefore);
}

const seconds = (iso: string): number => Date.parse(iso) / 1000;

describe("a time", () => {
  it.each([
    ["2026-03-01T12:30:45", "2026-03-01T12:30:45Z"],
    ["2026-03-01 12:30:45", "2026-03-01T12:30:45Z"],
    ["2026/03/01 12:30", "2026-03-01T12:30:00Z"],
    ["2026-03-01", "2026-03-01T00:00:00Z"],
    ["2026-03-01T12:30:45.250", "2026-03-01T12:30:45.250Z"],
    ["2026-03-01T12:30:45,250Z", "2026-03-01T12:30:45.250Z"],
    ["2026-03-01T12:30:45Z", "2026-03-01T12:30:45Z"],
    ["2026-03-01T12:30:45+02:00", "2026-03-01T10:30:45Z"],
    ["2026-03-01T12:30:45-0530", "2026-03-01T18:00:45Z"],
    ["2026-03-01 12:30:45 +01", "2026-03-01T11:30:45Z"],
    ["2026-03-01 12:30:45 UTC", "2026-03-01T12:30:45Z"],
    ["1969-12-31T23:59:59", "1969-12-31T23:59:59Z"],
    ["2000-02-29T00:00:00", "2000-02-29T00:00:00Z"],
    [" 2026-03-01T24:00:00 ", "2026-03-02T00:00:00Z"],
    ["01.03.2026 12:30", "2026-03-01T12:30:00Z"],
    ["1.3.2026, 8:05:06", "2026-03-01T08:05:06Z"],
    ["31.12.2026", "2026-12-31T00:00:00Z"],
    ["31.12.2026T12:30:45+01:00", "2026-12-31T11:30:45Z"],
    ["2026-03-01 12:30 AM", "2026-03-01T00:30:00Z"],
    ["2026-03-01 12:30:10 pm", "2026-03-01T12:30:10Z"],
    ["2026-03-01 1:30 PM", "2026-03-01T13:30:00Z"],
  ])("%s is %s", (text, iso) => {
    expect(instant(text)).toBe(seconds(iso));
  });

  it.each([
    "",
    "Unknown",
    "2026-13-01",
    "2026-02-29",
    "2026-02-30T00:00:00",
    "2026-04-31",
    "2026-03-01T25:00:00",
    "2026-03-01T12:60:00",
    "2026-03-01X12:30:45",
    "2026-03-01T12",
    "2026-03-01T12:30:45+2",
    "2026-03-01T12:30:45 CET",
    "2026-03/01",
    "03/01/2026 12:30:45",
    "12.31.2026",
    "01.03.26",
    "01.03.20261",
    "1.3.2026 8",
    "1.3.2026 13:00 PM",
    "2026-03-01 0:30 AM",
    "1..2026",
    "So 1. Mär 12:30:45 2026",
  ])("is not %j", (text) => {
    expect(instant(text)).toBeNaN();
  });

  it("may be any that Date writes, to the millisecond", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0100-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          expect(instant(date.toISOString())).toBeCloseTo(date.getTime() / 1000, 3);
        },
      ),
    );
  });

  it("is the same, or none, in the form that is read at once and in the same form after a blank", () => {
    const digits = (length: number): fc.Arbitrary<string> =>
      fc.stringMatching(new RegExp(`^[0-9]{${length}}$`)).map((text) => text.slice(0, length));
    const clock = fc.tuple(
      digits(4),
      fc.constantFrom("02", "12", "13", "1x"),
      digits(2),
      digits(2),
      digits(2),
    );
    fc.assert(
      fc.property(clock, digits(2), fc.constantFrom("", "Z"), ([y, m, d, h, min], s, zone) => {
        const text = `${y}-${m}-${d}T${h}:${min}:${s}${zone}`;
        expect(instant(text, "Europe/Berlin")).toBe(instant(` ${text}`, "Europe/Berlin"));
      }),
      { numRuns: 2000 },
    );
  });

  it("may be a number of seconds, or of a thousand, a million or a thousand million parts of them", () => {
    const at = 1_700_000_000;
    expect(
      ["1700000000", "1700000000000", "1700000000000000", "1700000000000000000"].map((text) => instant(text)),
    ).toEqual([at, at, at, at]);
    expect(instant("1700000000.5")).toBe(1_700_000_000.5);
    expect([0, -5, 86_400, 99_999_999_999].map(epochSeconds)).toEqual([0, -5, 86_400, 99_999_999_999]);
    expect(epochSeconds(Number.NaN)).toBeNaN();
  });
});

describe("a time without a zone", () => {
  it("is of the reader's", () => {
    expect(instant("2026-01-15T12:00:00", "Europe/Berlin")).toBe(seconds("2026-01-15T11:00:00Z"));
    expect(instant("2026-07-15T12:00:00", "Europe/Berlin")).toBe(seconds("2026-07-15T10:00:00Z"));
    expect(instant("2026-07-15T12:00:00", "-03:30")).toBe(seconds("2026-07-15T15:30:00Z"));
    expect(instant("2026-07-15T12:00:00", "+0200")).toBe(seconds("2026-07-15T10:00:00Z"));
    expect(instant("2026-07-15T12:00:00+02:00", "America/New_York")).toBe(seconds("2026-07-15T10:00:00Z"));
  });

  it("that was shown twice is the first, or the one after a given time", () => {
    // On 25 October 2026 clocks in Berlin go from 03:00 back to 02:00, at 01:00 UTC.
    const first = seconds("2026-10-25T00:30:00Z");
    expect(instant("2026-10-25T02:30:00", "Europe/Berlin")).toBe(first);
    expect(instant("2026-10-25T02:30:00", "Europe/Berlin", first)).toBe(first);
    expect(instant("2026-10-25T02:30:00", "Europe/Berlin", first + 1)).toBe(first + 3600);
    expect(instant("2026-10-25T01:59:59", "Europe/Berlin")).toBe(seconds("2026-10-24T23:59:59Z"));
    expect(instant("2026-10-25T03:00:00", "Europe/Berlin")).toBe(seconds("2026-10-25T02:00:00Z"));
  });

  it("that no clock showed continues from the time before", () => {
    // On 29 March 2026 they go from 02:00 to 03:00, at 01:00 UTC.
    expect(instant("2026-03-29T02:30:00", "Europe/Berlin")).toBe(seconds("2026-03-29T01:30:00Z"));
    expect(instant("2026-03-29T03:30:00", "Europe/Berlin")).toBe(seconds("2026-03-29T01:30:00Z"));
  });

  it("agrees with the zone's calendar, all year", () => {
    const zones = [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kolkata",
      "Pacific/Apia",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 2 ** 31 }), (name, at) => {
        const shown = new Intl.DateTimeFormat("sv-SE", {
          timeZone: name,
          dateStyle: "short",
          timeStyle: "medium",
        }).format(at * 1000);
        const zone = new TimeZone(name);
        const wall = seconds(`${shown.replace(" ", "T")}Z`);
        expect([zone.toUtc(wall), zone.later(wall)]).toContain(at);
      }),
    );
  });

  it("tells whether the zone mattered", () => {
    const reader = new InstantReader(new TimeZone("UTC"));
    const read = (text: string): number => reader.read(new TextEncoder().encode(text), 0, text.length);
    read("2026-01-01T00:00:00Z");
    read("1700000000");
    expect(reader.sawZoneless).toBe(false);
    read("2026-01-01");
    expect(reader.sawZoneless).toBe(true);
  });
});

describe("a time zone", () => {
  it("has a name", () => {
    expect(new TimeZone("gmt").name).toBe("UTC");
    expect(new TimeZone("europe/berlin").name).toBe("Europe/Berlin");
    expect(new TimeZone("local").name).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it("is refused if there is none of that name", () => {
    expect(() => new TimeZone("Europe/Entenhausen")).toThrow(InputError);
    expect(() => new TimeZone("Europe/Entenhausen")).toThrow(
      /no time zone "Europe\/Entenhausen": give its name/,
    );
  });
});
