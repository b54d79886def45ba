import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyWorkload, spelledOut } from "../any-workload.fixture.ts";
import type { Workload } from "../workload.ts";
import { writeCsv } from "./csv.ts";
import { workloadWriters } from "./registry.ts";
import { swfLosses, writeSwf } from "./swf.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-writers-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function written(write: typeof writeSwf, workload: Workload): Promise<string> {
  const path = join(folder, "out");
  await write(workload, path);
  return readFileSync(path, "utf8");
}

const small: Workload = {
  name: "small",
  synthetic: true,
  count: 2,
  submitSeconds: Float64Array.of(10, 12.5),
  runtimeSeconds: Float64Array.of(0, 3600),
  coresMilli: Int32Array.of(1500, 3000),
  memoryMiB: Int32Array.of(100, 1000),
  gpuMilli: null,
  tasks: Int32Array.of(1, 4),
  estimateSeconds: Float64Array.of(Number.NaN, 4000),
  jobNumber: Float64Array.of(7, 9),
  recordedWaitSeconds: Float64Array.of(5, Number.NaN),
  project: null,
  user: { codes: Int32Array.of(1, 0), names: ["ann", 'bob "the job", jr'] },
  queue: { codes: Int32Array.of(0, 0), names: ["long\nqueue"] },
  policy: null,
  requires: null,
  pools: null,
  site: null,
  group: null,
  priority: Int32Array.of(-1, 3),
  notes: [{ what: "dropped: cancelled before it started", count: 3 }],
  farm: { computer: "Farm", nodes: 4, processors: 32, unixStartSeconds: 1_351_728_003 },
};

test("SWF has the header and 18 fields", async () => {
  expect(await written(writeSwf, small)).toBe(`; Version: 2.2
; Computer: Farm
; MaxJobs: 2
; MaxRecords: 2
; UnixStartTime: 1351728003
; MaxNodes: 4
; MaxProcs: 32
; MaxQueues: 1
; Queue: 1 long queue
; Note: written from small
; Note: synthetic: made by a generator, not recorded on a machine
; Note: dropped: cancelled before it started (3)
; Note: processors are tasks times the cores of each, rounded up to whole cores; memory is divided among them
; Note: left out: priorities, users' names
7 10 5 0 2 -1 -1 2 -1 51200 -1 2 -1 -1 1 -1 -1 -1
9 12.5 -1 3600 12 -1 -1 12 4000 341333 -1 1 -1 -1 1 -1 -1 -1
`);
});

test("CSV has the columns of the workload", async () => {
  expect(await written(writeCsv, small))
    .toBe(`job,submit,runtime,cores,memory,tasks,estimate,wait,user,queue,priority
7,10,0,1.5,100,1,,5,"bob ""the job"", jr","long
queue",-1
9,12.5,3600,3,1000,4,4000,,ann,"long
queue",3
`);
  const bare: Workload = { ...small, memoryMiB: null, tasks: null, estimateSeconds: null, jobNumber: null };
  const text = await written(writeCsv, {
    ...bare,
    recordedWaitSeconds: null,
    user: null,
    queue: null,
    priority: null,
  });
  expect(text).toBe("job,submit,runtime,cores\n1,10,0,1.5\n2,12.5,3600,3\n");
});

test("SWF tells of a time that it has for an unknown one", async () => {
  const early = { ...small, submitSeconds: Float64Array.of(-1, 12.5) };
  const note = "a submission at -1 s, which the format has for an unknown one: jobs 1";
  expect(swfLosses(early)).toContain(note);
  expect(await written(writeSwf, early)).toContain(`; Note: ${note}\n`);
  expect(swfLosses(small)).not.toContain(note);
});

