import { spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, inject, it } from "vitest";

import { finished, start } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it("many jobs are cancelled by one request, and what cannot be is told", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.croft("submit", "--hold", "--array", "1-500", "--", "true");
  const before = await turns(farm);
  const cancelled = await farm.croft("cancel", "1-500", "777", "--json");
  expect(cancelled).toMatchObject({ status: 111, stderr: "croft: there is no job 777\n" });
  const jobs = JSON.parse(cancelled.stdout) as { state: string }[];
  expect(jobs.map(({ state }) => state)).toEqual(Array.from({ length: 500 }, () => "cancelled"));
  const again = await farm.croft("cancel", "1", "2");
  expect(again.stderr).toBe("croft: job 1 is over\ncroft: job 2 is over\n");
  // A turn for each of the two requests, at the most one more for what follows from the first.
  expect((await turns(farm)) - before).toBeLessThan(10);
});

async function turns({ client }: TestFarm): Promise<number> {
  const text = (await client.raw("GET", "/metrics")).body.toString("utf8");
  return Number(/^croft_turn_seconds_count (\d+)/m.exec(text)![1]);
}

it("what is no text in UTF-8 is refused, and standard input that is not passed on is told", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const input = join(farm.folder, "input");
  writeFileSync(input, "data\n");
  const at = openSync(input, "r");
  const submitted = await finished(start(["submit", "--socket", farm.socket, "--", "cat"], farm.folder, at));
  closeSync(at);
  expect(submitted).toMatchObject({ status: 0, stdout: "1\n" });
  expect(submitted.stderr).toContain("a job does not get the standard input of croft submit");
  // é in Latin-1.
  const latin = `exec "$0" "$1" submit --socket "$2" -- echo "$(printf 'caf\\351')"`;
  const refused = await finished(
    spawn("/bin/sh", ["-c", latin, process.execPath, inject("cliBundle"), farm.socket], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toContain("command/1: must be text in UTF-8");
});
