import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import type { Workload } from "../workload.ts";
import type { ReadOptions } from "./format.ts";
import { swf } from "./swf.ts";

/** The fields that tests set, by name; all else is unknown. */
interface Fields {
  job?: number | string;
  submit?: number | string;
  wait?: number | string;
  run?: number | string;
  allocated?: number | string;
  usedMemory?: number | string;
  requested?: number | string;
  estimate?: number | string;
  requestedMemory?: number | string;
  status?: number | string;
  user?: number | string;
  group?: number | string;
  queue?: number | string;
  preceding?: number | string;
  think?: number | string;
}

function line(fields: Fields): string {
  const { job = 1, submit = 0, wait = -1, run = 10, allocated = 1, usedMemory = -1, requested = -1 } = fields;
  const { estimate = -1, requestedMemory = -1, status = 1, user = -1, group = -1, queue = -1 } = fields;
  const { preceding = -1, think = -1 } = fields;
  const first = [job, submit, wait, run, allocated, -1, usedMemory, requested, estimate, requestedMemory];
  return [...first, status, user, group, -1, queue, -1, preceding, think].join(" ");
}

function read(lines: readonly string[], options?: ReadOptions, name = "log.swf"): Promise<Workload> {
  return swf.read(textSource(name, ...lines), options);
}

const noteOf = (workload: Workload, what: RegExp) => workload.notes.find((note) => what.test(note.what));

