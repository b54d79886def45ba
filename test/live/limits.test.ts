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
    stderr: "croft: job 1 has failed: it printed more than the farm keeps of a job\n",
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
    stderr: expect.stringContaining("job 1 has failed: its time was over"),
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

it("a job is warned before its time is over, and what it leaves running is told", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const ends = (...args: string[]) => farm.croft("submit", "--cores", "1", "--wait", ...args);
  const listens = "trap 'echo warned; exit 7' USR1; while :; do sleep 0.1; done";
  expect(await ends("--time", "1h", "--signal", "SIGUSR1@3599", "--", "sh", "-c", listens)).toMatchObject({
    status: 7,
  });
  expect((await farm.croft("logs", "1")).stdout).toBe("warned\n");
  await ends("--", "sh", "-c", "sleep 1000 & exit 0");
  const left: JobDetails = await farm.client.get("/v1/jobs/2");
  expect(left).toMatchObject({
    state: "ended",
    reason: "a process that it left running was ended",
    attempts: [{ outcome: { left: 1 } }],
  });
  // A status above 128 stays one: that it stands for a signal is a guess.
  const guess = await ends("--", "sh", "-c", "exit 139");
  expect(guess).toMatchObject({ status: 139, stderr: expect.stringContaining("(SIGSEGV), or by itself") });
  expect(await farm.client.get("/v1/jobs/3")).toMatchObject({ exitStatus: 139, exitSignal: 11 });
  for (const [words, status] of [
    [["--signal", "USR1"], 112],
    [["--signal", "USR1@5m", "--time", "5m"], 112],
    [["--signal", "KILL"], 2],
    [["--signal", "USR1@0"], 2],
  ] as const)
    expect(await ends(...words, "--", "true")).toMatchObject({ status });
});
