import { expect, it } from "vitest";

import { rejections } from "./rejections.ts";

it("says once what all policies reject, and of the rest under which", () => {
  const large = { reason: "too large", jobs: 1200 };
  const wide = { reason: "too wide", jobs: 3 };
  expect(rejections([])).toEqual([]);
  expect(
    rejections([
      { policy: "a", rejections: [large, wide] },
      { policy: "b", rejections: [{ ...large }] },
      { policy: "c", rejections: [large, { ...wide, jobs: 4 }] },
      // The same at another load.
      { policy: "a", rejections: [large, wide] },
    ]),
  ).toEqual(["too large: 1,200", "too wide: 3 (under a)", "too wide: 4 (under c)"]);
});

it("tells the most frequent of many reasons", () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ reason: `asks for ${i} GiB`, jobs: 1 }));
  const lines = rejections([{ policy: "a", rejections: many }]);
  expect(lines).toHaveLength(9);
  expect(lines.at(-1)).toBe("for 22 more reasons; --json tells all");
});
