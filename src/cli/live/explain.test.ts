import { expect, it } from "vitest";

import type { FullExplanation } from "../../live/api/why-routes.ts";
import { liveExplanationLines, summaryText } from "./explain.ts";
import { local } from "./local-time.ts";
import { whenText } from "./when-text.ts";

const waits: NonNullable<FullExplanation["waits"]> = {
  pool: "north",
  policy: "first-fit",
  reasons: [
    {
      kind: "too full",
      machines: 2,
      nearest: {
        machine: "n1",
        coresShort: 1,
        memoryShortMiB: 0,
        gpusShort: 0,
        gpuKind: null,
        running: [1],
        suspended: [],
      },
    },
  ],
  groups: [],
  ahead: [2, 3],
  aheadCount: 2,
  rank: { kind: "priority", priority: 90, ownPriority: 50 },
  intervalSeconds: 0,
  isOnItsWay: false,
  unreachable: null,
  writeError: null,
};
const now = Date.parse("2026-03-02T12:00:00.000Z");
const waiting: FullExplanation = {
  job: 4,
  state: "waiting",
  reason: "",
  dominant: {
    token: "cores",
    sentence: "2 machines are too full for it, and n1, which lacks least, lacks 1 core",
  },
  waits,
  suspended: null,
  doing: null,
  ahead: { jobs: 12, coreHours: 2100.4, withoutLimit: 1, first: [2, 3] },
  lastStartAt: null,
  when: null,
  helps: null,
  notTried: null,
  changes: [],
  lost: [],
  runs: null,
};
const lines = (explanation: FullExplanation): string[] => liveExplanationLines(explanation, now);

it("tells one reason first, then the evidence, and who comes first", () => {
  expect(lines(waiting)).toEqual([
    "Job 4 is waiting.",
    "cores: 2 machines are too full for it, and n1, which lacks least, lacks 1 core.",
    "",
    "It waits in pool north (first-fit):",
    "- 2 machines are too full; nearest is n1, which lacks 1 core, with job 1 running",
    "",
    "Ahead: 12 jobs with 2100 core-hours by their limits, and 1 of them has no limit: first jobs 2, 3, of which the first has the priority 90, and this one 50.",
  ]);
});

it("tells why the last start failed before what machines say, and that a forecast does not know it", () => {
  const reason = "its last start failed: the quota q of the namespace croft is used up";
  const when = {
    madeAt: "2026-03-02T12:00:00.000Z",
    pool: "north",
    futures: 1,
    isRough: false,
    isCutShort: false,
    pastJobs: 40,
    never: null,
    startsAt: "2026-03-02T12:00:30.000Z",
    isNow: false,
    within50: { from: null, to: null },
    within80: { from: null, to: null },
    within95: { from: null, to: null },
    jobsAhead: 0,
    coreHoursAhead: 0,
    cores: 1,
    memoryMiB: 0,
    gpus: 0,
    licences: "",
    limits: [],
    assumed: "",
  };
  const told = lines({ ...waiting, reason, when });
  expect(told.slice(0, 3)).toEqual([
    "Job 4 is waiting.",
    "Its last start failed: the quota q of the namespace croft is used up.",
    "cores: 2 machines are too full for it, and n1, which lacks least, lacks 1 core.",
  ]);
  expect(told).toContain("- The forecast knows nothing of why its last start failed.");
  const forecast = { job: 4, state: "waiting", reason, startedAt: null, lastStartAt: null, forecast: when };
  expect(whenText(forecast as Parameters<typeof whenText>[0], now).split("\n")).toContain(
    "Its last start failed: the quota q of the namespace croft is used up. The forecast knows nothing of that.",
  );
});

it("says machine group by group why they cannot be used", () => {
  const group = {
    machines: 3,
    example: "n1",
    cores: 8,
    memoryMiB: 32_768,
    unmet: null,
    tooSmall: 0,
    drained: 1,
    refused: 0,
    otherFamilies: 0,
    reserved: 0,
    tooFull: 2,
    nearest: { machine: "n2", coresShort: 0, memoryShortMiB: 2048, gpusShort: 0, gpuKind: null },
    withRoom: 0,
  };
  const unmet = { part: 'os == "new"', has: "os is old" };
  const groups = [
    group,
    { ...group, machines: 2, example: "o1", unmet, tooFull: 0, drained: 0, nearest: null },
  ];
  const shown = lines({ ...waiting, waits: { ...waits, groups } }).map((line) => line.trim());
  expect(shown).toContain("3  n1           8  32 GiB  2 too full: n2 lacks 2 GiB; 1 take no jobs");
  expect(shown).toContain('2  o1           8  32 GiB  os == "new" is not met: os is old');
});