describe("an SWF log", () => {
  it("gives a job for each row", async () => {
    const workload = await read([
      "; Version: 2.2",
      line({
        job: 7,
        submit: 100,
        wait: 5,
        run: 60,
        allocated: 4,
        estimate: 90,
        user: 3,
        group: 2,
        queue: 1,
      }),
      line({ job: 9, submit: 130, wait: 0, run: 1, allocated: 1, estimate: 90, user: 4, group: 2, queue: 1 }),
    ]);
    expect(workload.name).toBe("log");
    expect(workload.synthetic).toBe(false);
    expect(workload.count).toBe(2);
    expect([...workload.submitSeconds]).toEqual([100, 130]);
    expect([...workload.runtimeSeconds]).toEqual([60, 1]);
    expect([...workload.tasks!]).toEqual([4, 1]);
    expect([...workload.coresMilli]).toEqual([1000, 1000]);
    expect([...workload.estimateSeconds!]).toEqual([90, 90]);
    expect([...workload.jobNumber!]).toEqual([7, 9]);
    expect([...workload.recordedWaitSeconds!]).toEqual([5, 0]);
    expect(workload.user).toEqual({ codes: Int32Array.of(0, 1), names: ["3", "4"] });
    expect(workload.project).toEqual({ codes: Int32Array.of(0, 0), names: ["2"] });
    expect(workload.queue).toEqual({ codes: Int32Array.of(0, 0), names: ["1"] });
    expect(workload.notes).toEqual([]);
    expect(workload.submitSeconds.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it("leaves out the columns that no line fills", async () => {
    const workload = await read([line({ job: 1 }), line({ job: 2 })]);
    const { memoryMiB, gpuMilli, tasks, estimateSeconds, jobNumber, recordedWaitSeconds } = workload;
    const { project, user, queue, policy, priority, farm } = workload;
    expect([memoryMiB, gpuMilli, tasks, estimateSeconds, jobNumber, recordedWaitSeconds]).toEqual(
      Array(6).fill(null),
    );
    expect([project, user, queue, policy, priority, farm]).toEqual(Array(6).fill(null));
  });

  it("may have blank lines, carriage returns, tabs and fields beyond the 18", async () => {
    const workload = await read([
      "",
      `  ${line({}).replaceAll(" ", "\t")}\r`,
      `${line({})} {1,2} q_1d x`,
      "",
      "  ",
    ]);
    expect(workload.count).toBe(2);
  });

  it("may have floats anywhere", async () => {
    const workload = await read([line({ submit: "0.5", run: "552.21", allocated: "4.00", user: "3.0" })]);
    expect(workload.submitSeconds[0]).toBe(0.5);
    expect(workload.runtimeSeconds[0]).toBe(552.21);
    expect(workload.tasks![0]).toBe(4);
    expect(workload.user!.names).toEqual(["3"]);
  });

  it("keeps its own clock, below 0 and from late on", async () => {
    const workload = await read([line({ submit: -5 }), line({ submit: 31_656_837 })]);
    expect([...workload.submitSeconds]).toEqual([-5, 31_656_837]);
  });

  it("does not take an unknown submission for a second before the clock's zero", async () => {
    const workload = await read([line({ job: 1, submit: -1 }), line({ job: 2, submit: 7 })]);
    expect([...workload.submitSeconds]).toEqual([7]);
    expect(workload.notes).toEqual([{ what: "dropped: no time of submission", count: 1, firstLine: 1 }]);
  });

  it("tells that it ignores preceding jobs and think times, once", async () => {
    const workload = await read([
      line({ job: 1 }),
      line({ job: 2, preceding: 1, think: 30 }),
      line({ job: 3, preceding: 2 }),
      line({ job: 4, think: 0 }),
    ]);
    expect(workload.notes).toEqual([
      {
        what: expect.stringMatching(/^ignored: the preceding job and the think time/),
        count: 2,
        firstLine: 2,
      },
    ]);
  });

  it("out of order is sorted and counted, with jobs of one instant in the log's order", async () => {
    const workload = await read([
      line({ job: 1, submit: 5, user: 1 }),
      line({ job: 2, submit: 3 }),
      line({ job: 3, submit: 5, user: 3 }),
      line({ job: 4, submit: 3, user: 4 }),
    ]);
    expect([...workload.submitSeconds]).toEqual([3, 3, 5, 5]);
    expect([...workload.jobNumber!]).toEqual([2, 4, 1, 3]);
    expect([...workload.user!.codes].map((code) => workload.user!.names[code])).toEqual([
      "unknown",
      "4",
      "1",
      "3",
    ]);
    expect(noteOf(workload, /^sorted/)).toMatchObject({ count: 2, firstLine: 2 });
  });

  it("drops the lines that are not jobs, and says so", async () => {
    const workload = await read([
      line({ job: 1 }),
      line({ job: 2, run: 0, status: 5 }),
      line({ job: 3, run: -1, status: 5 }),
      line({ job: 4, run: -1 }),
      line({ job: 5, allocated: 0, requested: -1 }),
      line({ job: 6, run: 0 }),
      line({ job: 7, run: 8, status: 5 }),
    ]);
    expect([...workload.jobNumber!]).toEqual([1, 6, 7]);
    expect(workload.runtimeSeconds[1]).toBe(0);
    expect(workload.notes).toEqual([
      { what: "dropped: cancelled before it started", count: 2, firstLine: 2 },
      { what: "dropped: no run time", count: 1, firstLine: 4 },
      { what: "dropped: no processors", count: 1, firstLine: 5 },
    ]);
  });

  it("takes the processors allocated, else those requested", async () => {
    const workload = await read([
      line({ allocated: 4, requested: 8 }),
      line({ allocated: -1, requested: 8 }),
      line({ allocated: 0, requested: 2 }),
    ]);
    expect([...workload.tasks!]).toEqual([4, 8, 2]);
  });

  it("counts part of a processor as a whole one, and says so", async () => {
    const workload = await read([line({ allocated: 2.5 })]);
    expect(workload.tasks![0]).toBe(3);
    expect(noteOf(workload, /part of a processor/)).toMatchObject({ count: 1 });
  });

  it("uses the user as the project if no line has a group", async () => {
    const workload = await read([line({ user: 5 }), line({ user: 6 })]);
    expect(workload.project).toEqual(workload.user);
  });
});

describe("parts of preempted jobs in an SWF log", () => {
  const summary = (job: number, submit: number, run: number, status = 1) =>
    line({ job, submit, wait: 5, run, allocated: 2, status });
  const part = (job: number, submit: number, run: number, status: number) =>
    line({ job, submit, wait: 5, run, allocated: 2, status });
  const jobs = ({ jobNumber, submitSeconds, runtimeSeconds, count }: Workload) =>
    Array.from({ length: count }, (_, row) => [
      jobNumber?.[row] ?? row + 1,
      submitSeconds[row],
      runtimeSeconds[row],
    ]);
  const leftOut = "left out: parts of preempted jobs, whose summary lines count";
  const joined = "read: parts of preempted jobs, as one job each";

  it("do not count beside their job's summary, whatever became of it", async () => {
    const workload = await read([
      summary(1, 0, 30),
      part(1, 0, 20, 2),
      part(1, -1, 10, 3),
      summary(2, 5, 7, 0),
      part(2, 5, 3, 2),
      part(2, -1, 4, 4),
      summary(3, 9, 8, 5),
    ]);
    expect(jobs(workload)).toEqual([
      [1, 0, 30],
      [2, 5, 7],
      [3, 9, 8],
    ]);
    expect(workload.notes).toEqual([{ what: leftOut, count: 4, firstLine: 2 }]);
  });

  it.each([
    [
      "with other jobs between them",
      [summary(1, 0, 30), summary(2, 1, 5), part(1, 0, 20, 2), part(1, -1, 10, 3)],
    ],
    [
      "before it, as in a log sorted by submission",
      [part(1, -1, 10, 3), part(1, 0, 20, 2), summary(1, 0, 30), summary(2, 1, 5)],
    ],
  ])("do not count %s", async (_where, lines) => {
    const workload = await read(lines);
    expect(jobs(workload)).toEqual([
      [1, 0, 30],
      [2, 1, 5],
    ]);
    expect(workload.notes).toEqual([{ what: leftOut, count: 2, firstLine: expect.any(Number) }]);
  });

  it("do not count beside a summary that is dropped", async () => {
    const workload = await read([summary(1, 0, -1), part(1, 0, 20, 2), part(1, -1, 10, 3), summary(2, 1, 5)]);
    expect(jobs(workload)).toEqual([[2, 1, 5]]);
    expect(workload.notes.map(({ what, count }) => [what, count])).toEqual([
      ["dropped: no run time", 1],
      [leftOut, 2],
    ]);
  });

  it.each([
    ["next to each other", [part(1, 0, 20, 2), part(1, -1, 10, 3), summary(2, 1, 5)]],
    ["among other jobs", [part(1, 0, 20, 2), summary(2, 1, 5), part(1, -1, 10, 4)]],
    ["each with the submission", [part(1, 0, 20, 2), part(1, 0, 10, 3), summary(2, 1, 5)]],
    ["with the later one above", [part(1, -1, 10, 3), part(1, 0, 20, 2), summary(2, 1, 5)]],
  ])("without a summary are one job: %s", async (_where, lines) => {
    const workload = await read(["; Preemption: Yes", ...lines]);
    expect(jobs(workload)).toEqual([
      [1, 0, 30],
      [2, 1, 5],
    ]);
    expect([...workload.recordedWaitSeconds!]).toEqual([5, 5]);
    expect(workload.notes.map(({ what, count }) => [what, count])).toEqual([[joined, 2]]);
  });

  it("of another job of the same number are that job's", async () => {
    const workload = await read([summary(1, 0, 30), part(1, 50, 4, 2), part(1, -1, 6, 3)]);
    expect(jobs(workload)).toEqual([
      [1, 0, 30],
      [1, 50, 10],
    ]);
  });

  it("are one part where a job was never preempted, and are no cause of a note", async () => {
    const workload = await read([part(1, 0, 20, 3), part(2, 1, 5, 4)]);
    expect(jobs(workload)).toEqual([
      [1, 0, 20],
      [2, 1, 5],
    ]);
    expect(workload.notes).toEqual([]);
  });

  it("are limited by the estimate as a whole", async () => {
    const of = (submit: number, run: number, status: number) => line({ submit, run, status, estimate: 25 });
    const workload = await read([of(0, 20, 2), of(-1, 10, 3)], { overrun: "cap" });
    expect([...workload.runtimeSeconds]).toEqual([25]);
  });

  it("that are not all there are told", async () => {
    const workload = await read([
      part(1, 0, 20, 2),
      part(1, -1, 10, 2),
      part(2, -1, 7, 3),
      line({ job: 3, run: 1, allocated: 2, status: 2 }),
      line({ job: 3, submit: -1, run: 1, allocated: 4, status: 3 }),
    ]);
    expect(jobs(workload)).toEqual([
      [1, 0, 30],
      [3, 0, 2],
    ]);
    expect(workload.notes.map(({ what, count, firstLine }) => [what, count, firstLine])).toEqual([
      [joined, 4, 1],
      ["kept: what a preempted job ran, although the log lacks its last part", 1, 1],
      ["dropped: parts of a preempted job without the first, which has the submission", 1, 3],
      ["kept: the processors of a preempted job's first part, although others had other numbers", 1, 4],
    ]);
  });

  it("are none in a log whose statuses are exit codes", async () => {
    const workload = await read([part(1, 0, 20, 2), part(2, 1, 10, 3), summary(3, 2, 5, 137)]);
    expect(jobs(workload)).toEqual([
      [1, 0, 20],
      [2, 1, 10],
      [3, 2, 5],
    ]);
    expect(workload.notes.map(({ what, count }) => [what, count])).toEqual([
      [expect.stringMatching(/^read: statuses 2, 3 and 4 as those of whole jobs/), 2],
    ]);
  });
});

describe("memory in an SWF log", () => {
  it("is the requested, otherwise the used one: KB per processor, rounded up to MiB; 0 if unknown, and counted", async () => {
    const workload = await read([
      line({ requestedMemory: 1025, usedMemory: 5000 }),
      line({ requestedMemory: -1, usedMemory: 5000 }),
      line({ requestedMemory: 1024, allocated: 64 }),
      line({}),
      line({}),
    ]);
    expect([...workload.memoryMiB!]).toEqual([2, 5, 1, 0, 0]);
    expect(noteOf(workload, /^filled in: 0 MiB/)).toMatchObject({ count: 2, firstLine: 4 });
  });

  it.each([
    // 8 processors, 8 × 3 = 24 MiB in all.
    ["KiB", "per-processor", "tasks", 3 * 1024, 3],
    ["KiB", "per-processor", "machine", 3 * 1024, 24],
    ["MiB", "per-job", "tasks", 24, 3],
    ["MiB", "per-job", "machine", 24, 24],
    ["B", "per-job", "tasks", 24 * 1024 ** 2 + 1, 4],
    ["GiB", "per-processor", "tasks", 1.5, 1536],
  ] as const)(
    "in %s %s of a job in %s: %d is %d MiB",
    async (memoryUnit, memoryScope, jobShape, amount, mebibytes) => {
      const options = { memoryUnit, memoryScope, jobShape };
      const workload = await read([line({ allocated: 8, requestedMemory: amount })], options);
      expect(workload.memoryMiB![0]).toBe(mebibytes);
      expect(workload.coresMilli[0]).toBe(jobShape === "machine" ? 8000 : 1000);
      expect(workload.tasks?.[0] ?? 1).toBe(jobShape === "machine" ? 1 : 8);
    },
  );

  it("of a known log is read as its authors say, unless an option says otherwise", async () => {
    const job = line({ allocated: 64, requestedMemory: 68_719_476_736 });
    const known = await read([job], {}, "alea-wagap-2013.swf");
    expect(known.memoryMiB![0]).toBe(1024);
    expect(noteOf(known, /wagap.*B per-job/)).toMatchObject({ count: 1, firstLine: 1 });
    const told = await read([job], { memoryUnit: "KiB", memoryScope: "per-job" }, "alea-wagap-2013.swf");
    expect(told.memoryMiB![0]).toBe(1024 * 1024);

    const installation = ";    Installation: LPC (Laboratoire de Physique Corpusculaire)";
    const lpc = await read([installation, line({ allocated: 4, usedMemory: 8192 })]);
    expect(lpc.memoryMiB![0]).toBe(2);

    const intel = await read(
      [line({ allocated: 4, requestedMemory: 1024 })],
      {},
      "Intel-NetbatchA-2012-1.swf",
    );
    expect([intel.tasks, intel.coresMilli[0], intel.memoryMiB![0]]).toEqual([null, 4000, 4]);
  });

  it("out of range is refused with the place", async () => {
    const error = await inputErrorOf(() => read([line({}), line({ requestedMemory: "9e15" })]));
    expect(error.message).toMatch(/^log.swf:2: .*unit/);
  });
});

describe("estimates in an SWF log", () => {
  const lines = [line({ run: 100, estimate: 60 }), line({ run: 50, estimate: 60 }), line({ run: 50 })];

  it("are kept if the job ran longer, and counted; NaN if there is none", async () => {
    const workload = await read(lines);
    expect([...workload.estimateSeconds!]).toEqual([60, 60, Number.NaN]);
    expect([...workload.runtimeSeconds]).toEqual([100, 50, 50]);
    expect(workload.notes).toEqual([
      { what: expect.stringMatching(/^kept: ran longer/), count: 1, firstLine: 1 },
    ]);
  });

  it("and waits below 0 are counted as unknown, but for the -1 that says so", async () => {
    const workload = await read([
      line({ estimate: -3, wait: -7 }),
      line({ estimate: -1, wait: -1 }),
      line({ estimate: 60, wait: 5 }),
    ]);
    expect([...workload.estimateSeconds!]).toEqual([Number.NaN, Number.NaN, 60]);
    expect([...workload.recordedWaitSeconds!]).toEqual([Number.NaN, Number.NaN, 5]);
    expect(workload.notes).toEqual([
      { what: "counted as unknown: a negative wait", count: 1, firstLine: 1, example: "-7 s" },
      { what: "counted as unknown: a negative estimate", count: 1, firstLine: 1, example: "-3 s" },
    ]);
  });

  it("cap the run time when asked to", async () => {
    const workload = await read(lines, { overrun: "cap" });
    expect([...workload.runtimeSeconds]).toEqual([60, 50, 50]);
    expect(workload.notes).toEqual([
      { what: expect.stringMatching(/^cut: the run time/), count: 1, firstLine: 1 },
    ]);
  });
});

describe("minimums", () => {
  it("raise what is below them, with a count", async () => {
    const options = { minimumRuntimeSeconds: 1, minimumMemoryMiB: 1024 };
    const jobs = [line({ run: 0, requestedMemory: 1 }), line({ run: 2, requestedMemory: 2 ** 21 }), line({})];
    const workload = await read(jobs, options);
    expect([...workload.runtimeSeconds]).toEqual([1, 2, 10]);
    expect([...workload.memoryMiB!]).toEqual([1024, 2048, 1024]);
    expect(workload.notes.map(({ what, count, firstLine }) => [what, count, firstLine])).toEqual([
      ["raised: the run time, to 1 s", 1, 1],
      ["raised: the memory, to 1024 MiB", 1, 1],
      ["filled in: 1024 MiB where the log does not say the memory", 1, 3],
    ]);
    expect((await read([line({ run: 0 })], options)).memoryMiB).toBeNull();
  });
});

describe("the header of an SWF log", () => {
  it("tells of the farm, however it is written", async () => {
    const workload = await read([
      ";    --- converted from SACCT ---",
      ";         Version: SWF v2",
      ";\t  Computer: 3GHz Pentium-IV Xeon Linux Cluster  ",
      ";Installation: First place",
      "; Installation: Second place",
      ";              http://continued.example/",
      "; MaxNodes: 400 (48 interactive, 352 batch)",
      ";MaxProcs: 1664 (72, 1368, 224)",
      "; maxruntime:   259200",
      "; UnixStartTime: 1272639895",
      "; Partition: 18  z+i5U=:\u{1}\u{fffd}`;",
      ";    j|       s|      w|",
      line({}),
    ]);
    expect(workload.farm).toEqual({
      computer: "3GHz Pentium-IV Xeon Linux Cluster",
      installation: "First place",
      nodes: 400,
      processors: 1664,
      maxRuntimeSeconds: 259_200,
      unixStartSeconds: 1_272_639_895,
    });
  });

  it("of garbage tells nothing", async () => {
    const workload = await read([
      "; MaxProcs: many",
      "; MaxNodes: -1",
      "; MaxRuntime: 1.5",
      ";::;",
      ";",
      line({}),
    ]);
    expect(workload.farm).toBeNull();
  });

  it("names the queues, each once", async () => {
    const workload = await read([
      "; Queue: 1  short  (details)",
      ";  Queue:   2   long",
      "; Queue: 3  short",
      "; Queue: 4",
      ...[1, 2, 3, 4, 5].map((queue) => line({ queue })),
    ]);
    expect(workload.queue!.names).toEqual(["short", "long", "3", "4", "5"]);
  });
});

describe("an SWF log that cannot be used", () => {
  it.each([
    [["; c", line({}), "1 2 3"], /^log.swf:3: the line has 3 fields where SWF has 18/],
    [["; c", line({ run: "abc" })], /^log.swf:2: field 4 is not a number/],
    [[line({ queue: "x" })], /^log.swf:1: field 15 is not a number/],
    [[""], /^log.swf: there is no job in it/],
    [["; only", "; comments"], /^log.swf: there is no job in it/],
    [[line({ run: -1 })], /there is no job in it; dropped: no run time \(1\)/],
    [[line({ submit: "-1e13" })], /^log.swf:1: the submit time is out of range/],
    [[line({ run: "1e13" })], /^log.swf:1: the run time is out of range/],
    [[line({ estimate: "1e13" })], /^log.swf:1: the estimate is out of range/],
    [[line({ allocated: "1e12" })], /^log.swf:1: a job of 1000000000000 tasks/],
  ])("%j", async (lines, message) => {
    expect((await inputErrorOf(() => read(lines))).message).toMatch(message);
  });

  it("asks for more cores than a machine can have", async () => {
    const error = await inputErrorOf(() => read([line({ allocated: 3_000_000 })], { jobShape: "machine" }));
    expect(error.message).toMatch(/^log.swf:1: a task of 3000000 cores/);
  });
});
