import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../../input/text.fixture.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions } from "../format.ts";
import { jobsOf, notesOf, readLinesAs, without } from "../jobs.fixture.ts";
import type { Job } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { pbs } from "./pbs.ts";

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

/** A record `E` of PBS Pro, an hour on a node, but for what is told. */
function ended(fields: Readonly<Record<string, string | number | undefined>> = {}, id = "100.pbs"): string {
  return record("E", id, {
    user: "ann",
    group: "phys",
    account: '"physics"',
    project: "_pbs_project_default",
    jobname: "run",
    queue: "workq",
    ctime: EIGHT,
    qtime: EIGHT,
    etime: EIGHT,
    start: EIGHT + 600,
    exec_host: "n1/0*8",
    exec_vnode: "(n1:ncpus=8:mem=16777216kb)",
    "Resource_List.mem": "16gb",
    "Resource_List.ncpus": 8,
    "Resource_List.nodect": 1,
    "Resource_List.place": "pack",
    "Resource_List.select": "1:ncpus=8:mem=16gb",
    "Resource_List.walltime": "02:00:00",
    session: 17,
    end: EIGHT + 4200,
    Exit_status: 0,
    "resources_used.walltime": "00:59:50",
    run_count: 1,
    ...fields,
  });
}

function record(
  type: string,
  id: string,
  fields: Readonly<Record<string, string | number | undefined>>,
): string {
  const message = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  return `03/01/2026 09:10:00;${type};${id};${message.join(" ")}`;
}

const usual: Job = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  coresMilli: 8000,
  memoryMiB: 16_384,
  estimateSeconds: 7200,
  jobNumber: 100,
  user: "ann",
  group: "phys",
  project: "physics",
  queue: "workq",
  state: "exit 0",
  nodes: "n1",
};

function read(lines: readonly string[], options?: ReadOptions): Promise<Workload> {
  return readLinesAs(pbs, lines, options);
}

const noSelect = { "Resource_List.select": undefined, "Resource_List.ncpus": undefined };

