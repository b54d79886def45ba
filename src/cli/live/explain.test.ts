import { expect, it } from "vitest";

import type { LiveExplanation } from "../../live/service/explaining.ts";
import { liveExplanationLines } from "./explain.ts";

const waits: NonNullable<LiveExplanation["waits"]> = {
  pool: "north",
  policy: "first-fit",
  reasons: [
    {
      kind: "too full",
      machines: 2,
      nearest: { machine: "n1", coresShort: 1, memoryShortMiB: 0, running: [1], suspended: [] },
    },
  ],
  ahead: [2, 3],
  rank: { kind: "priority", priority: 90, ownPriority: 50 },
  intervalSeconds: 0,
  isOnItsWay: false,
  unreachable: null,
  writeError: null,
};
const waiting: LiveExplanation = { job: 4, state: "waiting", reason: "", waits, suspended: null };

it("tells in words what kept a job waiting, and who comes first", () => {
  expect(liveExplanationLines(waiting)).toEqual([
    "Job 4 is waiting.",
    "It waits in pool north (first-fit).",
    "- 2 machines are too full; nearest is n1, which lacks 1 core, with job 1 running",
    "- it comes after jobs 2, 3, of which the first has the priority 90, and this one 50; they wait too",
  ]);
});

it("says so where nothing was decided, or nothing can be", () => {
  const last = (more: Partial<typeof waits>): string =>
    liveExplanationLines({ ...waiting, waits: { ...waits, reasons: null, ...more } }).at(-1)!;
  expect(last({ intervalSeconds: 60 })).toBe(
    "- the pool has decided nothing since you asked, which it does every 60 s: ask again",
  );
  expect(last({ writeError: "disk full" })).toMatch(/nothing starts: disk full$/);
  expect(last({ isOnItsWay: true })).toBe("It is on its way to pool north.");
});

it("names the job that one was suspended for", () => {
  const suspended = { kind: "suspended", by: [7], rank: { kind: "owner", group: "cpu" } } as const;
  expect(
    liveExplanationLines({ ...waiting, state: "suspended", reason: "for job 7", waits: null, suspended }),
  ).toEqual([
    "Job 4 is suspended.",
    "- suspended for job 7, which is of the group cpu, whose machines are in this pool",
    "- it goes on when its machines have room for it again",
  ]);
});
