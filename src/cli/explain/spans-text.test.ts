import { expect, it } from "vitest";

import { spansText } from "./spans-text.ts";

it("tells a few changes in their order, and many by their sums", () => {
  const spans = [
    { token: "memory", seconds: 7200 },
    { token: "share", seconds: 1800 },
  ];
  expect(spansText(spans)).toBe("2.00 h memory, 30.0 min share");
  const many = Array.from({ length: 20 }, (_, at) => ({
    token: at % 4 === 0 ? "cores" : "memory",
    seconds: 60,
  }));
  expect(spansText(many)).toBe("15.0 min memory, 5.00 min cores, in 20 turns (--json has them)");
});