describe("PBS's accounting", () => {
  it("gives a job for each record of an end", async () => {
    const workload = await readWorkload(textSource("20260301", ended(), ""));
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes).toEqual([]);
  });

  it.each([
    [
      "chunks",
      { "Resource_List.select": "2:ncpus=8:mem=16gb:ngpus=1", exec_host: "n1/0*8+n2/0*8" },
      { tasks: 2, gpuMilli: 1000, nodes: "n1,n2" },
    ],
    [
      "chunks on one node",
      {
        "Resource_List.select": "4:ncpus=2",
        "Resource_List.mem": "8gb",
        exec_host: "n1/0*2+n1/1*2+n1/2*2+n1/3*2",
      },
      { tasks: 4, coresMilli: 2000, memoryMiB: 2048 },
    ],
    [
      "chunks that differ",
      { "Resource_List.select": "1:ncpus=8:mem=8gb+2:ncpus=4:mem=4gb", exec_host: "n1/0*8+n2/0*4+n3/0*4" },
      { tasks: 4, coresMilli: 4000, memoryMiB: 4096, nodes: "n1*8,n2*4,n3*4" },
    ],
    [
      "Torque's nodes",
      {
        ...noSelect,
        "Resource_List.nodes": "2:ppn=4:avx",
        "Resource_List.mem": "1993mb",
        exec_host: "n1/0+n1/1+n1/2+n1/3+n2/0+n2/1+n2/2+n2/3",
      },
      { tasks: 2, coresMilli: 4000, memoryMiB: 997, nodes: "n1,n2" },
    ],
    [
      "Torque's named nodes with memory a process",
      {
        ...noSelect,
        "Resource_List.mem": undefined,
        "Resource_List.pmem": "2gb",
        "Resource_List.nodes": "n1:ppn=4:gpus=1+n2:ppn=4:gpus=1",
        exec_host: "n1/0-3+n2/0-2,7",
      },
      { tasks: 2, coresMilli: 4000, memoryMiB: 8192, gpuMilli: 1000, nodes: "n1,n2" },
    ],
    [
      "Torque's ncpus",
      { ...noSelect, "Resource_List.nodes": "1", "Resource_List.ncpus": 8, exec_host: "n1/0-7" },
      {},
    ],
    [
      "ncpus alone, on several hosts",
      { ...noSelect, "Resource_List.ncpus": 8, exec_host: "n1/0*4+n2/0*4" },
      { tasks: 2, coresMilli: 4000, memoryMiB: 8192, nodes: "n1,n2" },
    ],
    [
      "ncpus alone, on hosts with parts that differ",
      { ...noSelect, "Resource_List.ncpus": 8, exec_host: "n1/0*6+n2/0*2" },
      { tasks: 8, coresMilli: 1000, memoryMiB: 2048, nodes: "n1*6,n2*2" },
    ],
    [
      "Torque's procs",
      { ...noSelect, "Resource_List.procs": 8, exec_host: "n1/0-7" },
      { tasks: 8, coresMilli: 1000, memoryMiB: 2048 },
    ],
    [
      "hosts alone",
      { ...noSelect, exec_host: "n1/0-3+n2/0-3" },
      { tasks: 2, coresMilli: 4000, memoryMiB: 8192, nodes: "n1,n2" },
    ],
    [
      "hosts alone with cores that differ",
      { ...noSelect, exec_host: "n1/0-5+n2/0-1" },
      { tasks: 8, coresMilli: 1000, memoryMiB: 2048, nodes: "n1*6,n2*2" },
    ],
    ["GPUs of the job", { "Resource_List.ngpus": 2 }, { gpuMilli: 2000 }],
    [
      "memory in bytes",
      { "Resource_List.select": "1:ncpus=8", "Resource_List.mem": 1048576 },
      { memoryMiB: 1 },
    ],
    ["another way of the end", { Exit_status: 271 }, { state: "exit 271" }],
    ["a limit in seconds", { "Resource_List.walltime": 90 }, { estimateSeconds: 90 }],
    ["a limit of days", { "Resource_List.walltime": "2:03:04:05" }, { estimateSeconds: 183_845 }],
    ["a project", { account: undefined, project: "climate" }, { project: "climate" }],
    ["an account with a blank", { account: '"low temperature"' }, { project: "low temperature" }],
    [
      "the time in the queue",
      { ctime: undefined, qtime: EIGHT + 60 },
      { submitSeconds: EIGHT + 60, recordedWaitSeconds: 540 },
    ],
  ] as const)("reads %s", async (_what, fields, expected) => {
    expect(jobsOf(await read([ended(fields)]))).toEqual([{ ...usual, ...expected }]);
  });

  it.each([
    ["a limit", { "Resource_List.walltime": undefined }, "estimateSeconds"],
    ["a limit that is one", { "Resource_List.walltime": "x:03:04:05" }, "estimateSeconds"],
    ["memory", { "Resource_List.select": "1:ncpus=8", "Resource_List.mem": undefined }, "memoryMiB"],
    ["a project", { account: undefined }, "project"],
    ["where it ran", { exec_host: undefined }, "nodes"],
  ] as const)("does not make up %s", async (_what, fields, column) => {
    expect(jobsOf(await read([ended(fields)]))).toEqual([without(usual, column)]);
  });

  it.each([
    ["blanks before them", "  "],
    ["the file's name before them, as grep writes it", "accounting/20260301:"],
  ])("may have %s", async (_what, prefix) => {
    const workload = await readWorkload(textSource("a.txt", prefix + ended(), ""));
    expect(jobsOf(workload)).toEqual([usual]);
  });

  it("does not take a start of 0 for a start in 1970", async () => {
    const workload = await readLinesAs(pbs, [ended(), ended({ start: 0 }, "101.pbs")]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toContain("dropped: it never started: 1");
  });

  it("has arrays", async () => {
    const workload = await read([
      ended({}, "100[3].pbs"),
      ended({ exec_host: undefined }, "100[].pbs"),
      ended({}, "99-7.old"),
    ]);
    expect(jobsOf(workload).map(({ jobNumber, arrayIndex }) => [jobNumber, arrayIndex])).toEqual([
      [100, 3],
      [99, 7],
    ]);
    expect(notesOf(workload)).toEqual(["left out: records of arrays as a whole: 1"]);
  });

  it("uses jobs' other records only to know whether they ran", async () => {
    const workload = await read([
      record("Q", "100.pbs", { queue: "workq" }),
      record("S", "100.pbs", { user: "ann", start: EIGHT + 600 }),
      record("Q", "101.pbs", { queue: "workq" }),
      record("Q", "102.pbs", { queue: "workq" }),
      record("S", "102.pbs", { user: "ann" }),
      record("D", "103.pbs", { requestor: "ann@login" }),
      record("D", "100.pbs", { requestor: "ann@login" }),
      record("L", "license", { "floating license hour": "3" }),
      ended({ Exit_status: 271 }),
    ]);
    expect(jobsOf(workload)).toEqual([{ ...usual, state: "exit 271" }]);
    expect(workload.notes).toEqual([
      { what: "left out: records that are not of a job's way through the queue", count: 1, firstLine: 8 },
      { what: "dropped: it never started", count: 2, firstLine: 3 },
      { what: "dropped: it had not ended when the log was made", count: 1, firstLine: 5 },
    ]);
  });

  it("counts a run that ended in the queue again, and lets the next wait from there", async () => {
    const again = ended({ end: EIGHT + 1200, Exit_status: -11 }).replace(";E;", ";R;");
    const workload = await read([again, ended({ start: EIGHT + 1500 })]);
    expect(jobsOf(workload)).toEqual([
      { ...usual, runtimeSeconds: 600, state: "exit -11" },
      { ...usual, submitSeconds: EIGHT + 1200, recordedWaitSeconds: 300, runtimeSeconds: 2700 },
    ]);
    expect(notesOf(workload)).toEqual([
      "kept: a number that another job has, as after a requeue, such as 100: 1",
    ]);
  });

  it("uses the record's date for a run that ended in the queue again if it has no time of its own", async () => {
    const told = record("R", "100.pbs", {});
    const line = ended({ end: undefined }).replace(";E;", ";R;");
    const workload = await read([line, ended({ start: EIGHT + 5000, end: EIGHT + 5100 })], {
      timeZone: "+01:00",
    });
    expect(jobsOf(workload).map((job) => [job["submitSeconds"], job["runtimeSeconds"]])).toEqual([
      [EIGHT, 0],
      [EIGHT + 600, 100],
    ]);
    const bare = await read([told, ended({ start: EIGHT + 5000, end: EIGHT + 5100 })]);
    expect(jobsOf(bare)).toMatchObject([{ submitSeconds: EIGHT + 4200, recordedWaitSeconds: 800 }]);
    expect(notesOf(bare)[0]).toMatch(
      /^dropped: a run that ended in the queue again, of which only that is told: 1/,
    );
  });

  it("notes that a job was held, and that a zone has no effect", async () => {
    const workload = await read([ended({ etime: EIGHT + 300 })], { timeZone: "Europe/Berlin" });
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual([
      "kept: it waits from its submission, although a dependency, a hold or a start time kept it out at first: 1",
      "no effect: the time zone, as no time in the log needs one: 1",
    ]);
  });

  it("has every job in one task, or in tasks of one core, if that is asked for", async () => {
    const chunks = ended({ "Resource_List.select": "2:ncpus=8:mem=16gb", exec_host: "n1/0*8+n2/0*8" });
    const [one] = jobsOf(await read([chunks], { jobShape: "machine" }));
    expect([one["tasks"], one["coresMilli"], one["memoryMiB"]]).toEqual([undefined, 16_000, 32_768]);
    const [many] = jobsOf(await read([chunks], { jobShape: "tasks" }));
    expect([many["tasks"], many["coresMilli"], many["memoryMiB"]]).toEqual([16, 1000, 2048]);
  });
});

