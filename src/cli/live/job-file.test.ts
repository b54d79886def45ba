import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { FarmError } from "../../live/client/farm-error.ts";
import { InputError } from "../../workload/errors.ts";
import { readJobFile, type JobFile } from "./job-file.ts";

function read(text: string, defaults = {}): Promise<JobFile> {
  const folder = mkdtempSync(join(tmpdir(), "croft-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "jobs.jsonl");
  writeFileSync(file, text);
  return readJobFile(file, defaults);
}

it("reads a job a line; what a line does not say is as the options have it", async () => {
  const text =
    '{"command": ["a"], "cores": 2}\n\n{"command": ["b"], "output": "out", "errorOutput": "logs/"}';
  expect((await read(text, { cores: 1, directory: "/d" })).jobs).toEqual([
    { command: ["a"], cores: 2, directory: "/d" },
    { command: ["b"], cores: 1, directory: "/d", output: resolve("out"), errorOutput: `${resolve("logs")}/` },
  ]);
});

it("says which line is no job, and of which the farm speaks", async () => {
  await expect(read('{"command": ["a"]}\nls -l\n')).rejects.toThrow(/jobs\.jsonl:2: this is no JSON/);
  await expect(read("[1]\n")).rejects.toThrow(/jobs\.jsonl:1: a line is a JSON object/);
  await expect(read("\n \n")).rejects.toThrow(/there is no job in it/);
  await expect(read('{"command": ["a"]}\n'.repeat(10_001))).rejects.toThrow(/:10001: a farm takes 10000/);
  const { located } = await read('{"command": ["a"]}\n\n{"command": ["b"]}\n');
  const about = (message: string): string => (located(new FarmError(400, message)) as Error).message;
  expect(about("jobs/1/cores: must be a number")).toMatch(/jobs\.jsonl:3: cores: must be a number$/);
  expect(about("jobs/0: there is no pool")).toMatch(/jobs\.jsonl:1: there is no pool$/);
  expect(located(new FarmError(403, "jobs/0: not allowed"))).toMatchObject({
    name: "FarmError",
    status: 403,
  });
  expect(located(new InputError("jobs/0: is no job"))).toBeInstanceOf(InputError);
  expect(about("the farm is stopping")).toBe("the farm is stopping");
});
