import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../../input/text.fixture.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions } from "../format.ts";
import { jobsOf, notesOf, readLinesAs, without } from "../jobs.fixture.ts";
import type { Job } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { lsf } from "./lsf.ts";

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

interface Finish {
  readonly version?: string;
  readonly job?: number | string;
  readonly index?: number;
  readonly slots?: number;
  readonly submit?: number;
  readonly start?: number;
  readonly end?: number | string;
  readonly request?: string;
  readonly effective?: string;
  readonly asked?: readonly string[];
  readonly hosts?: readonly string[];
  readonly status?: number;
  readonly command?: string;
  readonly project?: string;
  readonly limit?: number | string;
  /** Fields of each host's use, which has had five and six; 0: no host's use. */
  readonly usage?: number;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A JOB_FINISH record: an hour of four slots on a host, but for what is told. */
function finish(fields: Finish = {}): string {
  const {
    version = "10.108",
    job = 100,
    index = 0,
    slots = 4,
    asked = [],
    hosts = ["4*n1"],
    status = 64,
  } = fields;
  const {
    submit = EIGHT,
    start = EIGHT + 600,
    end = EIGHT + 4200,
    project = "physics",
    limit = 7200,
  } = fields;
  const {
    request = "span[hosts=1] rusage[mem=4096]",
    effective = `select[type == any] ${request} `,
    usage = 0,
  } = fields;
  const { command = '#!/bin/sh;#BSUB -R ""span[hosts=1]"";run' } = fields;
  const list = (items: readonly string[]) => [items.length, ...items.map(quoted)];
  const before = ['"JOB_FINISH"', quoted(version), end, job, 1501, 33554434, slots, submit, 0, 0, start];
  const where = [
    '"ann"',
    '"normal"',
    quoted(request),
    '""',
    '""',
    '"login1"',
    '"/home/ann"',
    '""',
    '""',
    '""',
    '"1.100"',
  ];
  const what = [
    status,
    "60.0",
    '"run"',
    `"${command}"`,
    ...Array<number>(19).fill(-1),
    '""',
    quoted(project),
    0,
    slots,
  ];
  const middle = [
    '""',
    '""',
    index,
    2048,
    0,
    '""',
    '""',
    '""',
    '""',
    0,
    '""',
    0,
    '""',
    -1,
    '"/phys/ann"',
    '""',
    '""',
  ];
  const old = [...before, ...where, ...list(asked), ...list(hosts), ...what, ...middle];
  if (Number(version) < 9) return old.join(" ");
  const pairs = ['""', -1, '""', '""', 5136, '""', EIGHT, '""', '""', 2, 1032, '"0"', 1110, '"default"'];
  const use = usage === 0 ? [0] : [1, "n1", ...Array<number>(usage - 1).fill(7)];
  return [
    ...old,
    ...pairs,
    ...use,
    limit,
    4194304,
    1024,
    quoted(effective),
    '""',
    -1,
    '""',
    -1,
    0,
    '""',
  ].join(" ");
}

const usual: Job = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  coresMilli: 4000,
  memoryMiB: 4096,
  estimateSeconds: 7200,
  jobNumber: 100,
  user: "ann",
  project: "physics",
  queue: "normal",
  state: "DONE",
  nodes: "n1",
};

function read(lines: readonly string[], options?: ReadOptions): Promise<Workload> {
  return readLinesAs(lsf, lines, options);
}

const scattered = "kept as one-core tasks: slots of a job that does not say how many go on a host: 1";

