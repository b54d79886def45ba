import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { writeTasks } from "../writers/tasks.ts";
import { readOwn } from "../parquet/own.ts";
import { withParquet } from "../parquet/parquet.ts";
import { writeParquet } from "../parquet/write.ts";
import { readWorkload } from "./registry.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-tasks-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const text = "0 977 1 0.25 0.6 368\n1 1885 64 1.0 0.4 412.5\n";

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("the tasks format", () => {
  it("says tasks and what each needs of a node", async () => {
    const workload = await readWorkload(file("a.txt", text), { format: "tasks" });
    expect(workload.name).toBe("a");
    expect([...workload.submitSeconds]).toEqual([977, 1885]);
    expect([...workload.tasks!]).toEqual([1, 64]);
    expect([...workload.nodeCpu!]).toEqual([0.25, 1]);
    expect([...workload.nodeMemory!]).toEqual([0.6, 0.4]);
    expect([...workload.runtimeSeconds]).toEqual([368, 412.5]);
    expect([...workload.coresMilli]).toEqual([250, 1000]);
    expect(workload.memoryMiB).toBeNull();
  });

  it("is recognised, comments and blank lines are skipped, and lines sorted", async () => {
    const workload = await readWorkload(
      file("b.txt", "2 10 1 0.25 0.5 4\n\n# x\n; synthetic\n1 5 2 1 1 3\n"),
    );
    expect([...workload.submitSeconds]).toEqual([5, 10]);
    expect([...workload.nodeMemory!]).toEqual([1, 0.5]);
    expect(workload.synthetic).toBe(true);
  });

  it("reads jobs that need no memory", async () => {
    const workload = await readWorkload(file("e.txt", "0 5 1 0.25 0 4\n"));
    expect([...workload.nodeMemory!]).toEqual([0]);
  });

  it.each([
    ["0 1 1 0.25 0.6", /c.txt:1: the line has not the 6 fields id submit tasks cpu mem runtime/],
    ["0 1 1 0.25 0.6 3 4", /has not the 6 fields/],
    ["0 1 1 0 0.6 3", /cpu is 0: give the part of a node/],
    ["0 1 1 0.5 1.5 3", /mem is 1.5: give the part of a node/],
    ["0 1 1 0.5 -0.1 3", /mem is -0.1: give the part of a node, 0 to 1/],
    ["0 1 1 0.5 x 3", /c.txt:1: mem is not a number/],
    ["0 1 0 0.5 0.5 3", /a job of 0 tasks/],
  ])("refuses %s", async (line, why) => {
    await expect(readWorkload(file("c.txt", `${line}\n`), { format: "tasks" })).rejects.toThrow(why);
  });

  it("is written and read back, as is Parquet", async () => {
    const workload = await readWorkload(file("d.tasks", text));
    const copy = join(folder, "copy.tasks");
    await writeTasks(workload, copy);
    expect(readFileSync(copy, "utf8")).toBe("0 977 1 0.25 0.6 368\n1 1885 64 1 0.4 412.5\n");
    await writeParquet(workload, join(folder, "copy.parquet"));
    expect(await withParquet(join(folder, "copy.parquet"), readOwn)).toEqual({
      ...workload,
      format: undefined,
    });
    const { nodeCpu: _, ...withoutNeeds } = workload;
    await expect(writeTasks(withoutNeeds, copy)).rejects.toThrow(/does not say what part of a node/);
  });
});
