import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { scriptHints } from "./script-hints.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-hints-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function script(text: string): string {
  const path = join(folder, "job.sh");
  writeFileSync(path, text);
  return path;
}

it.each([
  ["SBATCH", "#SBATCH -c 4"],
  ["SBATCH", "#SBATCH --time=10"],
  ["PBS", "#PBS -l ncpus=4"],
  ["$", "#$ -pe smp 4"],
  ["HQ", "#HQ --cpus 4"],
])("tells that the #%s lines of a script are not read", (mark, line) => {
  const path = script(`#!/bin/sh\n${line}\ntrue\n`);
  for (const command of [[path], ["bash", path, "x"], ["/bin/sh", path]])
    expect(scriptHints(command)).toEqual([
      `the #${mark} lines of ${path} are not read: give croft submit the options`,
    ]);
});

it("says nothing of other scripts, of programs, and of what is not there", () => {
  const path = script("#!/bin/sh\n# PBS -l is not meant\necho '#SBATCH -c 4'\n#$x\n");
  expect(scriptHints([path])).toEqual([]);
  expect(scriptHints(["sh", "-c", "#SBATCH -c 4"])).toEqual([]);
  // A program that has read them itself says so in this way.
  expect(scriptHints(["bash", "--", script("#SBATCH -c 4\n")])).toEqual([]);
  for (const command of [["true"], [process.execPath], ["./nowhere"], ["/"], [""], ["/dev/zero"], []])
    expect(scriptHints(command)).toEqual([]);
});

it("tells that a file of this folder needs ./ in front", () => {
  expect(scriptHints(["package.json"])).toEqual([
    "package.json is looked for in the PATH, not in this folder: ./package.json is the one here",
  ]);
  expect(scriptHints(["./package.json"])).toEqual([]);
});

it("tells that no shell reads a line of shell", () => {
  const line = "ls | wc -l";
  expect(scriptHints([line])).toEqual([
    `no shell reads "ls | wc -l", which is one word: croft submit -- sh -c '…' has it read`,
  ]);
  const path = join(folder, "with a blank");
  writeFileSync(path, "");
  for (const command of [["sh", "-c", line], ["ls", "-l"], [path], [" ls"]])
    expect(scriptHints(command)).toEqual([]);
});

it("tells that a script cannot be run as it is", () => {
  const dos = script("#!/bin/bash\r\necho\r\n");
  for (const command of [[dos], ["bash", dos]])
    expect(scriptHints(command)).toEqual([
      `the lines of ${dos} end as those of Windows do, with which it is not found or fails: dos2unix`,
    ]);
  const other = script("#! /no/such/python -u\nprint(1)\n");
  expect(scriptHints([other])).toEqual([
    `${other} is run by /no/such/python, as its first line says, which is not here`,
  ]);
  expect(scriptHints(["sh", other])).toEqual([]);
  for (const fine of ["#!/bin/sh\necho '\r\n'\n", "echo\r\n", "#!\n", "#!sh\n", "\u007fELF#!/no/such\r\n"])
    expect(scriptHints([script(fine)])).toEqual([]);
});
