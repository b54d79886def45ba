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
    [
      "a request that cannot be read, by where it ran",
      {
        ...noSelect,
        "Resource_List.mem": undefined,
        "Resource_List.pmem": "2gb",
        "Resource_List.nodes": "1pn=4",
        exec_host: "n1/4+n1/5+n1/6+n1/7",
      },
      { coresMilli: 4000, memoryMiB: 8192 },
    ],
    [
      "chunks of which one cannot be read, by where it ran",
      { "Resource_List.select": "1:ncpus=8+1:ncpus=all", exec_host: "n1/0*8+n2/0*4" },
      { tasks: 12, coresMilli: 1000, memoryMiB: 1366, nodes: "n1*8,n2*4" },
    ],
    [
      "more cores than asked for, as they were held",
      { "Resource_List.select": "1:ncpus=2:mem=4gb:ngpus=1", exec_host: "n1/0*8" },
      { coresMilli: 8000, memoryMiB: 4096, gpuMilli: 1000 },
    ],
    ["fewer cores than asked for, as an old version writes them, as asked", { exec_host: "n1/0" }, {}],
    [
      "nodes for all chunks behind a sign",
      { ...noSelect, "Resource_List.nodes": "2:ppn=4#shared", exec_host: "n1/0-3+n2/0-3" },
      { tasks: 2, coresMilli: 4000, memoryMiB: 8192, nodes: "n1,n2" },
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
      "an account with quotes and what looks like a key",
      { account: String.raw`"x\" end=5 \"y\\"` },
      { project: 'x" end=5 "y\\' },
    ],
    ["an account with quotes that nothing escapes", { account: '"x"y z""' }, { project: 'x"y z"' }],
    ["an account that ends in a backslash", { account: String.raw`"phys\"` }, { project: "phys\\" }],
    ["an account without an end of its quotes", { account: '"physics' }, { project: '"physics' }],
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
      { what: "dropped: it had not started when the log was made", count: 1, firstLine: 3 },
      { what: "dropped: it had not ended when the log was made", count: 1, firstLine: 5 },
      { what: "dropped: it never started", count: 1, firstLine: 6 },
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
      "no effect: the time zone, as no time in the log needs one: 1",
      "kept: it waits from its submission, although a dependency, a hold or a start time kept it out at first: 1",
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