it("says what would help, with the command for it, and what was tried in vain", () => {
  const helps = {
    startsAsItIs: false,
    changes: [
      {
        change: { memoryMiB: 6144 },
        machines: 12,
        sentence: "with 6 GiB instead of 8 GiB it would start now, on one of 12 machines",
        isForOperators: false,
      },
      {
        change: { requires: "" as const },
        machines: 1,
        sentence: "submitted again without its requirement it would start now, on 1 machine",
        isForOperators: false,
      },
      {
        change: { priority: 99 },
        machines: 0,
        sentence: "with the priority 99 it would start now, in the place of jobs that run",
        isForOperators: true,
      },
    ],
    trials: 9,
    isCutShort: false,
  };
  expect(lines({ ...waiting, helps }).slice(-4)).toEqual([
    "What would help (tried on a copy of the farm):",
    "- with 6 GiB instead of 8 GiB it would start now, on one of 12 machines: croft change 4 --memory 6144M",
    "- submitted again without its requirement it would start now, on 1 machine: croft submit it without --requires, and without a kind of GPU",
    "- with the priority 99 it would start now, in the place of jobs that run: an operator may croft change 4 --priority 99",
  ]);
  expect(lines({ ...waiting, helps: { ...helps, changes: [] } }).at(-1)).toBe(
    "What would help: nothing of what was tried (9 changes of the job).",
  );
  expect(lines({ ...waiting, helps: { ...helps, startsAsItIs: true } }).at(-1)).toBe(
    "It starts in the next cycle, if nothing else happens.",
  );
  expect(lines({ ...waiting, notTried: "too many ask" }).at(-1)).toBe(
    "What would help was not tried: too many ask.",
  );
});

it("says how the reason changed, and what was lost", () => {
  const changes = [
    { token: "memory", sentence: "", from: "2026-03-02T09:30:00.000Z", to: "2026-03-02T11:30:00.000Z" },
    { token: "share", sentence: "", from: "2026-03-02T11:30:00.000Z", to: null },
  ] as const;
  const attempt = {
    attempt: 1,
    machines: ["n1"],
    from: "2026-03-02T08:00:00.000Z",
    to: "2026-03-02T09:00:00.000Z",
  };
  const told = lines({ ...waiting, changes, lost: [{ ...attempt, seconds: 3600, suspendedSeconds: 120 }] });
  expect(told).toContain(
    `Since ${local("2026-03-02T09:30:00.000Z")} it waited: 2.00 h memory, 30.0 min share.`,
  );
  expect(told.at(-1)).toMatch(/^- attempt 1: 1\.00 h on n1, from .* on \(and suspended for 2\.00 min\)$/);
});

it("has times as the clock on the wall does, and counts one hour as one", () => {
  const begin = "2026-03-02T09:30:00.250Z";
  const sentence = `it is not to start before ${begin}`;
  const held = { ...waiting, state: "held" as const, reason: `until ${begin}`, waits: null, ahead: null };
  const told = lines({ ...held, dominant: { token: "begin-time", sentence } });
  expect(told).toContain(`begin-time: it is not to start before ${local(begin)}.`);
  const ahead = { jobs: 1, coreHours: 1, withoutLimit: 0, first: [2] };
  expect(lines({ ...waiting, ahead })).toContainEqual(
    expect.stringMatching(/^Ahead: 1 job with 1 core-hour by its limit: first job 2/),
  );
});

it("tells a promise for a full second as that, though the clocks are some milliseconds apart", () => {
  const full = Date.parse("2026-03-02T09:45:00Z") / 1000;
  const delaying = { kind: "would delay", job: 2, startSeconds: full - 0.004, machines: 1 } as const;
  const told = lines({ ...waiting, waits: { ...waits, reasons: [delaying] } }).join("\n");
  expect(told).toContain(`promised a start at ${local("2026-03-02T09:45:00Z")} at the latest`);
});

