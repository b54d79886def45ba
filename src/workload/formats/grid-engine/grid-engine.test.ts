import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../../input/text.fixture.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions } from "../format.ts";
import { jobsOf, notesOf, readLinesAs, without } from "../jobs.fixture.ts";
import type { Job } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { gridEngine } from "./grid-engine.ts";
import { qacct } from "./qacct.ts";

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

/** A line of SGE 6.2, an hour of four slots, but for what is told. */
function line(fields: Readonly<Record<string, string | number>> = {}): string {
  const all: Record<string, string | number> = {
    qname: "all.q",
    hostname: "n1",
    group: "phys",
    owner: "ann",
    name: "run",
    number: 100,
    account: "sge",
    priority: 0,
    submitted: EIGHT,
    started: EIGHT + 600,
    ended: EIGHT + 4200,
    failed: 0,
    exit: 0,
    rusage: `3600:${"0:".repeat(16)}0`,
    project: "NONE",
    department: "defaultdepartment",
    pe: "smp",
    slots: 4,
    task: 0,
    used: "1.5:0.1:0.0",
    category: "-U staff -l h_rt=7200,h_vmem=4G -pe smp 4",
    iow: "0.000000",
    peTask: "NONE",
    maxvmem: "1024.000000",
    ar: "0:0",
    ...fields,
  };
  return Object.values(all).join(":");
}

const usual: Job = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  coresMilli: 4000,
  memoryMiB: 16_384,
  estimateSeconds: 7200,
  jobNumber: 100,
  user: "ann",
  group: "phys",
  queue: "all.q",
  state: "exit 0",
  nodes: "n1",
};

const onOneMachine =
  "kept on one machine: slots of a parallel environment whose name says so, such as smp: 1";
const asTasks =
  "kept as one-core tasks: slots of a parallel environment whose name does not say that they are on one machine: 1";

function read(lines: readonly string[], options?: ReadOptions): Promise<Workload> {
  return readLinesAs(gridEngine, lines, options);
}