describe("LSF's lsb.acct", () => {
  it("gives a job for each record of a finished one", async () => {
    const workload = await readWorkload(textSource("lsb.acct", finish(), ""));
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes).toEqual([]);
  });

  it("counts memory, GPUs and limits that cannot be read, with an example", async () => {
    const requests = ["rusage[mem=4,5G]", "rusage[mem=lots:ngpus_physical=two]"];
    const jobs = requests.map((request, at) =>
      finish({ job: 101 + at, request: `span[hosts=1] ${request}` }),
    );
    const workload = await read([...jobs, finish({ job: 103, limit: "2h" })]);
    expect(jobsOf(workload)).toEqual([
      { ...usual, jobNumber: 101, memoryMiB: 0 },
      { ...usual, jobNumber: 102, memoryMiB: 0 },
      { ...without(usual, "estimateSeconds"), jobNumber: 103 },
    ]);
    expect(
      workload.notes.map(({ what, count, firstLine, example }) => [what, count, firstLine, example]),
    ).toEqual([
      ["counted as unknown: memory that cannot be read", 2, 1, "4,5G"],
      ["counted as none: GPUs that cannot be read", 1, 2, "two"],
      ["counted as unknown: a limit that cannot be read", 1, 3, "2h"],
      ["filled in: 0 MiB where the log does not say the memory", 2, 1, undefined],
    ]);
  });

  it.each(["6.0", "6.2", "7.06", "8.0", "8.3"])("of version %s does not tell the limit", async (version) => {
    expect(jobsOf(await read([finish({ version })]))).toEqual([without(usual, "estimateSeconds")]);
  });

  it.each([0, 5, 6])(
    "of later versions tells it after the use of hosts, of %d fields each",
    async (usage) => {
      expect(jobsOf(await read([finish({ usage })]))).toEqual([usual]);
    },
  );

  it.each([
    [
      "slots a host, each named",
      { slots: 4, hosts: ["n1", "n1", "n2", "n2"], request: "span[ptile=2] rusage[mem=1000]" },
      { tasks: 2, coresMilli: 2000, memoryMiB: 1000, nodes: "n1,n2" },
    ],
    [
      "slots a host, shortened, with hosts asked for",
      {
        slots: 128,
        asked: ["rack1", "rack2"],
        hosts: ["64*n1", "64*n2"],
        request: "span[ptile=64] rusage[mem=1GB:ngpus_physical=4.00]",
      },
      { tasks: 2, coresMilli: 64_000, memoryMiB: 1024, gpuMilli: 4000, nodes: "n1,n2" },
    ],
    [
      "a host for each job that says so only in effect",
      {
        request: "",
        effective: "select[type == local] rusage[mem=2000.00/host] span[hosts=1] affinity[core(1)]",
      },
      { memoryMiB: 2000 },
    ],
    ["memory a task", { request: "rusage[mem=1000/task] span[hosts=1]" }, { memoryMiB: 4000 }],
    ["memory of the job", { request: "rusage[swp=1,mem=1000/job] span[hosts=1]" }, { memoryMiB: 1000 }],
    [
      "the first of alternatives",
      { request: "{span[hosts=1] rusage[mem=1000]} || {rusage[mem=2000]}" },
      { memoryMiB: 1000 },
    ],
    ["a job of an array", { index: 7 }, { arrayIndex: 7 }],
    ["a failure", { status: 32 }, { state: "EXIT" }],
    ["a status of no name", { status: 1 }, { state: undefined }],
    ["quotes in a command", { command: 'a ""b c"" 64 ""' }, {}],
  ] as const)("reads %s", async (_what, fields, expected) => {
    const job = Object.entries({ ...usual, ...expected }).filter(([, value]) => value !== undefined);
    expect(jobsOf(await read([finish(fields)]))).toEqual([Object.fromEntries(job)]);
  });

  it("makes one-core tasks of slots that may be anywhere, with what is reserved on each of its hosts", async () => {
    const workload = await read([finish({ hosts: ["3*n1", "1*n2"], request: "rusage[mem=1000]" })]);
    expect(jobsOf(workload)).toEqual([
      { ...usual, tasks: 4, coresMilli: 1000, memoryMiB: 500, nodes: "n1*3,n2*1" },
    ]);
    expect(notesOf(workload)).toEqual([scattered]);
  });

  it("has memory in another unit, or of another scope, if that is given", async () => {
    const gib = await read([finish({ request: "span[hosts=1] rusage[mem=4]" })], { memoryUnit: "GiB" });
    expect(jobsOf(gib)).toEqual([usual]);
    const none = "no effect: the memory's unit, as the log tells that of every amount: 1";
    expect(notesOf(gib)).not.toContain(none);
    const told = await read([finish({ request: "span[hosts=1] rusage[mem=4GB]" })], { memoryUnit: "MiB" });
    expect(jobsOf(told)).toEqual([usual]);
    expect(notesOf(told)).toEqual([none]);
    const each = await read([finish({ request: "span[hosts=1] rusage[mem=1024]" })], {
      memoryScope: "per-processor",
    });
    expect(jobsOf(each)).toEqual([usual]);
  });

  it.each([
    ["a limit", { limit: -1 }, "estimateSeconds"],
    ["memory", { request: "span[hosts=1]" }, "memoryMiB"],
    ["where it ran", { hosts: [] }, "nodes"],
  ] as const)("does not make up %s", async (_what, fields, column) => {
    expect(jobsOf(await read([finish(fields)]))).toEqual([without(usual, column)]);
  });

  it("has jobs that never started and records of other events", async () => {
    const workload = await read([
      `"EVENT_ADRSV_FINISH" "10.1" ${EIGHT} 1 0 2 "ann"`,
      finish(),
      finish({ job: 101, start: 0, hosts: [], status: 32 }),
    ]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual([
      "left out: records of other events than the end of a job: 1",
      "dropped: it never started: 1",
    ]);
  });

  it.each([
    ["without hosts", finish({ start: 0, hosts: [], status: 32 })],
    ["of an old version", finish({ start: 0, hosts: [], status: 32, version: "6.2" })],
    ["cut behind the command", finish({ start: 0, hosts: [], status: 32 }).split(" -1 -1 ")[0]],
    [
      "with an empty text for its hosts",
      finish({ start: 0, hosts: [], status: 32 }).replace(" 0 32 ", ' 0 "" 32 '),
    ],
    ["with no status", finish({ start: 0, hosts: [], status: 32 }).replace(" 0 32 60.0", ' "" "" 60.0')],
  ] as const)("counts a job that exited while it was pending: %s", async (_what, record) => {
    const workload = await read([finish(), record]);
    expect(workload.count).toBe(1);
    expect(notesOf(workload)).toEqual(["dropped: it never started: 1"]);
  });

  it("does not take 0 for a time of submission", async () => {
    const workload = await read([finish({ submit: 0 }), finish({ job: 101 })]);
    expect(jobsOf(workload)).toEqual([{ ...usual, jobNumber: 101 }]);
    expect(notesOf(workload)).toEqual(["dropped: no time of submission: 1"]);
  });

  it("may have more hosts than a line has columns elsewhere", async () => {
    const hosts = Array.from({ length: 3000 }, (_, at) => `n${at}`);
    const [job] = jobsOf(await read([finish({ slots: 3000, hosts, request: "span[ptile=1]" })]));
    expect([job["tasks"], job["coresMilli"], job["nodes"]]).toEqual([3000, 1000, hosts.join(",")]);
  });

  const odd = [
    finish().slice(0, 200),
    finish().replace('"/home/ann"', '"/home/ann" 7'),
    finish({ job: "x" }),
    finish({ end: EIGHT }),
    finish({ hosts: [], slots: 0 }),
    "JOB_FINISH",
    "\0",
  ];

  it("is not read if another record runs into one", async () => {
    const [first, second] = [finish({ job: 100 }), finish({ job: 101 })];
    for (let cut = 1; cut < first.length; cut++) {
      // A blank may be where a field ends: then quotes are in order, and what is after the places known is left.
      if (/[ "]/.test(first[cut - 1])) continue;
      const { notes, count } = await read([first.slice(0, cut) + second, finish({ job: 7 })]);
      expect(notes.filter(({ what }) => what.startsWith("dropped: "))).toHaveLength(1);
      expect(count).toBe(1);
    }
  });

  it("has odd lines dropped and counted", async () => {
    const workload = await read([...odd, finish()]);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes).toEqual([
      {
        what: "dropped: a line that is no record, or whose quotes are not in order",
        count: 2,
        firstLine: 1,
        isUnreadable: true,
      },
      {
        what: "dropped: a record of a job's end whose fields are not in their places",
        count: 2,
        firstLine: 2,
        isUnreadable: true,
      },
      { what: "dropped: it ended before it started", count: 1, firstLine: 4, isUnreadable: true },
      { what: "dropped: no slots", count: 1, firstLine: 5, isUnreadable: true },
      { what: "dropped: a line with NUL bytes", count: 1, firstLine: 7, isUnreadable: true },
    ]);
    const error = await inputErrorOf(() => read([finish(), odd[5]], { strict: true }));
    expect(error.message).toMatch(/^log:2: a line that is no record/);
  });
});