describe("runs of one job in PBS's accounting", () => {
  const times = (workload: Workload) =>
    jobsOf(workload).map((job) => [
      Number(job["submitSeconds"]) - EIGHT,
      job["recordedWaitSeconds"],
      job["runtimeSeconds"],
    ]);
  const run = (
    type: string,
    start: number,
    end: number,
    more: Readonly<Record<string, number>> = {},
    id?: string,
  ) =>
    ended({ start: EIGHT + start, end: EIGHT + end, run_count: undefined, ...more }, id).replace(
      ";E;",
      `;${type};`,
    );
  const three = [run("R", 600, 1200), run("R", 90_000, 93_600), run("E", 180_000, 183_000)];
  const waits = [
    [0, 600, 600],
    [1200, 88_800, 3600],
    [93_600, 86_400, 3000],
  ];

  it.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])("wait since the job was put back, in any order of the files: %d %d %d", async (...order) => {
    expect(times(await read(order.map((at) => three[at])))).toEqual(waits);
  });

  it("are one run where its record is written again", async () => {
    const workload = await read([three[0], ...three, three[1], three[2]]);
    expect(times(workload)).toEqual(waits);
    expect(notesOf(workload)[0]).toBe("dropped: another record of a run that the log has already: 3");
  });

  it("are one run with the first of its ends, as where a deletion in the queue ends the job", async () => {
    const deleted = run("E", 600, 5000);
    for (const lines of [
      [three[0], deleted],
      [deleted, three[0]],
    ])
      expect(times(await read(lines))).toEqual([[0, 600, 600]]);
  });

  it("are two where the job was started again in the same second", async () => {
    const workload = await read([
      run("R", 600, 600, { run_count: 1 }),
      run("E", 600, 4200, { run_count: 2 }),
    ]);
    expect(times(workload)).toEqual([
      [0, 600, 0],
      [600, 0, 3600],
    ]);
  });

  it("are those of other jobs on another server, and in another place of an array", async () => {
    const workload = await read([
      run("R", 600, 1200, {}, "7.a"),
      run("E", 2000, 2100, {}, "7.b"),
      run("E", 3000, 3100, {}, "7[1].a"),
      run("E", 3000, 3100, {}, "7.c"),
      run("E", 4000, 4100, {}, "7.a"),
    ]);
    expect(times(workload).sort(([, , a], [, , b]) => Number(b) - Number(a))).toEqual([
      [0, 600, 600],
      [0, 2000, 100],
      [0, 3000, 100],
      [0, 3000, 100],
      [1200, 2800, 100],
    ]);
  });

  it("end the job wherever its other records stand", async () => {
    const at = (time: string, line: string) => line.replace("09:10:00", time);
    const [queued, started] = [record("Q", "100.pbs", {}), record("S", "100.pbs", {})];
    const workload = await read([ended(), at("08:10:00", started), at("08:00:00", queued)]);
    expect(workload.notes).toEqual([]);
    const bad = await read([ended({ end: EIGHT }), started, ended({}, "101.pbs")]);
    expect(notesOf(bad)).toEqual(["dropped: it ended before it started: 1"]);
  });

  it.each([
    [
      "waits again",
      [],
      "counted as unknown: the wait of a job that went back to the queue and did not start again",
    ],
    ["runs again", ["S"], "dropped: it had not ended when the log was made"],
  ])("tell of a job that %s, in any order", async (_what, more, note) => {
    const lines = [
      three[0],
      ...more.map((type) => record(type, "100.pbs", {}).replace("09:10:00", "09:20:00")),
    ];
    const first = record("S", "100.pbs", {}).replace("09:10:00", "08:10:00");
    for (const order of [[first, ...lines], [...lines, first], lines.toReversed()])
      expect(notesOf(await read(order))).toEqual([`${note}: 1`]);
  });
});

