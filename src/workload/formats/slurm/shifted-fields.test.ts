import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jobsOf, notesOf, readLinesAs } from "../jobs.fixture.ts";
import { slurm } from "./sacct.ts";

/** A job that ran for an hour, with a name that says which. */
const usual: Readonly<Record<string, string>> = {
  JobID: "100",
  JobName: "run",
  User: "ann",
  Account: "physics",
  Partition: "batch",
  QOS: "normal",
  Comment: "none",
  WCKey: "",
  Submit: "2026-03-01T08:00:00",
  Start: "2026-03-01T08:10:00",
  End: "2026-03-01T09:10:00",
  Elapsed: "01:00:00",
  State: "COMPLETED",
  ExitCode: "0:0",
  NCPUS: "8",
  AllocTRES: "cpu=8,mem=16G,node=1",
  Timelimit: "02:00:00",
  NodeList: "n1",
};

type Values = Readonly<Record<string, string>>;

function line(columns: string, fields: Values): string {
  return columns
    .split(" ")
    .map((name) => fields[name] ?? usual[name] ?? "")
    .join("|");
}

/** What is read of a plain job 100 and another, 101, and what is noted. */
async function second(columns: string, fields: Values, isFirst = false) {
  const plain = isFirst ? [] : [line(columns, {})];
  const odd = line(columns, { JobID: "101", ...fields });
  const last = line(columns, { JobID: "102" });
  const workload = await readLinesAs(slurm, [columns.replaceAll(" ", "|"), ...plain, odd, last]);
  const job = jobsOf(workload).find(({ jobNumber }) => jobNumber === 101);
  const notes = notesOf(workload).filter((note) => !/^(recognised|read: times)/.test(note));
  return { job, notes, count: workload.count };
}

const TIMES = "Submit Start End Elapsed State ExitCode NCPUS AllocTRES Timelimit NodeList";
const read = { user: "ann", project: "physics", queue: "batch", coresMilli: 8000, runtimeSeconds: 3600 };
const NAMES = "read: names with the delimiter in them: 1";
const JOB_NAMES = "read: job names with the delimiter in them: 1";

describe("a line of sacct with bars in names is read", () => {
  it.each([
    ["in the job's name, first", `JobName JobID User Account Partition ${TIMES}`, { JobName: "a|b" }],
    [
      "in the job's name, first, with a number",
      `JobName JobID User Account Partition ${TIMES}`,
      { JobName: "a|7" },
    ],
    [
      "in the job's name, first, like a step",
      `JobName JobID User Account Partition ${TIMES}`,
      { JobName: "a|12.5" },
    ],
    [
      "in the job's name, in the middle",
      `JobID User JobName Account Partition ${TIMES}`,
      { JobName: "a|b||c" },
    ],
    ["in the job's name, last", `JobID User Account Partition ${TIMES} JobName`, { JobName: "a|b|" }],
    ["at its ends", `JobID User JobName Account Partition ${TIMES}`, { JobName: "||a|" }],
    [
      "and no node",
      `JobID JobName User Account Partition Submit Start End Elapsed State NCPUS NodeList`,
      { JobName: "a|b" },
    ],
    [
      "between states",
      `JobID User Account Partition State JobName ${TIMES.replace("State ", "")}`,
      { JobName: "COMPLETED|b" },
    ],
  ] as const)("%s", async (_what, columns, fields) => {
    const { job, notes } = await second(columns, fields);
    expect(job).toMatchObject(read);
    expect(notes).toEqual([JOB_NAMES]);
  });

  it.each([
    [
      "comment, beside the job's name",
      `JobID JobName Comment User Account Partition ${TIMES}`,
      { Comment: "x|y" },
      {},
    ],
    [
      "comment and job's name, apart",
      `JobName JobID Account Partition User ${TIMES} Comment`,
      { Comment: "x|y", JobName: "a|b" },
      {},
    ],
    [
      "account, alone between what has a form",
      `JobID Account State Partition ExitCode User NCPUS ${TIMES}`,
      { Account: "a|b" },
      { project: "a|b" },
    ],
    [
      "partition, last",
      `JobID User Account ${TIMES} Partition`,
      { Partition: "x|y|z", Account: "physics" },
      { queue: "x|y|z" },
    ],
    ["QOS, by the names of lines above", `JobID Account QOS Partition User ${TIMES}`, { QOS: "x|y" }, {}],
  ] as const)("in the %s", async (_what, columns, fields, expected) => {
    const { job, notes } = await second(columns, fields);
    expect(job).toMatchObject({ ...read, ...expected });
    expect(notes).toEqual([NAMES]);
  });

  it("as the first of a log", async () => {
    const columns = `JobID JobName User Account Partition ${TIMES}`;
    const { job, notes } = await second(columns, { JobName: "a|b" }, true);
    expect(job).toMatchObject(read);
    expect(notes).toEqual([JOB_NAMES]);
  });

  it("where lines end with a bar", async () => {
    const columns = `JobID JobName User Account Partition Submit Start End Elapsed State NCPUS NodeList `;
    const { job, notes } = await second(columns, { JobName: "a|b" });
    expect(job).toMatchObject(read);
    expect(notes).toEqual([JOB_NAMES]);
  });
});

