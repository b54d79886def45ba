import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { readWorkload, workloadFormat, workloadFormats } from "./registry.ts";

const swfLine = "1 0 5 60 4 59.5 1024 4 90 2048 1 3 2 -1 1 -1 -1 -1";
const csvHeader = "submit,runtime,cores";

async function formatOf(name: string, ...lines: readonly string[]): Promise<string | undefined> {
  const { bytes } = textSource(name, ...lines);
  return workloadFormats.find((format) => format.matches(name, bytes))?.name;
}

describe("the format of a log", () => {
  it.each([
    ["swf", "a.swf", ["anything"]],
    ["swf", "a.SWF.gz", ["anything"]],
    ["swf", "a", ["; Version: 2.2"]],
    ["swf", "a", ["", "   ; Version: 2.2"]],
    ["swf", "a", [swfLine, swfLine]],
    ["gwf", "anon_jobs.gwf.gz", ["anything"]],
    ["gwf", "a", ["# GWF", `1 0 5 60 4 59.5 1024 4 90 2048 1 U3 G2 X1 Q1${" -1".repeat(14)}`]],
    ["gwf", "a", [`1 0 5 60 4 59.5 1024 4 90 2048 1${" -1".repeat(18)}`]],
    ["gwf", "a", ["# 1 JobID", "# 2 SubmitTime in s", "# 3 WaitTime", "# 4 RunTime", "# 5 NProcs", "1 2"]],
    ["swf", "a", [`${swfLine} {1,2} q_1d x`, swfLine]],
    ["csv", "a", [csvHeader, "1,2,3"]],
    ["csv", "a", ['"Cores" , "runtime",x,submit', "1,2,3"]],
    ["csv", "a.swf", [csvHeader]],
    ["accounting", "a", ["start,end,queue", "1,2,q"]],
    ["csv", "a", ["start,end,queue,submit,runtime,cores", "1,2,q,1,2,3"]],
    ["netbatch", "a.csv", [`${"0,".repeat(21)}cores=1;memory=4`]],
    ["netbatch", "a.csv", ["bad", `${"0,".repeat(21)}memory=4;cores=1`]],
    ["openb", "a", ["name,cpu_milli,memory_mib,num_gpu,gpu_milli"]],
    ["slurm", "a", ["JobID|Submit|Start|End|NCPUS", "1|2|3|4|5"]],
    ["slurm", "a", ["", "damaged|line", "AllocCPUS|JobID|Submit|"]],
    ["slurm", "a", ["JobID;State;Elapsed"]],
    ["csv", "a", ["submit,runtime,cores,jobid,state"]],
    ["slurm-json", "a", ['{"jobs": [{"association": {}}]}']],
    ["pbs", "20260301", ["damaged", "03/01/2026 08:00:00;Q;100.pbs;queue=workq"]],
    ["grid-engine", "accounting", ["# Version: 6.2u5", `q:h:g:o:n:1:sge:0:1:2:3:0:0:${"0:".repeat(31)}`]],
    ["qacct", "a", ["====", "qname   all.q", "hostname   n1"]],
    ["lsf", "lsb.acct", ['"EVENT_ADRSV_FINISH" "10.1" 1', '"JOB_FINISH" "10.1" 1']],
    ["htcondor", "history", ['Owner = "ann"', "ClusterId = 7"]],
    ["htcondor-json", "a", ["[", '{"Owner": "ann", "QDate": 7}']],
    ["kubernetes", "a", ["{", '"apiVersion": "v1",', '"items": [{"kind": "Pod"}]}']],
    [undefined, "a", ["# Title", "", "text"]],
    [undefined, "a", ["1 2 3"]],
    ["csv", "a", ["job_id;Queued At;ncpus"]],
    ["csv", "a", ["# jobs", "submit\truntime\tcores"]],
    ["accounting", "a", ["start,end,queue,cores"]],
    ["csv", "a", ["start,end,queue,submitted"]],
    [undefined, "a.csv", ["id,cores,memory"]],
  ] as const)("is %s: %s %j", async (format, name, lines) => {
    expect(await formatOf(name, ...lines)).toBe(format);
  });

  it("is HTCondor's JSON where HTCondor is told", async () => {
    const ad = { ClusterId: 7, QDate: 1, JobStartDate: 2, CompletionDate: 9, RequestCpus: 4, JobStatus: 4 };
    const source = textSource("a.json", JSON.stringify([ad]));
    const workload = await readWorkload(source, { format: "condor" });
    expect([workload.format, ...workload.coresMilli]).toEqual(["htcondor-json", 4000]);
  });

  it("may be told", async () => {
    const workload = await readWorkload(textSource("a.log", csvHeader, "0,1,2"), { format: "CSV" });
    expect(workload.coresMilli[0]).toBe(2000);
    const error = await inputErrorOf(() =>
      readWorkload(textSource("a.log", csvHeader, "0,1,2"), { format: "swf" }),
    );
    expect(error.message).toMatch(/^a.log:1: field 1 is not a number/);
  });

  it("must be a known name, or the error lists them", async () => {
    const error = await inputErrorOf(() => readWorkload("no-file", { format: "swift" }));
    expect(error.message).toMatch(/^no format "swift": choose .*csv, accounting, netbatch, tasks, gwf, swf$/);
  });

  it.each([
    ["condor", "htcondor"],
    ["Condor-JSON", "htcondor-json"],
    ["gridengine", "grid-engine"],
  ])("may be called %s as well as %s", (other, name) => {
    expect(workloadFormat(other)).toBe(workloadFormat(name));
  });

  it("must be given if it is not recognised", async () => {
    const error = await inputErrorOf(() => readWorkload(textSource("a.txt", "", "# prose, and more")));
    expect(error.message).toMatch(
      /^a.txt: the format cannot be told from the content, which begins "# prose, and more": say which with --format \(parquet, .*swf\)/,
    );
    expect(error.message).toMatch(
      /--columns: it needs submit, cores, and runtime or start and end; see docs\/workloads.md$/,
    );
  });

  it("is recognised in a source that can be read only once, too", async () => {
    const bytes = new TextEncoder().encode(`${csvHeader}\n0,1,2\n`);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Uint8Array.of(byte);
    }
    const workload = await readWorkload({ name: "standard input", chunks: chunks() });
    expect([workload.name, workload.count]).toEqual(["standard input", 1]);
  });

  it("notes options without effect", async () => {
    const options = { timeZone: "UTC", memoryScope: "per-job" } as const;
    const workload = await readWorkload(textSource("a", csvHeader, "0,1,2", ""), options);
    expect(workload.notes).toEqual([
      { what: "no effect: the time zone, as no time in the log needs one", count: 1 },
      { what: "no effect on the format csv: whether memory is a processor's or a job's", count: 1 },
    ]);
    const other = await readWorkload(textSource("a.swf", swfLine, ""), { timeZone: "UTC" });
    expect(other.notes).toEqual([{ what: "no effect on the format swf: the time zone", count: 1 }]);
  });

  it.each([
    ["units with the amounts", ["submit,runtime,cores,memory", "0,1,2,4G", "5,1,2,512 MiB"], true],
    ["the unit with the column", ["submit,runtime,cores,mem_gb", "0,1,2,4"], true],
    ["no unit", ["submit,runtime,cores,memory", "0,1,2,4G", "5,1,2,4"], false],
    ["no memory", ["submit,runtime,cores,memory", "0,1,2,"], false],
  ])("notes a unit of memory without effect where a CSV has %s", async (_what, lines, hasNone) => {
    const { notes } = await readWorkload(textSource("a", ...lines, ""), { memoryUnit: "GiB" });
    const what = "no effect: the memory's unit, as the log tells that of every amount";
    expect(notes.some((note) => note.what === what)).toBe(hasNone);
  });

  it("of an empty file is none", async () => {
    expect((await inputErrorOf(() => readWorkload(textSource("a.swf")))).message).toBe(
      "a.swf: the file is empty",
    );
  });
});
