import { expect, it } from "vitest";

import { local } from "./local-time.ts";
import { whenText } from "./when-text.ts";

it("tells when a job has started, and not when it is asked", () => {
  const startedAt = "2026-03-02T09:12:34.000Z";
  const job = { job: 4, state: "running", reason: "", startedAt, forecast: null } as const;
  const [, time] = local(startedAt).split(" ");
  for (const [later, shown] of [
    [60_000, time],
    [3_600_000, time.slice(0, 5)],
  ] as const)
    expect(whenText(job, Date.parse(startedAt) + later)).toBe(`Job 4 has started: ${shown}.`);
});