describe("a line of sacct with bars in names is refused, with the reason,", () => {
  it.each([
    ["account beside the job's name", `JobID Account JobName User ${TIMES} Partition`, { Account: "a|b" }],
    ["account beside the partition", `JobID Account Partition User ${TIMES}`, { Account: "a|b" }],
    ["account and partition", `JobID Account Partition User ${TIMES}`, { Account: "a|b", Partition: "c|d" }],
    ["account before the number", `Account JobName JobID User Partition ${TIMES}`, { Account: "a|b" }],
    [
      "comment, where the account is between texts",
      `JobID JobName Account Comment User Partition ${TIMES}`,
      { Account: "a|b" },
    ],
    [
      "state's neighbours, that look like it",
      `JobID JobName State Comment User Account Partition ${TIMES.replace("State ", "")}`,
      { JobName: "a|FAILED", Comment: "TIMEOUT|x" },
    ],
  ] as const)("if it is not plain where they belong: %s", async (_what, columns, fields) => {
    const { job, notes, count } = await second(columns, fields);
    expect(job).toBeUndefined();
    expect(count).toBe(2);
    expect(notes).toEqual(["dropped: a '|' in a name shifts the columns: 1"]);
  });

  it("in full where rows are not dropped", async () => {
    const columns = `JobID Account Partition User ${TIMES}`;
    const text = [columns.replaceAll(" ", "|"), line(columns, {}), line(columns, { Account: "a|b" })];
    await expect(readLinesAs(slurm, text, { strict: true })).rejects.toThrow(
      "log:3: a '|' in a name shifts the columns: the line has 15 fields where there are 14 columns, and it is not plain which of them belong together",
    );
  });
});

it("a name with bars never gives a job what another column has", async () => {
  const name = fc.string({
    unit: fc.constantFrom("|", "a", "7", ".", "phys", "COMPLETED", "101"),
    maxLength: 6,
  });
  const columns = fc.shuffledSubarray(["JobName", "Account", "Partition", "QOS", "Comment", "User"], {
    minLength: 2,
  });
  await fc.assert(
    fc.asyncProperty(columns, fc.nat(6), name, name, async (names, place, jobName, comment) => {
      const order = [...names.slice(0, place), "JobID", ...names.slice(place), ...TIMES.split(" ")].join(" ");
      const { job, count } = await second(order, { JobName: jobName, Comment: comment });
      const expected = Object.fromEntries(
        Object.entries(read).filter(([key]) => {
          const column = { user: "User", project: "Account", queue: "Partition" }[key];
          return column === undefined || names.includes(column);
        }),
      );
      if (job === undefined) expect(count).toBe(2);
      else expect(job).toMatchObject(expected);
    }),
    { numRuns: 300 },
  );
});
