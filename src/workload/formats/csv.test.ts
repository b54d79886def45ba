import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { candidatePools, type Workload } from "../workload.ts";
import { csv } from "./csv.ts";
import type { ReadOptions } from "./format.ts";

function read(lines: readonly string[], options?: ReadOptions): Promise<Workload> {
  return csv.read(textSource("jobs.csv", ...lines), options);
}

describe("a CSV log", () => {
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

  it("may say what a farm asks: requirements, pools, site, group", async () => {
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

  it("has each requirement looked at once, and names the line of one that is refused", async () => {
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

  it.each([
    [["submit,cores", "0,1"], 'jobs.csv:1: there is no column "runtime", only submit, cores'],
    [["submit,runtime,cores,Submit", "0,1,1,2"], 'jobs.csv:1: two columns are named "submit"'],
    [["submit,runtime,cores", "0,1,1", "0,x,1"], 'jobs.csv:3: column runtime: "x" is not a number'],
    [["submit,runtime,cores", "0,,1"], 'jobs.csv:2: column runtime: "" is not a number'],
    [["submit,runtime,cores", "0,1"], "jobs.csv:2: the line has 2 fields, not 3"],
    [["submit,runtime,cores", "0,1,1,1"], "jobs.csv:2: the line has 4 fields, not 3"],
    [["submit,runtime,cores", '0,1,"1'], "jobs.csv:2: a quote is not closed"],
    [["submit,runtime,cores", "0,1,0"], "jobs.csv:2: a task of 0 cores is out of range"],
    [["submit,runtime,cores", "0,-1,1"], "jobs.csv:2: the run time is out of range: give seconds, 0 or more"],
    [["submit,runtime,cores,tasks", "0,1,1,1.5"], "jobs.csv:2: a job of 1.5 tasks cannot be"],
    [["submit,runtime,cores,tasks", "0,1,1,0"], "jobs.csv:2: a job of 0 tasks cannot be"],
    [["submit,runtime,cores,priority", "0,1,1,0.5"], "jobs.csv:2: the priority 0.5 is no integer of 32 bits"],
    [["submit,runtime,cores,gpu", "0,1,1,-1"], "jobs.csv:2: a task of -1 GPUs is out of range"],
    [["submit,runtime,cores"], "jobs.csv: there is no job in it"],
  ])("is refused: %j", async (lines, message) => {
    expect((await inputErrorOf(() => read(lines))).message).toBe(message);
  });
});