describe("jobs of PBS that have their nodes for themselves", () => {
  const other = ended(
    { "Resource_List.select": "1:ncpus=32", exec_host: "n1/0*32", start: EIGHT + 4200, end: EIGHT + 8000 },
    "101.pbs",
  );
  const two = { "Resource_List.select": "2:ncpus=8:mem=16gb", exec_host: "n1/0*8+n2/0*8" };
  const raised = "raised: the cores of jobs with whole nodes, to the most that ran on one of them at once: 1";

  it.each([
    ["place=excl", { ...two, "Resource_List.place": "excl" }],
    ["place=scatter:excl", { ...two, "Resource_List.place": "scatter:excl" }],
    ["place=pack:exclhost", { ...two, "Resource_List.place": "pack:exclhost" }],
    [
      "nodes with #excl",
      { ...two, ...noSelect, "Resource_List.nodes": "2:ppn=8#excl", "Resource_List.mem": "32gb" },
    ],
    ["naccesspolicy", { ...two, "Resource_List.naccesspolicy": "singlejob" }],
    ["what Moab takes", { ...two, "Resource_List.x": "NACCESSPOLICY:SINGLEJOB" }],
  ])("get all cores that the log shows of them: %s", async (_what, fields) => {
    const workload = await read([ended(fields), other]);
    expect(jobsOf(workload)[0]).toEqual({ ...usual, tasks: 2, coresMilli: 32_000, nodes: "n1,n2" });
    expect(notesOf(workload)).toContain(raised);
  });

  it.each([
    ["place=shared", { "Resource_List.place": "scatter:shared" }],
    ["a group that is called so", { "Resource_List.place": "pack:group=excl" }],
    ["other policies", { "Resource_List.naccesspolicy": "shared" }],
  ])("are not those with %s", async (_what, fields) => {
    expect(jobsOf(await read([ended(fields), other]))[0]).toEqual(usual);
  });

  it("keep what they asked for where the log shows no more, or not where they ran", async () => {
    const alone = { "Resource_List.place": "excl" };
    const after = { start: EIGHT + 4200, end: EIGHT + 8000 };
    const small = { "Resource_List.select": "1:ncpus=4", exec_host: "n1/1*4" };
    const shown = await read([ended(alone), ended({ ...small, ...after }, "101.pbs")]);
    expect(jobsOf(shown)[0]).toEqual(usual);
    expect(notesOf(shown)).toEqual([
      "kept as it asked: a job with whole nodes, as no more ran on one of them at once: 1",
    ]);
    // More ran on n1 at once, but beside the job that had it for itself.
    const larger = ended({ "Resource_List.select": "1:ncpus=16", exec_host: "n1/1*16" }, "101.pbs");
    for (const beside of [larger, ended(small, "101.pbs")]) {
      const contradicted = await read([ended(alone), beside]);
      expect(jobsOf(contradicted)[0]).toEqual(usual);
      expect(notesOf(contradicted)).toEqual([
        "kept as it asked: a job with whole nodes, as more ran on one of them only beside such a job: 1",
      ]);
    }
    const later = { start: EIGHT + 40_000, end: EIGHT + 44_000 };
    const twelve = ended({ "Resource_List.select": "1:ncpus=12", exec_host: "n1/0*12", ...later }, "102.pbs");
    expect(notesOf(await read([ended(alone), larger, twelve]))).toEqual([
      "raised: the cores of jobs with whole nodes, to the most that ran on one of them at once, without what ran beside such a job: 1",
    ]);
    for (const lines of [
      [ended({ ...alone, exec_host: undefined })],
      [ended({ ...alone, exec_host: undefined }), other],
    ])
      expect(notesOf(await read(lines))).toEqual([
        "kept as it asked: a job with whole nodes, as the log does not tell where and when it ran: 1",
      ]);
  });

  it("have the shape that is asked for, and hosts that differ no longer do", async () => {
    const uneven = {
      "Resource_List.select": "1:ncpus=6+1:ncpus=2",
      exec_host: "n1/0*6+n2/0*2",
      "Resource_List.place": "excl",
    };
    const shape = async (options?: ReadOptions) => {
      const [job] = jobsOf(await read([ended(uneven), other], options));
      return [job["tasks"] ?? 1, job["coresMilli"], job["memoryMiB"], job["nodes"]];
    };
    expect(await shape()).toEqual([2, 32_000, 8192, "n1,n2"]);
    expect(await shape({ jobShape: "machine" })).toEqual([1, 64_000, 16_384, "n1,n2"]);
    expect(await shape({ jobShape: "tasks" })).toEqual([64, 1000, 256, "n1,n2"]);
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

  it("say why a line with a key twice is dropped", async () => {
    const workload = await read([ended({ jobname: "x start=7" }), ended({}, "101.pbs")]);
    expect(notesOf(workload)[0]).toMatch(/^dropped: a key twice in one line, as where a name has a blank/);
  });

  it("say where cores come from that the request does not tell", async () => {
    const chunks = (select: string, exec_host?: string) =>
      ended({ "Resource_List.select": select, exec_host });
    expect((await read([chunks("1:ncpus=two", "n1/0*8")])).notes).toEqual([
      {
        what: "counted from where it ran: cores that cannot be read",
        count: 1,
        firstLine: 1,
        example: "ncpus=two",
      },
    ]);
    expect(notesOf(await read([chunks("1:ncpus=2:mem=1gb", "n1/0*8")]))).toEqual([
      "kept with the cores that it held, which are more than it asked for: 1",
    ]);
    const half = await read([chunks("1:ncpus=4:mem=1gb+1:ncpus=two")]);
    expect(jobsOf(half)[0]).toMatchObject({ coresMilli: 4000 });
    expect(notesOf(half)).toEqual(["counted as none: chunks with cores that cannot be read: 1"]);
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
