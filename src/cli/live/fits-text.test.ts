import { expect, it } from "vitest";

import { fitsText } from "./fits-text.ts";

it("says who knows more where none starts within the time looked ahead", () => {
  const found = (jobs: number) => ({
    never: null,
    count: 10,
    within: [0, 604_800].map((seconds) => ({ seconds, jobs: seconds === 0 ? 0 : jobs })),
    nowByPool: {},
    isCutShort: false,
  });
  expect(fitsText(found(0), true)).toMatch(
    /^now: 0 jobs\nwithin 7 days: 0 jobs\ncroft when -- says what .* waits for\nif jobs run/,
  );
  expect(fitsText(found(1), true)).not.toContain("croft when");
  expect(fitsText({ ...found(0), isCutShort: true }, true)).not.toContain("croft when");
});
