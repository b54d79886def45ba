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
