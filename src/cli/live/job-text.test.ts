import { expect, it } from "vitest";

import { jobTable, jobText, type JobDetails } from "./job-text.ts";

const startedAt = "2026-03-02T12:00:00.000Z";
const endedAt = "2026-03-02T12:12:00.000Z";
const id = { job: "j", attempt: 1 };
const run = { status: 0, signal: null, cause: "itself", unixSeconds: null } as const;
const usage = { elapsedSeconds: 720, cpuSeconds: 240, memoryPeakMiB: null };

/** A job that ran for 4 minutes, was suspended for 8, and may run for 5. */
const job: JobDetails = {
  id: "",
  forecast: null,
  doing: null,
  number: 51,
  name: "synth",
  user: "ann",
  state: "ended",
  reason: "",
  waitsFor: null,
  pool: "north",
  machines: [],
  beginAt: null,
  deadlineAt: null,
  submittedAt: startedAt,
  startedAt,
  suspendedSeconds: 480,
  suspendedAt: null,
  endedAt,
  exitStatus: 0,
  exitSignal: null,
  attempt: 1,
  cores: 1,
  memoryMiB: 0,
  gpus: 0,
  timeSeconds: 300,
  priority: 50,
  project: "",
  group: "",
  requires: "",
  licences: "",
  command: ["true"],
  directory: "/",
  signal: null,
  retries: 0,
  retryOn: null,
  retryDelaySeconds: 0,
  notify: [],
  after: [],
  input: null,
  output: null,
  errorOutput: null,
  array: null,
  rerunOf: null,
  comment: "",
  tags: {},
  attempts: [
    {
      attempt: 1,
      pool: "north",
      machines: ["n1"],
      gpus: [],
      state: "over",
      startedAt,
      suspendedSeconds: 480,
      suspendedAt: null,
      endedAt,
      outcome: { kind: "exited", id, ...run, usage },
    },
  ],
};
const now = Date.parse(endedAt);

it("tells how long a job ran as its limit counts it: without the time that it was suspended", () => {
  const lines = jobText(job, now).split("\n");
  expect(lines.find((line) => line.startsWith("used"))).toMatch(/1\.00 of 1 core, 4\.00 min of 5\.00 min$/);
  expect(lines.find((line) => line.startsWith("suspended"))).toMatch(/for 8\.00 min since then$/);
  expect(jobTable([job], now)).toContain("4.00 min");
});

it("tells what has to be before it may start, and its place in its array", () => {
  const waiting: JobDetails = {
    ...job,
    state: "held",
    startedAt: null,
    endedAt: null,
    attempts: [],
    project: "/physics",
    beginAt: "2027-01-01T00:00:00.000Z",
    deadlineAt: "2027-01-02T00:00:00.000Z",
    after: [
      { job: 7, condition: "ok" },
      { job: 9, condition: "any" },
    ],
    array: { first: 50, index: 3 },
  };
  const text = jobText(waiting, now);
  expect(text).toMatch(/^array +50, index 3$/m);
  expect(text).toMatch(/^after +7, 9:any$/m);
  expect(text).toMatch(/^not before +202\d-/m);
  expect(text).toMatch(/^over by +2027-01-0/m);
  expect(text).toContain("project /physics");
  expect(jobText({ ...waiting, startedAt }, now)).not.toContain("not before");
});

it("tells it of one that stands still too, and nothing of it where there was none", () => {
  const attempts: JobDetails["attempts"] = [];
  const suspendedAt = "2026-03-02T12:03:00.000Z";
  const open = { ...job, attempts, state: "suspended" as const, endedAt: null, suspendedAt };
  const standing: JobDetails = { ...open, suspendedSeconds: 60 };
  expect(jobTable([standing], now)).toContain("2.00 min");
  expect(jobText(standing, now)).toMatch(/suspended +for 10\.0 min/);
  expect(jobText({ ...job, attempts, suspendedSeconds: 0 }, now)).not.toContain("suspended");
});

it("tells what is done about it beside its command, and since when", () => {
  const text = "it has ended, and its epilog /e runs";
  const lines = jobText({ ...job, doing: { text, since: startedAt } }, Date.parse(endedAt)).split("\n");
  expect(lines.find((line) => line.includes(text))).toMatch(/^at present +it has ended.* for 12\.0 min\)$/);
});