describe("Grid Engine's accounting", () => {
  it("gives a job for each line", async () => {
    const workload = await readWorkload(textSource("accounting", "# Version: 6.2u5", "#", line(), ""));
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual([onOneMachine]);
  });

  it("has times in milliseconds, and more fields, in Univa's version", async () => {
    const times = {
      submitted: EIGHT * 1000,
      started: EIGHT * 1000 + 600_500,
      ended: EIGHT * 1000 + 4_200_500,
    };
    const workload = await readWorkload(
      textSource("a", `${line(times)}:NONE:0.0:0.0:login1:/home/ann:qsub run.sh:3600.5`, ""),
    );
    expect(jobsOf(workload)).toEqual([{ ...usual, recordedWaitSeconds: 600.5 }]);
  });

  it.each([
    [
      "a serial job",
      { pe: "NONE", slots: 1, category: "-l h_rt=00:10:00,h_vmem=512M" },
      { coresMilli: 1000, memoryMiB: 512, estimateSeconds: 600 },
    ],
    ["a job of an array", { task: 7 }, { arrayIndex: 7 }],
    ["a project", { project: "climate" }, { project: "climate" }],
    ["an account", { account: "low.temp" }, { project: "low.temp" }],
    ["a failure", { failed: 100, exit: 137 }, { state: "failed 100" }],
    ["an exit status", { exit: 2 }, { state: "exit 2" }],
    ["a limit with colons", { category: "-l h_vmem=4G,h_rt=24:00:00" }, { estimateSeconds: 86_400 }],
    ["small letters, which are decimal", { category: "-l h_rt=7200,h_vmem=4g" }, { memoryMiB: 15_259 }],
    ["memory in bytes", { category: "-l h_rt=7200,mem_free=1073741824" }, { memoryMiB: 4096 }],
    [
      "the memory that is first consumed",
      { category: "-l h_rt=7200,h_vmem=4G,m_mem_free=1G" },
      { memoryMiB: 4096 },
    ],
    ["GPUs", { category: "-l h_rt=7200,h_vmem=4G,gpu=2" }, { gpuMilli: 2000 }],
  ] as const)("reads %s", async (_what, fields, expected) => {
    expect(jobsOf(await read([line(fields)]))).toEqual([{ ...usual, ...expected }]);
  });

  it.each([
    ["a limit", { category: "-l h_vmem=4G,h_rt=INFINITY" }, "estimateSeconds"],
    ["memory", { category: "-l h_rt=7200,h_vmem=lots" }, "memoryMiB"],
  ] as const)("does not make up %s", async (_what, fields, column) => {
    expect(jobsOf(await read([line(fields)]))).toEqual([without(usual, column)]);
  });

  it("makes tasks of slots that may span machines, and knows where they ran only from its tasks", async () => {
    const wide = { pe: "mpi", slots: 8, category: "-l h_rt=7200,h_vmem=2G -pe mpi 8" };
    const expected = { ...usual, tasks: 8, coresMilli: 1000, memoryMiB: 2048 };
    const workload = await read([line(wide)]);
    expect(jobsOf(workload)).toEqual([without(expected, "nodes")]);
    expect(notesOf(workload)).toEqual([asTasks]);

    const task = (host: string, id: string) => line({ ...wide, hostname: host, submitted: 0, peTask: id });
    const told = await read([task("n2", "1.n2"), task("n2", "2.n2"), task("n3", "1.n3"), line(wide)]);
    expect(jobsOf(told)).toEqual([{ ...expected, nodes: "n2,n3,n1" }]);
    expect(notesOf(told)).toEqual([
      "left out: tasks of parallel jobs, which are in their jobs' own records: 3",
      asTasks,
    ]);
  });

  it("has every job on one machine, and memory of the whole job, if that is given", async () => {
    const workload = await read([line({ pe: "mpi" })], { jobShape: "machine", memoryScope: "per-job" });
    expect(jobsOf(workload)).toEqual([without({ ...usual, memoryMiB: 4096 }, "nodes")]);
    expect(workload.notes).toEqual([]);
  });

  it("has jobs that never started, which are dropped", async () => {
    const workload = await read([
      line(),
      line({ number: 101, submitted: 0, started: 0, ended: 0, failed: 9, slots: 0 }),
    ]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toContain("dropped: it never started: 1");
  });

  const odd = [
    "cut:short",
    line({ number: "x" }),
    line({ slots: 0 }),
    line({ ended: EIGHT }),
    line({ submitted: 0 }),
    "\0",
  ];

  it("has limits and memory that cannot be read counted as unknown", async () => {
    const workload = await read([
      line({ category: "-l h_rt=soon,h_vmem=4G" }),
      line({ category: "-l h_rt=INFINITY,h_vmem=4,5G" }),
    ]);
    expect(workload.notes.filter(({ what }) => what.startsWith("counted as unknown"))).toMatchObject([
      { what: "counted as unknown: a limit that cannot be read", count: 1, firstLine: 1 },
      { what: "counted as unknown: memory that cannot be read", count: 1, firstLine: 2 },
    ]);
  });

  it("has odd lines dropped and counted", async () => {
    const workload = await read([...odd, line()]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes.filter(({ what }) => what.startsWith("dropped"))).toEqual([
      {
        what: "dropped: not as many fields as Grid Engine writes",
        count: 1,
        firstLine: 1,
        isUnreadable: true,
      },
      { what: "dropped: no job number", count: 1, firstLine: 2, isUnreadable: true },
      { what: "dropped: no slots", count: 1, firstLine: 3, isUnreadable: true },
      { what: "dropped: it ended before it started", count: 1, firstLine: 4, isUnreadable: true },
      { what: "dropped: no time of submission", count: 1, firstLine: 5, isUnreadable: true },
      { what: "dropped: a line with NUL bytes", count: 1, firstLine: 6, isUnreadable: true },
    ]);
    const error = await inputErrorOf(() => read([line(), odd[0]], { strict: true }));
    expect(error.message).toBe("log:2: the line has 2 fields where Grid Engine writes 43 or more");
  });
});

describe("colons in the names of Grid Engine's accounting", () => {
  const moved = "read: names with colons in them, by the numbers and times behind: 1";
  const open = "read: a job's number that could also be a part of a name with colons: 1";

  it.each([
    ["a job's name", { name: "mesh:v2" }, {}],
    ["a job's name, with numbers", { name: "mesh:2:0" }, {}],
    ["an account", { account: "grp:sub" }, { project: "grp:sub" }],
    ["an account that begins as none does", { account: "sge:sub" }, { project: "sge:sub" }],
    ["a name and an account", { name: "a:b:c", account: "x:y" }, { project: "x:y" }],
    ["a project", { project: "phys:low" }, { project: "phys:low" }],
    ["a department", { department: "d:e" }, {}],
    [
      "all of them",
      { name: "a:b", account: "c:d", project: "e:f", category: "-l h_rt=02:00:00,h_vmem=4G" },
      { project: "e:f" },
    ],
  ] as const)("do not move what stands behind: %s", async (_what, fields, expected) => {
    const workload = await readWorkload(textSource("a", line(fields), ""));
    expect(jobsOf(workload)).toEqual([{ ...usual, ...expected }]);
    expect(notesOf(workload)).toContain(moved);
  });

  it("do not move anything, wherever they are, if names have no numbers between them", async () => {
    const name = fc.stringMatching(/^[a-z][a-z:.+-]{0,12}$/).filter((text) => text !== "sge");
    await fc.assert(
      fc.asyncProperty(name, name, fc.option(name, { nil: "NONE" }), async (job, account, project) => {
        const workload = await read([line({ name: job, account, project })]);
        expect(jobsOf(workload)).toEqual([{ ...usual, project: project === "NONE" ? account : project }]);
      }),
    );
  });

  it("do not move the times of Univa's version, nor those of a job that never started", async () => {
    const times = {
      submitted: EIGHT * 1000,
      started: EIGHT * 1000 + 600_000,
      ended: EIGHT * 1000 + 4_200_000,
    };
    const workload = await read([
      `${line({ ...times, name: "a:b" })}:NONE:0.0`,
      line({ name: "a:b", number: 101, submitted: 0, started: 0, ended: 0, failed: 9, slots: 0 }),
    ]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toContain("dropped: it never started: 1");
  });

  it("leave open which number is the job's: it is the one near to that of the line before", async () => {
    const jobs = [
      line({ number: 4711 }),
      line({ number: 4712, account: "3:x" }),
      line({ name: "n:9", number: 4713 }),
    ];
    const workload = await read(jobs);
    expect(jobsOf(workload).map(({ jobNumber, project }) => [jobNumber, project])).toEqual([
      [4711, undefined],
      [4712, "3:x"],
      [4713, undefined],
    ]);
    expect(notesOf(workload)).toContain(open.replace(": 1", ": 2"));
  });

  it("make no task of a parallel job of a line, and a task stays one", async () => {
    const task = line({ name: "a:b", hostname: "n2", peTask: "1.n2" });
    const workload = await read([task, line({ name: "a:b" })]);
    expect(jobsOf(workload)).toEqual([{ ...usual, nodes: "n2,n1" }]);
    expect(notesOf(workload)).toContain(
      "left out: tasks of parallel jobs, which are in their jobs' own records: 1",
    );
  });

  it.each([
    ["a time that is none", { started: "soon" }],
    ["slots that are no number", { slots: "x" }],
    ["a task of a parallel job that is none", { peTask: "7.5" }],
  ])("are named as a possible reason where fields are out of their places: %s", async (_what, fields) => {
    const workload = await read([line(), line(fields)]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toContain(
      "dropped: fields out of their places, as where a line is damaged or colons in a name are next to numbers: 1",
    );
  });

  it("are no matter of a job that has a start and no end, and of GPUs that are no number", async () => {
    const workload = await read([
      line(),
      line({ ended: 0 }),
      line({ category: "-l h_rt=7200,h_vmem=4G,gpu=two" }),
    ]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual([
      onOneMachine.replace(": 1", ": 2"),
      "dropped: no time of its end: 1",
      "counted as none: GPUs that cannot be read: 1",
      "dropped: the log has the same job at the same times already: 1",
    ]);
  });
});

/** A block of qacct -j. */
function block(fields: Readonly<Record<string, string | number>> = {}): string[] {
  const all: Record<string, string | number> = {
    qname: "all.q",
    hostname: "n1",
    group: "phys",
    owner: "ann",
    project: "NONE",
    department: "defaultdepartment",
    jobname: "run",
    jobnumber: 100,
    taskid: "undefined",
    account: "sge",
    priority: 0,
    qsub_time: "Sun Mar  1 08:00:00 2026",
    start_time: "Sun Mar  1 08:10:00 2026",
    end_time: "Sun Mar  1 09:10:00 2026",
    granted_pe: "smp",
    slots: 4,
    failed: "0",
    exit_status: 0,
    ru_wallclock: "3600s",
    maxvmem: "1.573G",
    category: "-U staff -l h_rt=7200,h_vmem=4G -pe smp 4",
    ...fields,
  };
  return ["=".repeat(62), ...Object.entries(all).map(([key, value]) => `${key.padEnd(12)} ${value}   `)];
}

describe("qacct -j", () => {
  it("is recognised with Windows' line ends", async () => {
    const workload = await readWorkload(textSource("qacct.txt", `${block().join("\r\n")}\r\n`));
    expect(jobsOf(workload)).toEqual([usual]);
  });

  it("gives a job for each block, of the same content as the accounting", async () => {
    const workload = await readWorkload(
      textSource("qacct.txt", ...block(), ...block({ jobnumber: 101, taskid: 3 }), ""),
    );
    expect(jobsOf(workload)).toEqual([usual, { ...usual, jobNumber: 101, arrayIndex: 3 }]);
    expect(workload.notes.at(-1)).toEqual({
      what: "read: times that name no zone, as of UTC",
      count: 2,
      firstLine: 2,
    });
  });

  it("has dates as Univa's version writes them, and words after a failure", async () => {
    const fields = {
      qsub_time: "03/01/2026 08:00:00.000",
      start_time: "03/01/2026 08:10:00.500",
      end_time: "03/01/2026 09:10:00.500",
      failed: "15  : in epilog",
    };
    const workload = await readLinesAs(qacct, block(fields), { timeZone: "+00:00" });
    expect(jobsOf(workload)).toEqual([{ ...usual, recordedWaitSeconds: 600.5, state: "failed 15" }]);
  });

  it.each([
    ["UTC", "Thu Jan  1 00:00:00 1970"],
    ["Europe/Berlin", "Thu Jan  1 01:00:00 1970"],
    ["America/New_York", "Wed Dec 31 19:00:00 1969"],
    ["+14:00", "01/01/1970 14:00:00.000"],
    ["UTC", "Thu Jan  1 01:00:00 1970"],
  ])("takes the clock's zero for a time that never came: %s, %s", async (timeZone, zero) => {
    const never = block({
      jobnumber: 101,
      start_time: zero,
      end_time: zero,
      failed: "1  : assumedly before job",
    });
    const workload = await readLinesAs(qacct, [...block(), ...never], { timeZone });
    expect(jobsOf(workload)).toHaveLength(1);
    expect(notesOf(workload)).toContain("dropped: it never started: 1");
  });

  it("has tasks, jobs that never started, and odd blocks", async () => {
    const workload = await readLinesAs(qacct, [
      "Last login: yesterday",
      ...block({ pe_taskid: "1.n2", hostname: "n2" }),
      ...block(),
      ...block({ jobnumber: 101, start_time: "-/-", end_time: "-/-" }),
      ...block({ jobnumber: 102, end_time: "So Mär  1 09:10:00 2026" }),
      ...block({ jobnumber: 103, slots: "" }),
      "=".repeat(62),
      "Total System Usage",
    ]);
    expect(jobsOf(workload)).toEqual([{ ...usual, nodes: "n2,n1" }]);
    expect(notesOf(workload)).toEqual([
      "left out: lines that are of no job: 2",
      "left out: tasks of parallel jobs, which are in their jobs' own records: 1",
      onOneMachine,
      "dropped: it never started: 1",
      "dropped: a time that is none: qacct writes them in English: 1",
      "dropped: no slots: 1",
      "read: times that name no zone, as of UTC: 1",
    ]);
  });
});
