import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import type { ReadOptions } from "./format.ts";
import { gwf } from "./gwf.ts";
import { jobsOf, notesOf, readLinesAs, without } from "./jobs.fixture.ts";
import type { Job } from "./jobs.fixture.ts";
import { readWorkload } from "./registry.ts";

/** The columns by name; all else is -1, which stands for unknown. */
const COLUMNS = [
  "JobID SubmitTime WaitTime RunTime NProcs AverageCPUTimeUsed UsedMemory ReqNProcs ReqTime ReqMemory Status",
  "UserID GroupID ExecutableID QueueID PartitionID OrigSiteID LastRunSiteID JobStructure JobStructureParams",
  "UsedNetwork UsedLocalDiskSpace UsedResources ReqPlatform ReqNetwork ReqLocalDiskSpace ReqResources",
  "VOID ProjectID",
]
  .join(" ")
  .split(" ");

type Fields = Partial<Record<string, string | number>>;

/** A job of 4 processors and a minute, but for what is told. */
function line(fields: Fields = {}, between = "\t"): string {
  const usual: Fields = {
    JobID: 7,
    SubmitTime: 1_136_070_024,
    WaitTime: 5,
    RunTime: 60,
    NProcs: 4,
    Status: 1,
    UserID: "U12",
    QueueID: "Q0",
    JobStructure: "UNITARY",
  };
  return COLUMNS.map((name) => fields[name] ?? usual[name] ?? -1).join(between);
}

const usualJob: Job = {
  submitSeconds: 1_136_070_024,
  recordedWaitSeconds: 5,
  runtimeSeconds: 60,
  tasks: 4,
  coresMilli: 1000,
  jobNumber: 7,
  user: "U12",
  project: "U12",
  queue: "Q0",
  state: "completed",
};

async function read(lines: readonly string[], options?: ReadOptions) {
  const workload = await readLinesAs(gwf, lines, options);
  return { workload, jobs: jobsOf(workload), notes: notesOf(workload) };
}

