import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { JobDetails } from "../../src/cli/live/job-text.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

it("a job that prints more than the farm keeps is ended, and what it printed is there", async () => {
  const farm = new TestFarm((folder) => {
    writeFileSync(join(folder, "farm.yaml"), "pools: [{ name: here }]\noutput: { most: 1 MiB }\n");
    return ["--farm", join(folder, "farm.yaml"), "--allow-root"];
  });
  await farm.serve();
  const prints = "head -c $0 /dev/zero; sleep 100";
  const ends = (...args: string[]) => farm.croft("submit", "--cores", "1", "--wait", ...args);
  const above = await ends("--retries", "3", "--", "sh", "-c", `(${prints}) >&2`, "1048577");
  expect(above).toMatchObject({
    status: 116,
    stderr: "croft: job 1 is failed: it printed more than the farm keeps of a job\n",
  });
  const job: JobDetails = await farm.client.get("/v1/jobs/1");
  expect(job).toMatchObject({ attempt: 1, attempts: [{ outcome: { cause: "output" } }] });
  expect((await farm.croft("logs", "1", "--stderr")).stdout).toHaveLength(1_048_577);
  // As much as it may, and as it likes to a file of its own.
  expect(await ends("--", "head", "-c", "1048576", "/dev/zero")).toMatchObject({ status: 0 });
  const own = await ends("--output", "own", "--", "sh", "-c", "head -c 2000000 /dev/zero; sleep 3");
  expect(own).toMatchObject({ status: 0 });
});

it("a job that is ended for its time has failed, whatever status it ends with, and runs again", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const program = "trap 'echo half; exit 0' TERM; sleep 100 & wait";
  await farm.croft("submit", "--time", "1s", "--retries", "1", "--", "sh", "-c", program);
  await farm.croft("submit", "--after", "1:ok", "--", "true");
  await farm.croft("submit", "--after", "1:failed", "--", "true");
  const wait = await farm.croft("wait", "1");
  expect(wait).toMatchObject({
    status: 116,
    stderr: expect.stringContaining("job 1 is failed: its time was over"),
  });
  const state = async (job: number): Promise<JobView> => farm.client.get(`/v1/jobs/${job}?wait=60`);
  expect(await state(1)).toMatchObject({ state: "failed", exitStatus: 0, attempt: 2 });
  expect(await state(2)).toMatchObject({ state: "cancelled" });
  expect(await state(3)).toMatchObject({ state: "ended" });
});

it("a job that ends with a status above 128 has that status", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.croft("submit", "--", "sh", "-c", "exit 129");
  expect((await farm.croft("wait", "1")).status).toBe(129);
  expect(await farm.client.get("/v1/jobs/1")).toMatchObject({ exitStatus: 129, exitSignal: 1 });
});
