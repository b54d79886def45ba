import { describe, expect, test } from "vitest";

import { askedLicences } from "./licences.ts";

describe("the licences that a job asks for", () => {
  test.each<[string, Record<string, number>]>([
    ["", {}],
    [" ; , ", {}],
    ["matlab", { matlab: 1 }],
    ["matlab=2; vcs", { matlab: 2, vcs: 1 }],
    ["matlab:2,vcs@server:10", { matlab: 2, "vcs@server": 10 }],
    [" a = 3 ;b", { a: 3, b: 1 }],
  ])("%j", (text, expected) => {
    expect(Object.fromEntries(askedLicences(text))).toEqual(expected);
  });

  test.each([
    ["a=0", 'of a it asks for "0": give a whole number from 1'],
    ["a=1.5", 'of a it asks for "1.5"'],
    ["a=", 'of a it asks for ""'],
    ["a=3000000000", 'of a it asks for "3000000000"'],
    ["=2", '"=2" names none: write them as matlab=2; vcs=1'],
    ["a b", '"a b" names none'],
    ["a;b;a=2", "a stands there twice"],
  ])("%j is refused", (text, message) => {
    expect(() => askedLicences(text)).toThrow(message);
  });
});