describe("odd lines of PBS", () => {
  const odd = [
    ended().slice(0, 100),
    ended({ end: EIGHT }),
    ended({ end: undefined }),
    ended({ start: "soon" }),
    ended({ ctime: undefined, qtime: undefined }),
    ended({ ...noSelect, exec_host: undefined }),
    ended({ "Resource_List.select": "1:ncpus=99999999" }),
    ended({}, "x.pbs"),
    `${ended().slice(0, 150)}${ended()}`,
    "2026-03-01 09:10:00;E;100.pbs;user=ann",
    "\0\0",
  ];

  it("are kept without a limit and memory that cannot be read, which are counted", async () => {
    const unread = { "Resource_List.walltime": "soon", "Resource_List.mem": "4,5gb" };
    const workload = await read([ended({ ...unread, "Resource_List.select": "1:ncpus=8" })]);
    expect(jobsOf(workload)).toEqual([without(without(usual, "estimateSeconds"), "memoryMiB")]);
    expect(notesOf(workload)).toEqual([
      "counted as unknown: a limit that cannot be read: 1",
      "counted as unknown: memory that cannot be read: 1",
    ]);
  });

  it("are kept without what chunks tell in a way that cannot be read, which is counted with an example", async () => {
    const chunks = {
      "Resource_List.select": "1:ncpus=8:mem=4,5gb:ngpus=two",
      "Resource_List.mem": undefined,
    };
    const workload = await read([ended(), ended(chunks, "101.pbs"), ended(chunks, "102.pbs")]);
    expect(jobsOf(workload).slice(1)).toEqual(
      [101, 102].map((jobNumber) => ({ ...usual, memoryMiB: 0, jobNumber })),
    );
    const more = { count: 2, firstLine: 2 };
    expect(workload.notes).toEqual([
      { what: "counted as none: GPUs that cannot be read", ...more, example: "ngpus=two" },
      { what: "counted as unknown: memory that cannot be read", ...more, example: "mem=4,5gb" },
      { what: "filled in: 0 MiB where the log does not say the memory", ...more },
    ]);
  });

  it("do not make 0 a time of submission", async () => {
    const workload = await read([ended({ ctime: 0 }), ended({ ctime: 0, qtime: 0 }, "101.pbs")]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual(["dropped: no time of submission: 1"]);
  });

  it("are dropped and counted, apart from those that never ran", async () => {
    const workload = await read([...odd, ended()]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes.map(({ what, firstLine }) => [firstLine, what])).toEqual([
      [1, "dropped: a record of an end that lacks the start or the end"],
      [2, "dropped: it ended before it started"],
      [5, "dropped: no time of submission"],
      [6, "dropped: no CPUs"],
      [7, "dropped: the cores are out of range"],
      [8, "dropped: no job number"],
      [9, "dropped: two records in one line"],
      [10, "dropped: a line that is no record: date;type;id;message"],
      [11, "dropped: a line with NUL bytes"],
    ]);
  });

  it("are refused when asked to", async () => {
    const error = await inputErrorOf(() => read([ended(), odd[1]], { strict: true }));
    expect(error.message).toBe("log:2: it ended before it started");
  });
});