it("does not say of a job that a limit holds at its virtual pool that there is no room", () => {
  const limit = {
    kind: "limit",
    of: "user",
    name: "bob",
    what: "cores",
    most: 8,
    inUse: 8,
    asked: 4,
  } as const;
  const reasons = [{ kind: "no pool has room", pools: ["west"] } as const, limit];
  const told = lines({ ...waiting, waits: { ...waits, pool: null, policy: null, reasons } });
  expect(told).toContain("- none of its pools took it: west");
  expect(told.join("\n")).not.toMatch(/had room/);
});

it("says so where nothing was decided, or nothing can be", () => {
  const last = (more: Partial<typeof waits>): string =>
    lines({ ...waiting, ahead: null, waits: { ...waits, aheadCount: 0, reasons: null, ...more } }).at(-1)!;
  expect(last({ intervalSeconds: 60 })).toBe(
    "- the pool has decided nothing since you asked, which it does every 60 s: ask again",
  );
  expect(last({ writeError: "disk full" })).toMatch(/nothing starts: disk full$/);
  expect(last({ isOnItsWay: true })).toBe("It is on its way to pool north.");
});

it("names the job that one was suspended for, what it keeps and where it is", () => {
  const suspended = { kind: "suspended", by: [7], rank: { kind: "owner", group: "cpu" } } as const;
  const runs = {
    pool: "north",
    machines: ["n1"],
    policy: "easy",
    routing: "round-robin",
    suspends: "cpu-only",
  } as const;
  const dominant = { token: "suspended", sentence: "it is suspended for job 7" } as const;
  expect(
    lines({ ...waiting, state: "suspended", reason: "for job 7", dominant, waits: null, suspended, runs }),
  ).toEqual([
    "Job 4 is suspended.",
    "suspended: it is suspended for job 7.",
    "- suspended for job 7, which is of the group cpu, whose machines are in this pool",
    "- it keeps what it has done and its memory, and gives its cores to others",
    "- it goes on when its machines have room for it again",
    "",
    "It is on n1 of pool north, chosen by easy; its virtual pool chose the pool (round-robin).",
  ]);
});

it("says of a job that has its machines that it is being started", () => {
  const runs = {
    pool: "north",
    machines: ["n1", "n2"],
    policy: "easy",
    routing: null,
    suspends: "full",
  } as const;
  const starting = { ...waiting, state: "starting", dominant: null, waits: null, ahead: null, runs };
  expect(lines(starting)).toEqual([
    "Job 4 is starting.",
    "",
    "It was placed on n1, n2 of pool north by easy, and is being started there.",
  ]);
  const since = new Date(now - 720_000).toISOString();
  const doing = { text: "its prolog /p runs; it is ended after 20 min, and then it waits again", since };
  expect(lines({ ...starting, doing }).slice(3)).toEqual([
    "",
    `Its prolog /p runs; it is ended after 20 min, and then it waits again (since ${local(since)}, for 12.0 min).`,
  ]);
});

it("counts for what the jobs of a farm wait", () => {
  const first = [12, 13, 14, 15, 16];
  expect(
    summaryText({
      waiting: 44,
      examined: 43,
      reasons: [{ token: "memory", meaning: "the machine that lacks least lacks memory", jobs: 43, first }],
      culprits: [
        {
          token: "memory",
          what: "3 of 40 machines of pool north",
          jobs: 42,
          first,
          machines: ["n1", "n2", "n3"],
        },
        { token: "memory", what: "pool south", jobs: 1, first: [9], machines: [] },
      ],
      notTold: null,
    }).split("\n"),
  ).toEqual([
    "jobs  reason",
    "  43  memory  the machine that lacks least lacks memory",
    "",
    "42 jobs wait for 3 of 40 machines of pool north (n1, n2, n3): memory; jobs 12, 13, 14, 15, 16, …",
    "1 job waits for pool south: memory; job 9",
    "",
    "1 job more waits: it starts in the next cycle, or is too far back to be looked at",
  ]);
});

it("names the deadline of a job that waits", () => {
  const lastStartAt = "2026-03-02T13:00:00.000Z";
  expect(lines({ ...waiting, lastStartAt })).toContain(
    `Its deadline leaves it until ${local(lastStartAt)} to start, and then it is cancelled.`,
  );
});
