import { spawn } from "node:child_process";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, inject, it } from "vitest";

import { finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it("a job reads the file that it names, byte for byte, and nothing else", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--cores", "1", ...args);
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));
  writeFileSync(join(farm.folder, "in put"), bytes);
  const sum = ["--", "sh", "-c", "wc -c; cksum <$0", join(farm.folder, "in put")];
  expect(
    await submit("--input", "in put", "--wait", "--", "cmp", "-", join(farm.folder, "in put")),
  ).toMatchObject({ status: 0, stderr: "" });
  // An array's jobs each read all of it; without a file there is nothing to read.
  await submit("--input", "in put", "--array", "1-2", ...sum);
  await submit(...sum);
  await farm.croft("wait", "2-4");
  const first = async (job: string): Promise<string> =>
    (await farm.croft("logs", job)).stdout.split("\n")[0].trim();
  expect([await first("2"), await first("3"), await first("4")]).toEqual(["70000", "70000", "0"]);
  await farm.croft("rerun", "2");
  await farm.croft("wait", "5");
  expect(await first("5")).toBe("70000");
  for (const missing of ["nowhere", "."]) {
    const end = await submit("--input", missing, "--wait", "--", "cat");
    expect(end).toMatchObject({
      status: 116,
      stderr: expect.stringContaining("its input cannot be read: /"),
    });
  }
  expect(await submit("--input", "-", "--", "cat")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("write it to a file"),
  });
});

it("a folder that was deleted is told in words, here and where the job starts", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const folder = join(farm.folder, "gone");
  mkdirSync(folder);
  const gone = (...args: string[]) => {
    mkdirSync(folder, { recursive: true });
    const words = [process.execPath, inject("cliBundle"), "submit", "--socket", farm.socket, ...args];
    return finished(spawn("sh", ["-c", 'rmdir "$PWD"; exec "$@"', "sh", ...words], { cwd: folder }));
  };
  expect(await gone("--", "true")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("the folder that you are in was deleted"),
  });
  expect(await gone("--cwd", "/", "--wait", "--", "true")).toMatchObject({ status: 0 });
  mkdirSync(folder);
  await farm.croft("submit", "--cwd", folder, "--hold", "--", "true");
  rmdirSync(folder);
  await farm.croft("release", "2");
  expect(await farm.croft("wait", "2")).toMatchObject({
    status: 116,
    stderr: expect.stringContaining("its working directory cannot be entered"),
  });
});

it("arguments, variables and folders that are no text are refused, and not changed", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const submit = (script: string) => {
    const words = [process.execPath, inject("cliBundle"), "submit", "--socket", farm.socket];
    return finished(
      spawn("sh", ["-c", script, "sh", ...words], { cwd: farm.folder, stdio: ["ignore", "pipe", "pipe"] }),
    );
  };
  for (const script of [
    `exec "$@" -- echo "$(printf 'a\\377')"`,
    `X=$(printf '\\377') exec "$@" -- true`,
    `mkdir "$(printf '\\377')"; cd "$(printf '\\377')"; exec "$@" -- true`,
  ])
    expect(await submit(script)).toMatchObject({ status: 2, stderr: expect.stringContaining("UTF-8") });
  expect((await farm.croft("jobs")).stdout).toBe("no jobs\n");
});