test("SWF keeps submit, run time, processors and memory", async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkload, async (workload) => {
      const rows = (await written(writeSwf, workload))
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith(";"))
        .map((line) => line.split(" ").map(Number));
      expect(rows.every((fields) => fields.length === 18)).toBe(true);
      const column = (field: number): number[] => rows.map((fields) => fields[field - 1]);
      const { tasks, coresMilli, memoryMiB } = workload;
      const cores = Array.from(coresMilli, (milli) => Math.ceil(milli / 1000));
      expect(column(2)).toEqual(Array.from(workload.submitSeconds));
      expect(column(4)).toEqual(Array.from(workload.runtimeSeconds));
      expect(column(5)).toEqual(cores.map((c, row) => c * (tasks?.[row] ?? 1)));
      if (memoryMiB === null) {
        expect(column(10)).toEqual(cores.map(() => -1));
      } else {
        // The memory of a task's processors together, in MiB rounded up, is the task's.
        column(10).forEach((kB, row) => {
          if (cores[row] <= 1024) expect(Math.ceil((kB * cores[row]) / 1024)).toBe(memoryMiB[row]);
        });
      }
    }),
  );
});

test("CSV keeps everything but notes and most of the farm", async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkload, async (workload) => {
      const [header, ...rows] = parseCsv(await written(writeCsv, workload));
      const cells = (name: string): string[] => rows.map((row) => row[header.indexOf(name)]);
      const plain = spelledOut(workload);
      expect(cells("submit").map(Number)).toEqual(plain["submitSeconds"]);
      expect(cells("runtime").map(Number)).toEqual(plain["runtimeSeconds"]);
      expect(cells("cores").map((cell) => Math.round(Number(cell) * 1000))).toEqual(plain["coresMilli"]);
      for (const [name, key] of [
        ["memory", "memoryMiB"],
        ["estimate", "estimateSeconds"],
        ["wait", "recordedWaitSeconds"],
        ["priority", "priority"],
      ] as const) {
        expect(header.includes(name) ? cells(name).map(number) : null).toEqual(plain[key]);
      }
      // Where jobs ran would else say how many tasks they have.
      const ones = plain["nodes"] === undefined ? null : rows.map(() => 1);
      expect(header.includes("tasks") ? cells("tasks").map(Number) : null).toEqual(plain["tasks"] ?? ones);
      for (const name of ["project", "user", "queue", "policy", "requires", "pools", "site", "group"]) {
        expect(header.includes(name) ? cells(name) : null).toEqual(plain[name]);
      }
      expect(header.includes("state") ? cells("state") : undefined).toEqual(plain["state"]);
      expect(header.includes("node_list") ? cells("node_list") : undefined).toEqual(plain["nodes"]);
      const places = header.includes("array_index") ? cells("array_index") : undefined;
      expect(places?.map((cell) => (cell === "" ? -1 : Number(cell)))).toEqual(plain["arrayIndex"]);
    }),
  );
});

function number(cell: string): number {
  return cell === "" ? Number.NaN : Number(cell);
}

/** A plain reader of quoted CSV, one character at a time. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let inQuotes = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inQuotes && c === '"' && text[i + 1] === '"') {
      cell += c;
      i++;
    } else if (c === '"') inQuotes = !inQuotes;
    else if (inQuotes || (c !== "," && c !== "\n")) cell += c;
    else {
      rows.at(-1)!.push(cell);
      cell = "";
      if (c === "\n") rows.push([]);
    }
  }
  return rows.slice(0, -1);
}

test("names ending in .gz and .zst are compressed", async () => {
  const plain = await written(writeSwf, small);
  await writeSwf(small, join(folder, "out.swf.gz"));
  await writeSwf(small, join(folder, "out.swf.zst"));
  expect(gunzipSync(readFileSync(join(folder, "out.swf.gz"))).toString()).toBe(plain);
  expect(zstdDecompressSync(readFileSync(join(folder, "out.swf.zst"))).toString()).toBe(plain);
});

test("every writer refuses a missing folder, and leaves nothing behind", async () => {
  const inNodes = { ...small, nodeCpu: Float64Array.of(0.25, 1), nodeMemory: Float64Array.of(0.1, 0.35) };
  for (const writer of workloadWriters) {
    await expect(writer.write(inNodes, join(folder, "missing", "out"))).rejects.toThrow(
      /missing.out: cannot be written: its folder/,
    );
  }
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