describe("a log of the Grid Workloads Archive", () => {
  it("gives a job for each row", async () => {
    const { workload, jobs, notes } = await read(["#", "# Processors: 400", "", line()]);
    expect(jobs).toEqual([usualJob]);
    expect(notes).toEqual([]);
    expect(workload.farm).toEqual({ processors: 400, unixStartSeconds: 0 });
  });

  it.each([" ", "   ", " \t ", "\t"])("may have %j between its columns", async (between) => {
    expect((await read([`  ${line({}, between)}${between}`])).jobs).toEqual([usualJob]);
  });

  it("may have empty fields and names with blanks between tabs", async () => {
    const { jobs } = await read([line({ UserID: "Ann B", GroupID: "", QueueID: "" })]);
    expect(jobs).toEqual([without({ ...usualJob, user: "Ann B", project: "Ann B" }, "queue")]);
  });

  it.each([
    ["relative times", { SubmitTime: 10 }, { submitSeconds: 10 }],
    ["times in milliseconds", { SubmitTime: 1_136_070_024_000 }, {}],
    ["what it asked for where nothing is allocated", { NProcs: -1, ReqNProcs: 8 }, { tasks: 8 }],
    ["a limit", { ReqTime: 900 }, { estimateSeconds: 900 }],
    ["memory of each processor that was used, in kilobytes", { UsedMemory: 2048.5 }, { memoryMiB: 3 }],
    ["memory that was asked for", { UsedMemory: 2048, ReqMemory: 4096 }, { memoryMiB: 4 }],
    ["a failure", { Status: 0 }, { state: "failed" }],
    ["a job that was cancelled as it ran", { Status: 5 }, { state: "cancelled" }],
    ["a run of no time", { RunTime: 0 }, { runtimeSeconds: 0 }],
    ["a project", { GroupID: "G1", VOID: "VO1", ProjectID: "P1" }, { project: "P1" }],
    ["an organisation", { GroupID: "G1", VOID: "VO1" }, { project: "VO1" }],
    ["a group", { GroupID: "G1" }, { project: "G1" }],
    ["numbers for names", { UserID: 3, GroupID: 2, QueueID: 1 }, { user: "3", project: "2", queue: "1" }],
  ] as const)("reads %s", async (_what, fields, expected) => {
    const { jobs, notes } = await read([line(fields)]);
    expect(jobs).toEqual([{ ...usualJob, ...expected }]);
    expect(notes).toEqual([]);
  });

  it("does not make up what is unknown", async () => {
    const { jobs } = await read([line({ WaitTime: -1, Status: -1, UserID: -1, QueueID: -1 })]);
    const { submitSeconds, runtimeSeconds, tasks, coresMilli, jobNumber } = usualJob;
    expect(jobs).toEqual([{ submitSeconds, runtimeSeconds, tasks, coresMilli, jobNumber }]);
  });

  it("may end its lines after the status, or have a column more", async () => {
    const { jobs } = await read([line({}, " ").split(" ").slice(0, 11).join(" ")]);
    expect(jobs).toEqual([without(without(without(usualJob, "user"), "project"), "queue")]);
    const more = line({ VOID: "VO1", LastRunSiteID: "fs0\t-1" });
    expect((await read([more])).jobs).toEqual([{ ...usualJob, project: "VO1" }]);
  });

  it("has jobs on one machine if that is given, and memory of the whole job", async () => {
    const fields = { ReqMemory: 4096 };
    expect((await read([line(fields)], { jobShape: "machine" })).jobs).toEqual([
      { ...without(usualJob, "tasks"), coresMilli: 4000, memoryMiB: 16 },
    ]);
    expect((await read([line(fields)], { memoryScope: "per-job" })).jobs[0]).toMatchObject({ memoryMiB: 1 });
    expect((await read([line({ ReqMemory: 3 })], { memoryUnit: "GiB" })).jobs[0]).toMatchObject({
      memoryMiB: 3072,
    });
  });

  it("tells what is ignored", async () => {
    const { notes } = await read([
      line({ JobID: 1 }),
      line({ JobID: 2, ExecutableID: "X1", OrigSiteID: "fs0", ReqPlatform: "x86,Linux,-1" }),
      line({ JobID: 3, ExecutableID: "X2", JobStructure: "BoT", JobStructureParams: "b1" }),
    ]);
    expect(notes).toEqual([
      "kept: a part of a bag of tasks or a workflow, as a job that waits for no other: 1",
      'ignored: the column "ExecutableID": 2',
      'ignored: the column "OrigSiteID": 1',
      'ignored: the column "JobStructureParams": 1',
      'ignored: the column "ReqPlatform": 1',
    ]);
  });

  it("counts rows that are no jobs, by reason", async () => {
    const { jobs, notes } = await read([
      line(),
      line({ WaitTime: -1, RunTime: -1 }),
      line({ RunTime: 0, Status: 5 }),
      line({ RunTime: -1 }),
      line({ NProcs: 0 }),
      line({ SubmitTime: "soon" }),
      line({ RunTime: "long" }),
      "1 2 3",
      "JobID,SubmitTime",
      "\0",
    ]);
    expect(jobs).toEqual([usualJob]);
    expect(notes).toEqual([
      "dropped: it never started: 2",
      "dropped: no run time: 1",
      "dropped: no processors: 1",
      "dropped: the submit time is not a number: 1",
      "dropped: the run time is not a number: 1",
      "dropped: fewer than the 11 columns up to the status: 2",
      "dropped: a line with NUL bytes: 1",
    ]);
  });

  it("counts repairs", async () => {
    const { jobs, notes } = await read([
      line({ JobID: "job-7", WaitTime: -60, NProcs: 3.5 }),
      line({ JobID: 8, SubmitTime: 1_136_070_000 }),
    ]);
    expect(
      jobs.map(({ jobNumber, tasks, recordedWaitSeconds }) => [jobNumber, tasks, recordedWaitSeconds]),
    ).toEqual([
      [8, 4, 5],
      [1, 4, undefined],
    ]);
    expect(notes).toEqual([
      "raised: part of a processor counts as a whole one: 1",
      "numbered by its place: a job whose id is no whole number: 1",
      "kept: it started before it was submitted: its wait is unknown: 1",
      "sorted: submitted before the line above it: 1",
    ]);
  });

  it("counts the parts of a job once, with its own line", async () => {
    const { jobs, notes } = await read([
      line({ RunTime: 90 }),
      line({ Status: 2, RunTime: 30 }),
      line({ Status: 3 }),
      line({ JobID: 8, Status: 4 }),
    ]);
    expect(jobs.map(({ jobNumber, runtimeSeconds }) => [jobNumber, runtimeSeconds])).toEqual([
      [7, 90],
      [8, 60],
    ]);
    expect(notes).toEqual([
      "left out: parts of a job, which the line of the whole job has in it: 2",
      "kept: a part of a job that has no line of its own, as a job: 1",
    ]);
  });

  it("that is something else says so", async () => {
    const source = textSource("a.gwf", "WorkflowID, JobID, SubmitTime", "0, 1, 5", "");
    expect((await inputErrorOf(() => readWorkload(source, { format: "gwf" }))).message).toBe(
      "a.gwf: there is no job in it; dropped: fewer than the 11 columns up to the status (2)",
    );
    const strict = await inputErrorOf(() => read([line(), line({ SubmitTime: "soon" })], { strict: true }));
    expect(strict.message).toBe('log:2: the submit time is not a number: "soon"');
  });
});
