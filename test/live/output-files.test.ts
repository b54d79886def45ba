import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("jobs and attempts that write to one file lose nothing, and logs tells each its own", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const out = join(farm.folder, "out");
  const logs = async (...args: string[]): Promise<string> => (await farm.croft("logs", ...args)).stdout;
  const print = (text: string): string[] => [
    "--",
    "sh",
    "-c",
    `printf '${text} %s' "$CROFT_JOB_ATTEMPT"; exit 1`,
  ];
  await farm.croft("submit", "--output", out, "--retries", "1", "--hold", ...print("one"));
  const early = await farm.croft("submit", "--output", out, "--hold", ...print("two"));
  expect(early).toMatchObject({
    status: 112,
    stderr: expect.stringContaining("job 1 is not over and writes to"),
  });
  await farm.croft("release", "1");
  await farm.croft("wait", "1");
  await farm.croft("submit", "--output", out, ...print("two"));
  await farm.croft("wait", "2");
  await farm.croft("rerun", "2");
  await farm.croft("wait", "3");
  const heading = (job: number, attempt: number): RegExp =>
    new RegExp(`\n==== croft: job ${job}, attempt ${attempt}, .*Z ====\n`);
  const parts = readFileSync(out, "utf8").split(/\n==== .* ====\n/);
  expect(parts).toEqual(["one 1", "one 2", "two 1", "two 1"]);
  for (const each of [heading(1, 2), heading(2, 1), heading(3, 1)])
    expect(readFileSync(out, "utf8")).toMatch(each);
  expect(await logs("1")).toBe("one 2");
  expect(await logs("1", "--attempt", "1")).toBe("one 1");
  expect(await logs("2")).toBe("two 1");
  expect(await logs("3")).toBe("two 1");
});

it("a job's files have the umask of whoever submits it", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.client.send("POST", "/v1/jobs", { command: ["sh", "-c", "umask"], umask: "027" });
  await farm.croft("wait", "1");
  expect((await farm.croft("logs", "1")).stdout).toBe("0027\n");
});
