import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { anyWorkload } from "../../any-workload.fixture.ts";
import { inputErrorOf, textSource } from "../../input/text.fixture.ts";
import { candidatePools, type Workload } from "../../workload.ts";
import { writeCsv } from "../../writers/csv.ts";
import { jobsOf, notesOf } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { csv } from "./csv.ts";
import type { ReadOptions } from "../format.ts";

function read(lines: readonly string[], options?: ReadOptions): Promise<Workload> {
  return csv.read(textSource("jobs.csv", ...lines, ""), options);
}

describe("a CSV log", () => {
  it.each(["NULL", "NaN", "n/a", "None", "-", "\\N"])("takes %s for no value", async (none) => {
    const workload = await read(["submit,start,end,cores,memory", `0,1,2,1,${none}`, `0,1,${none},1,5`]);
    expect(workload.count).toBe(1);
    expect(workload.memoryMiB).toBeNull();
    expect(notesOf(workload)).toEqual(["dropped: it had not ended when the log was made: 1"]);
  });

  it("may have line breaks in quotes, blank lines among them", async () => {
    const rows = ['0,10,1,"a', "", 'b ""c"", d",ann', '5,10,2,plain,"bob', 'by"', "9,10,3,,cat"];
    const workload = await read(["submit,runtime,cores,comment,user", ...rows]);
    expect(jobsOf(workload).map(({ coresMilli, user }) => [coresMilli, user])).toEqual([
      [1000, "ann"],
      [2000, "bob\nby"],
      [3000, "cat"],
    ]);
    expect(notesOf(workload)).toEqual(['ignored: the column "comment": 3']);
    const slashed = await read([
      "submit,runtime,cores,user",
      '"01/02/2026",10,1,"a',
      'b"',
      "13/02/2026,10,1,c",
    ]);
    expect(slashed.user!.names).toEqual(["a\nb", "c"]);
  });

  it.each([
    ["the next row has quotes", ['5,10,1,"b"', '6,10,1,"c']],
    ["no other row has quotes", ["5,10,1,b", "6,10,1,c"]],
    ["many rows follow", Array.from({ length: 200 }, (_, row) => `${5 + row},10,1,b`)],
    ["many rows follow, of quotes", Array.from({ length: 200 }, (_, row) => `${5 + row},10,1,"b""`)],
  ])("loses a row to a quote that is not closed, and no other, where %s", async (_what, rows) => {
    const workload = await read([
      "submit,runtime,cores,user",
      "0,10,1,a",
      '1,10,1,"a',
      ...rows,
      "900,10,1,z",
    ]);
    const damaged = rows.filter((row) => row.split('"').length % 2 === 0);
    expect(workload.count).toBe(2 + rows.length - damaged.length);
    const note = workload.notes.find(({ what }) => what === "dropped: a quote is not closed");
    expect(note).toMatchObject({ count: 1 + damaged.length, firstLine: 3 });
  });

  it("notes that a number such as 1.024 is not taken for a thousand where numbers have decimal commas", async () => {
    const workload = await read(["submit;runtime;cores;memory", "0;10;1;1.024", "0;10;1;1,5", "0;2.5;1;2"]);
    expect([...workload.memoryMiB!]).toEqual([2, 2, 2]);
    expect(notesOf(workload)).toEqual([
      "read: the point in a number of column memory as a decimal point, not as one of thousands: 1",
    ]);
  });

  it("asks whether times are the days of a spreadsheet", async () => {
    const lines = ["submitted,runtime,cores", "46082.3333,10,1"];
    const [, note] = notesOf(await read(lines));
    expect(note).toContain('add :d to each column of times, as in --columns "submit=submitted:d"');
    const workload = await read(lines, { columns: { submit: "submitted:d" } });
    expect([...workload.submitSeconds]).toEqual([46_082.3333 * 86_400]);
  });

  it("may begin with the separator that a spreadsheet is told", async () => {
    const workload = await readWorkload(textSource("a.csv", "sep=;", "submit;runtime;cores", "0;1,5;1", ""));
    expect([...workload.runtimeSeconds]).toEqual([1.5]);
  });

  it("needs three columns", async () => {
    const workload = await read(["submit,runtime,cores", "0,10,1", "5,2.5,0.25"]);
    expect([...workload.submitSeconds]).toEqual([0, 5]);
    expect([...workload.runtimeSeconds]).toEqual([10, 2.5]);
    expect([...workload.coresMilli]).toEqual([1000, 250]);
    const { memoryMiB, tasks, project, policy, jobNumber, estimateSeconds } = workload;
    expect([memoryMiB, tasks, project, policy, jobNumber, estimateSeconds]).toEqual(Array(6).fill(null));
    expect(workload.notes).toEqual([]);
  });

  it("may have more, in any order, some fields empty", async () => {
    const workload = await read([
      "job,cores,Memory,tasks,gpu,project,user,queue,policy,priority,estimate,runtime,submit",
      "10,2,1024.5,3,0.5,/a/b,ann,long,mix-fit,7,60,50,0",
      "11,1,,,,,,,,,,50,1",
    ]);
    expect([...workload.jobNumber!]).toEqual([10, 11]);
    expect([...workload.memoryMiB!]).toEqual([1025, 0]);
    expect([...workload.tasks!]).toEqual([3, 1]);
    expect([...workload.gpuMilli!]).toEqual([500, 0]);
    expect(workload.project).toEqual({ codes: Int32Array.of(0, 1), names: ["/a/b", "unknown"] });
    expect(workload.user!.names).toEqual(["ann", "unknown"]);
    expect(workload.queue!.names).toEqual(["long", "unknown"]);
    expect(workload.policy).toEqual({ codes: Int32Array.of(1, 0), names: ["", "mix-fit"] });
    expect([...workload.priority!]).toEqual([7, 0]);
    expect([...workload.estimateSeconds!]).toEqual([60, Number.NaN]);
  });

  it("may have what a farm uses: requirements, pools, site, group", async () => {
    const workload = await read([
      "submit,runtime,cores,requires,pools,site,group,priority",
      '0,10,1,"os == ""linux"" && cores > 4",p1; p2,haifa,cpu,5',
      "1,10,1,,,,,",
      "2,10,1,gpu,,haifa,,",
    ]);
    const { requires, pools, site, group } = workload;
    expect(requires).toEqual({
      codes: Int32Array.of(1, 0, 2),
      names: ["", 'os == "linux" && cores > 4', "gpu"],
    });
    expect(pools).toEqual({ codes: Int32Array.of(1, 0, 0), names: ["", "p1; p2"] });
    expect(candidatePools(pools!.names[1])).toEqual(["p1", "p2"]);
    expect(site).toEqual({ codes: Int32Array.of(1, 0, 1), names: ["", "haifa"] });
    expect(group).toEqual({ codes: Int32Array.of(1, 0, 0), names: ["", "cpu"] });
    expect([...workload.priority!]).toEqual([5, 0, 0]);
    const silent = await read(["submit,runtime,cores,requires,pools,site,group", "0,10,1,,,,"]);
    expect([silent.requires, silent.pools, silent.site, silent.group]).toEqual(Array(4).fill(null));
  });

  it("has a negative wait counted as unknown, but for the -1 that says so", async () => {
    const rows = ["0,10,1,-5", "5,10,1,-1", "9,10,1,7"];
    const workload = await read(["submit,runtime,cores,wait", ...rows]);
    expect([...workload.recordedWaitSeconds!]).toEqual([Number.NaN, Number.NaN, 7]);
    expect(workload.notes).toEqual([
      { what: "counted as unknown: a negative wait", count: 1, firstLine: 2, example: "-5 s" },
    ]);
  });

  it("has a negative estimate counted as unknown, but for the -1 that says so", async () => {
    const rows = ["0,10,1,-3", "5,10,1,-1", "9,10,1,70", "9,10,1,"];
    const workload = await read(["submit,runtime,cores,estimate", ...rows]);
    expect([...workload.estimateSeconds!]).toEqual([Number.NaN, Number.NaN, 70, Number.NaN]);
    expect(workload.notes).toEqual([
      { what: "counted as unknown: a negative estimate", count: 1, firstLine: 2, example: "-3 s" },
    ]);
  });

  it("does not take a start for a submission that came after it, where the wait is negative", async () => {
    const workload = await read(["start,wait,runtime,cores", "100,-5,10,1", "100,40,10,1"]);
    expect([...workload.submitSeconds]).toEqual([60]);
    expect(notesOf(workload)).toEqual(["dropped: no time of submission, no run time or no cores: 1"]);
  });

  it("may have licences, in Croft's spelling or Slurm's, and names the line of what cannot be read", async () => {
    const lines = ["submit,runtime,cores,licenses", "0,1,1,matlab=2; vcs", '0,1,1,"matlab:2,vcs"', "0,1,1,"];
    expect((await read(lines)).licences).toEqual({
      codes: Int32Array.of(1, 2, 0),
      names: ["", "matlab=2; vcs", "matlab:2,vcs"],
    });
    const { message } = await inputErrorOf(() => read([...lines, "0,1,1,vcs=none"]));
    expect(message).toBe(
      'jobs.csv:5: licences "vcs=none": of vcs it asks for "none": give a whole number from 1',
    );
    expect((await read([lines[0], lines[3]])).licences).toBeUndefined();
  });

  it("tells of a job that was submitted decades before the others", async () => {
    const rows = [0, 1, 2].map((day) => `${1_772_352_000 + day * 86_400},10,1,${7 + day}`);
    const workload = await read(["submit,runtime,cores,job", ...rows, "0,10,1,99"]);
    expect(notesOf(workload)).toContain(
      "kept: submitted far before or after the others: are their times right? such as job 99: 1",
    );
  });

  it("checks each requirement once, and names the line of one that is refused", async () => {
    const lines = ["submit,runtime,cores,requires", "0,1,1,gpu", "0,1,1,", "0,1,1,gpu", "0,1,1,(gpu"];
    const seen: string[] = [];
    const checkRequirement = (text: string): void => {
      seen.push(text);
      if (text.startsWith("(")) throw new Error("it ends too early");
    };
    const { message } = await inputErrorOf(() => read(lines, { checkRequirement }));
    expect(message).toBe("jobs.csv:5: it ends too early");
    expect(seen).toEqual(["gpu", "(gpu"]);
  });

  it("may come from a spreadsheet: a byte order mark, quotes, carriage returns, blanks, blank lines", async () => {
    const workload = await read([
      '\u{feff}"submit" , "runtime","cores",user\r',
      '"0","10", "1" ,"Doe, ""J"" "\r',
      "\r",
      " 1 , 10 , 1 , x\r",
    ]);
    expect(workload.count).toBe(2);
    expect(workload.user!.names).toEqual(['Doe, "J"', "x"]);
  });

  it("ignores columns that it does not know, and says so", async () => {
    const workload = await read(["submit,runtime,cores,colour", "0,1,1,red", "1,1,1,blue"]);
    expect(workload.notes).toEqual([{ what: 'ignored: the column "colour"', count: 2, firstLine: 1 }]);
  });

  it("rounds parts of a core as a person would", async () => {
    const workload = await read(["submit,runtime,cores", "0,1,0.57", "0,1,0.0001", "0,1,1.1"]);
    expect([...workload.coresMilli]).toEqual([570, 1, 1100]);
  });

  it("has memory in bytes: an amount in bits is refused", async () => {
    const lines = ["submit,runtime,cores,memory", "0,1,1,4Gb", "0,1,1,4 Gib", "0,1,1,4gb", "0,1,1,4GB"];
    const { memoryMiB, notes } = await read(lines);
    expect([...memoryMiB!]).toEqual([4096, 4096]);
    expect(notes).toEqual([
      {
        what: "dropped: column memory: memory in bits: it is counted in bytes, as in 4GB",
        count: 2,
        firstLine: 2,
        example: "4Gb",
        isUnreadable: true,
      },
    ]);
    await expect(read(lines, { columns: { memory: "memory:Mib" } })).rejects.toThrow(
      '--columns memory: "Mib" means bits: memory is counted in bytes, write MiB',
    );
  });

  it("may have memory in another unit", async () => {
    const lines = ["submit,runtime,cores,memory", "0,1,1,1.5", "0,1,1,-1"];
    expect([...(await read(lines, { memoryUnit: "GiB" })).memoryMiB!]).toEqual([1536, 0]);
    expect([...(await read(lines, { memoryUnit: "KiB" })).memoryMiB!]).toEqual([1, 0]);
  });

  it("is sorted", async () => {
    const workload = await read(["submit,runtime,cores", "9,1,1", "3,2,1"]);
    expect([...workload.jobNumber!]).toEqual([2, 1]);
    expect([...workload.runtimeSeconds]).toEqual([2, 1]);
  });

  it("has bad rows dropped and counted, with the first line", async () => {
    const workload = await read([
      "submit,runtime,cores,memory",
      "0,x,1,",
      "0,1,0,",
      "soon,1,1,",
      "later,1,1,",
      "0,-1,1,",
      "0,1",
      '0,1,"1,',
      "0,1,1,lots",
      "0,,1,",
      "0,1,,",
      "0,1,1,1",
      "\0,1,1,1",
    ]);
    expect(workload.count).toBe(1);
    expect(workload.notes).toEqual([
      {
        what: "dropped: column runtime: not a duration: write seconds or 01:30:00",
        count: 1,
        firstLine: 2,
        example: "x",
        isUnreadable: true,
      },
      { what: "dropped: the cores are out of range", count: 1, firstLine: 3, isUnreadable: true },
      {
        what: "dropped: column submit: not a time: write 2026-12-31T08:05:00, 31.12.2026 8:05 or seconds",
        count: 2,
        firstLine: 4,
        example: "soon",
        isUnreadable: true,
      },
      { what: "dropped: the run time is out of range", count: 1, firstLine: 6, isUnreadable: true },
      {
        what: "dropped: not as many fields as there are columns",
        count: 1,
        firstLine: 7,
        isUnreadable: true,
      },
      { what: "dropped: a quote is not closed", count: 1, firstLine: 8, isUnreadable: true },
      {
        what: "dropped: column memory: not an amount of memory: write MiB or 4G",
        count: 1,
        firstLine: 9,
        example: "lots",
        isUnreadable: true,
      },
      {
        what: "dropped: no time of submission, no run time or no cores",
        count: 2,
        firstLine: 10,
        isUnreadable: true,
      },
      { what: "dropped: a line with NUL bytes", count: 1, firstLine: 13, isUnreadable: true },
    ]);
  });

  it.each([
    [
      ["submit,runtime,cores", "0,1,1", "0,x,1"],
      'jobs.csv:3: column runtime: "x" is not a duration: write seconds or 01:30:00',
    ],
    [["submit,runtime,cores", "0,,1"], "jobs.csv:2: no time of submission, no run time or no cores"],
    [["submit,runtime,cores", "0,1"], "jobs.csv:2: the line has 2 fields, not 3"],
    [["submit,runtime,cores", "0,1,1,1"], "jobs.csv:2: the line has 4 fields, not 3"],
    [["submit,runtime,cores", '0,1,"1'], "jobs.csv:2: a quote is not closed"],
    [["submit,runtime,cores", "0,1,0"], "jobs.csv:2: a task of 0 cores is out of range"],
    [["submit,runtime,cores", "0,-1,1"], "jobs.csv:2: the run time is out of range: give seconds, 0 or more"],
    [["submit,runtime,cores,tasks", "0,1,1,1.5"], "jobs.csv:2: a job of 1.5 tasks cannot be"],
    [["submit,runtime,cores,tasks", "0,1,1,0"], "jobs.csv:2: a job of 0 tasks cannot be"],
    [["submit,runtime,cores,priority", "0,1,1,0.5"], "jobs.csv:2: the priority 0.5 is no integer of 32 bits"],
    [["submit,runtime,cores,gpu", "0,1,1,-1"], "jobs.csv:2: a task of -1 GPUs is out of range"],
    [["submit,runtime,cores,gpu", "0,1,1,two"], 'jobs.csv:2: column gpu: "two" is not a number'],
    [["submit,start,end,cores", "0,5,4,1"], "jobs.csv:2: it ended before it started"],
  ])("has a bad row refused when asked to: %j", async (lines, message) => {
    expect((await inputErrorOf(() => read(lines, { strict: true }))).message).toBe(message);
  });

  it("has dates of another country read, and what month has a name shown", async () => {
    const workload = await read(
      [
        "Eingereicht;start;end;cpus;mem",
        "01.03.2026 08:00;1.3.2026, 8:05:00;01.03.2026 09:05;4;1,5 GB",
        "2. März 2026 08:00;2.3.2026 08:00;2.3.2026 09:00;4;1",
      ],
      { columns: { submit: "Eingereicht" } },
    );
    expect(jobsOf(workload)).toMatchObject([
      {
        submitSeconds: Date.UTC(2026, 2, 1, 8) / 1000,
        recordedWaitSeconds: 300,
        runtimeSeconds: 3600,
        memoryMiB: 1536,
      },
    ]);
    expect(workload.notes).toContainEqual({
      what: "dropped: column Eingereicht: not a time: write 2026-12-31T08:05:00, 31.12.2026 8:05 or seconds",
      count: 1,
      firstLine: 3,
      example: "2. März 2026 08:00",
      isUnreadable: true,
    });
  });

  describe("dates with slashes", () => {
    const header = "submitted,started,finished,cpus";
    const first = "03/01/2026 08:00,03/01/2026 08:10,03/01/2026 20:10,1";
    const at = (month: number): number => Date.UTC(2026, month - 1, month === 3 ? 1 : 3, 8) / 1000;

    it.each([
      ["13/03/2026 08:00,13/03/2026 9:00 AM,13/03/2026 10:00 PM,1", 1, "D/M/Y"],
      ["3/13/2026 08:00,3/13/2026 09:00,3/13/2026 10:00,1", 3, "M/D/Y"],
      ["2026-01-01 08:00,2026-03-13 09:00,3/13/2026 10:00,1", 3, "M/D/Y"],
    ])("are read as one of them tells: %s", async (telling, month, order) => {
      const workload = await read([header, first, telling]);
      const jobs = jobsOf(workload);
      expect(jobs).toHaveLength(2);
      expect(jobs).toContainEqual(
        expect.objectContaining({
          submitSeconds: at(month),
          recordedWaitSeconds: 600,
          runtimeSeconds: 43_200,
        }),
      );
      expect(notesOf(workload)).toContain(`read: dates with slashes as ${order}, which one of them tells: 1`);
    });

    it("are read as is told of one column", async () => {
      const lines = [header, first];
      expect(jobsOf(await read(lines, { columns: { submit: "submitted:D/M/Y" } }))).toMatchObject([
        { submitSeconds: at(1), runtimeSeconds: 43_200 },
      ]);
      expect(jobsOf(await read(lines, { columns: { end: "finished:M/D/Y" } }))).toMatchObject([
        { submitSeconds: at(3), runtimeSeconds: 43_200 },
      ]);
      const both = { submit: "submitted:D/M/Y", end: "finished:M/D/Y" };
      const { message } = await inputErrorOf(() => read(lines, { columns: both }));
      expect(message).toBe("jobs.csv:1: --columns: dates are D/M/Y or M/D/Y, not both");
    });

    it("are dropped and counted where none tells, and other rows are kept in their order", async () => {
      const workload = await read([
        header,
        "2026-03-01,2026-03-01,2026-03-02,1",
        first,
        "2026-03-01,2026-03-01,2026-03-02,2",
      ]);
      expect(workload.count).toBe(2);
      expect(workload.notes).toContainEqual({
        what: 'dropped: column submitted: a date in which the day or the month may come first, and no other tells: --columns "submit=submitted:D/M/Y" says the day, M/D/Y the month',
        count: 1,
        firstLine: 3,
        example: "03/01/2026 08:00",
        isUnreadable: true,
      });
    });

    it("that cannot be in the order that one of them tells are dropped and counted", async () => {
      const workload = await read([
        header,
        first,
        first.replaceAll("03/01", "13/01"),
        first.replaceAll("03/01", "01/13"),
      ]);
      expect(workload.count).toBe(2);
      expect(workload.notes).toContainEqual(
        expect.objectContaining({ count: 1, firstLine: 4, example: "01/13/2026 08:00" }),
      );
    });
  });

  it.each([
    [["submit,runtime,cores,Submit", "0,1,1,2"], 'jobs.csv:1: two columns are named "submit"'],
    [["submit,runtime,cores"], "jobs.csv: there is no job in it"],
    [
      ["submit,runtime,cores", "a,b,c"],
      /^jobs.csv: there is no job in it; dropped: column submit: not a time: .* \(1, first in line 2: "a"\)$/,
    ],
    [
      ["id,queued,ncpus", "0,1,2"],
      'jobs.csv:1: there is no column "runtime" for how long a job ran, or for its start and its end, nor one called run, runningtime, duration, elapsed or the like; there are id, queued, ncpus: say which is it with --columns runtime=NAME',
    ],
    [
      ["when,runtime,cores", "0,1,2"],
      /^jobs.csv:1: there is no column "submit" for when a job was submitted, .* --columns submit=NAME$/,
    ],
    [
      ["submit,runtime,size", "0,1,2"],
      /^jobs.csv:1: there is no column "cores" for the cores of a job, .* there are submit, runtime, size: /,
    ],
  ])("is refused: %j", async (lines, message) => {
    const { message: said } = await inputErrorOf(() => read(lines));
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it("notes that its last line has no line break, as when it is cut short", async () => {
    const workload = await csv.read(textSource("jobs.csv", "submit,runtime,cores", "0,1,1"));
    expect(notesOf(workload)).toEqual([
      "kept: a last line that no line break ends: is the log cut short?: 1",
    ]);
  });
});

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

describe("a CSV log with other names", () => {
  it("is understood, and says how", async () => {
    const workload = await readWorkload(
      textSource(
        "export.csv",
        "JobID;User;Partition;Submit Time;Start_Time;endTime;nCPUs;mem_gb;TimeLimit;State;Node List;Comment",
        "100_3;ann;batch;2026-03-01T08:00:00Z;2026-03-01 08:10:00;2026-03-01 09:10:00+00:00;4;1,5;2-00:00:00;COMPLETED;n[1-2];x",
        "101.batch;ann;batch;2026-03-01T08:00:00Z;2026-03-01 08:10:00;2026-03-01 09:10:00+00:00;4;1,5;;COMPLETED;n1;x",
        "102.server;bob;batch;2026-03-01T08:01:00Z;;;4;1,5;;CANCELLED;;x",
        "103[7].server;bob;batch;2026-03-01T08:01:00Z;2026-03-01 08:10:00;;4;1,5;;RUNNING;;x",
        "",
      ),
    );
    expect(jobsOf(workload)).toEqual([
      {
        submitSeconds: EIGHT,
        recordedWaitSeconds: 600,
        runtimeSeconds: 3600,
        tasks: 2,
        coresMilli: 2000,
        memoryMiB: 768,
        estimateSeconds: 172_800,
        jobNumber: 100,
        arrayIndex: 3,
        user: "ann",
        queue: "batch",
        state: "COMPLETED",
        nodes: "n[1-2]",
      },
    ]);
    expect(workload.farm).toEqual({ unixStartSeconds: 0 });
    expect(notesOf(workload)).toEqual([
      'read: job from "JobID", submit from "Submit Time", start from "Start_Time", end from "endTime", estimate from "TimeLimit", ' +
        'cores from "nCPUs", memory from "mem_gb" in gb, queue from "Partition", node_list from "Node List": 1',
      "left out: steps of jobs: 1",
      "dropped: it never started: 1",
      "dropped: it had not ended when the log was made: 1",
      'ignored: the column "comment": 4',
      "read: times that name no zone, as of UTC: 1",
    ]);
  });

  it.each([
    ["submitted,runtime,cores", "1772352000,90m,4", { runtimeSeconds: 5400 }],
    ["qtime,duration,slots", "1772352000,01:02:03,4", { runtimeSeconds: 3723 }],
    ["created_at,elapsed,cpus", "1772352000000,PT1H,4", {}],
    ["submit_ms,runtime_ms,cores", "1772352000000,3600000,4", {}],
    ["submit,runtime_min,cores", "1772352000,60,4", {}],
    ["submit (s),run time [h],cores", "1772352000,1,4", {}],
    ["submit_ts,walltime,procs", "1772352000,1:00:00,4", {}],
    ["submit,runtime,walltime,procs", "1772352000,3600,7200,4", { estimateSeconds: 7200 }],
    [
      "submit_time,start_time,end_time,cores",
      "2026-03-01 08:00,2026-03-01 08:10,2026-03-01 09:10",
      { recordedWaitSeconds: 600 },
    ],
    [
      "start,end,wait,cores,memory",
      "1772352600,1772356200,600,4,4G",
      { recordedWaitSeconds: 600, memoryMiB: 4096 },
    ],
    ["submit,runtime,cores,mem_kb", "1772352000,3600,4,1048576", { memoryMiB: 1024 }],
    ["submit,runtime,cores,memory", "1772352000,3600,4,512 MB", { memoryMiB: 512 }],
    [
      "submit,runtime,cores,nnodes,memory,gpus",
      "1772352000,3600,8,2,2048,4",
      { tasks: 2, memoryMiB: 1024, gpuMilli: 2000 },
    ],
    [
      "submit,runtime,cores,nodes",
      '1772352000,3600,4,"n1,n2"',
      { tasks: 2, coresMilli: 2000, nodes: "n1,n2" },
    ],
    [
      "submit,runtime,cores,host",
      '1772352000,3600,8,"n1,n2"',
      { tasks: 2, coresMilli: 4000, nodes: "n1,n2" },
    ],
    [
      "submit,runtime,cores,node_list",
      "1772352000,3600,8,n[1-4]",
      { tasks: 4, coresMilli: 2000, nodes: "n[1-4]" },
    ],
    [
      "submit,runtime,cores,exec_host",
      "1772352000,3600,8,n02/0*4+n03/0*4",
      { tasks: 2, coresMilli: 4000, nodes: "n02/0*4+n03/0*4" },
    ],
    [
      "submit,runtime,cores,tasks,node_list",
      '1772352000,3600,8,1,"n1,n2"',
      { coresMilli: 8000, nodes: "n1,n2" },
    ],
    ["submit,runtime,cores,tasks,nodes", "1772352000,3600,4,2,1", { tasks: 2 }],
    ["submit\truntime\tcores\tuser", "1772352000\t3600\t4\tann x", { user: "ann x" }],
    ["submit|runtime|cores|queue", "1772352000|3600|4|q", { queue: "q" }],
    ["# submit,runtime,cores", "1772352000,3600,4", {}],
  ])("reads %j %j", async (header, row, expected) => {
    const line = header.includes("end_time") ? `${row},4` : row;
    const [job] = jobsOf(await readWorkload(textSource("log", header, line, "")));
    expect(job).toEqual({ submitSeconds: EIGHT, runtimeSeconds: 3600, coresMilli: 4000, ...expected });
  });

  it("uses the name that is most likely meant, and says of the others that they are ignored", async () => {
    const workload = await read(["qtime,submit,runtime,cores,ncpus", "5,0,10,2,9"]);
    expect(jobsOf(workload)).toEqual([{ submitSeconds: 0, runtimeSeconds: 10, coresMilli: 2000 }]);
    expect(notesOf(workload)).toEqual(['ignored: the column "qtime": 1', 'ignored: the column "ncpus": 1']);
    expect(workload.farm).toBeNull();
  });

  it("has no column for a memory that was used", async () => {
    expect((await read(["submit,runtime,cores,maxrss", "0,1,1,9"])).memoryMiB).toBeNull();
  });

  it("can be given its columns, with units", async () => {
    const lines = ["who,came_in,took,n,mb,Runtime", "ann,2026-03-01T09:00:00,60,4,2,9", ""];
    const columns = { user: "who", submit: "came_in", runtime: "took:min", cores: "N", memory: "mb:GiB" };
    const workload = await readWorkload(textSource("log", ...lines), { columns, timeZone: "+01:00" });
    expect(jobsOf(workload)).toEqual([
      { submitSeconds: EIGHT, runtimeSeconds: 3600, coresMilli: 4000, memoryMiB: 2048, user: "ann" },
    ]);
    expect(notesOf(workload)[0]).toBe(
      'read: submit from "came_in", runtime from "took" in min, cores from "n", memory from "mb" in GiB, user from "who": 1',
    );
  });

  it.each([
    [
      { submit: "qtime" },
      'jobs.csv:1: there is no column "qtime" for submit; there are submit, runtime, cores',
    ],
    [
      { runtime: "runtime:fortnights" },
      'jobs.csv:1: there is no column "runtime:fortnights" for runtime; there are submit, runtime, cores; "fortnights" is not a unit of runtime either',
    ],
    [{ core: "cores" }, /^--columns: there is nothing called "core" to have a column; did you mean cores/],
  ])("is refused where what is told cannot be: %j", async (columns, message) => {
    const { message: said } = await inputErrorOf(() => read(["submit,runtime,cores", "0,1,1"], { columns }));
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it("may say what Croft ran: not where rows differ, or one does not say it", async () => {
    const ran = async (...cells: string[]): Promise<unknown> =>
      (await read(["submit,runtime,cores,ran_under", ...cells.map((cell) => `0,1,1,${cell}`)])).farm;
    expect(await ran("easy; interval 0 s", "easy; interval 0 s")).toEqual({
      policy: "easy",
      intervalSeconds: 0,
    });
    expect(await ran("several policies")).toEqual({ policy: null });
    expect(await ran("easy", "fcfs")).toBeNull();
    expect(await ran("easy", "")).toBeNull();
    expect(await ran("who knows")).toBeNull();
  });

  it("reads back what was written, with all columns", async () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-csv-"));
    try {
      await fc.assert(
        fc.asyncProperty(anyWorkload, async (workload) => {
          // As text times below 10^11 are seconds, and a name is what is left of blanks around it.
          fc.pre(workload.count > 0 && workload.submitSeconds.every((seconds) => seconds < 1e11));
          const path = join(folder, "log.csv");
          await writeCsv({ ...workload, jobNumber: null }, path);
          const back = await csv.read(path);
          expect(back.count).toBe(workload.count);
          for (const column of ["submitSeconds", "runtimeSeconds", "coresMilli"] as const) {
            expect([...back[column]]).toEqual([...workload[column]]);
          }
          expect(back.arrayIndex ?? []).toEqual(
            workload.arrayIndex?.some((at) => at >= 0) ? workload.arrayIndex : [],
          );
          const waits = workload.recordedWaitSeconds;
          if (waits?.some((wait) => !Number.isNaN(wait)))
            expect([...back.recordedWaitSeconds!]).toEqual([...waits]);
        }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
