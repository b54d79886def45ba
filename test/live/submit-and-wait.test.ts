import { once } from "node:events";

import { expect, it } from "vitest";

import { finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it("submits and waits, with the job's status as its own", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--cores", "1", ...args);
  expect(await submit("--wait", "--", "sh", "-c", "exit 7")).toMatchObject({ status: 7, stdout: "1\n" });
  expect(await submit("--wait", "--array", "1-3", "--", "true")).toMatchObject({
    status: 0,
    stdout: "2-4\n",
  });
  expect(await submit("--follow", "--", "sh", "-c", "echo one; sleep 0.3; echo two; exit 3")).toMatchObject({
    status: 3,
    stdout: "one\ntwo\n",
    stderr: "croft: job 5\ncroft: job 5 has failed: it ended with status 3\n",
  });
  // As it comes, each where it belongs. What goes to a file is there.
  const both = ["--", "sh", "-c", "echo out; echo wrong >&2"];
  expect(await submit("--follow", ...both)).toMatchObject({
    status: 0,
    stdout: "out\n",
    stderr: "croft: job 6\nwrong\n",
  });
  expect(await submit("--follow", "--error", "errors", ...both)).toMatchObject({
    status: 0,
    stdout: "out\n",
    stderr: "croft: job 7\n",
  });
  expect(await farm.croft("logs", "7")).toMatchObject({ status: 0, stdout: "out\n", stderr: "" });
  // It runs again: both attempts are shown.
  const again = 'echo "attempt $CROFT_JOB_ATTEMPT"; [ $CROFT_JOB_ATTEMPT = 2 ]';
  expect(await submit("--follow", "--retries", "1", "--", "sh", "-c", again)).toMatchObject({
    status: 0,
    stdout: "attempt 1\nattempt 2\n",
  });
  expect(await submit("--follow", "--array", "1-2", "--", "true")).toMatchObject({ status: 2 });
  // The farm does not read a user's own file, so there would be nothing to show.
  expect(await submit("--follow", "--output", "out", "--", "true")).toMatchObject({ status: 2 });
});

it("says of a job that it is cancelled already, as what it waits for has not ended well", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  await farm.croft("submit", "--cores", "100000", "--", "true");
  const after = (...args: string[]) => farm.croft("submit", "--after", "1", ...args);
  const why = "job 1, which it waits for, was rejected";
  expect(await after("--", "true")).toMatchObject({
    status: 0,
    stdout: "2\n",
    stderr: `croft: job 2 was cancelled: ${why}\n`,
  });
  expect(await after("--array", "1-3", "--", "true")).toMatchObject({
    status: 0,
    stdout: "3-5\n",
    stderr: `croft: job 3 was cancelled: ${why}, and 2 more of them are cancelled\n`,
  });
  // Once, from what was waited for.
  expect(await after("--wait", "--", "true")).toMatchObject({
    status: 113,
    stdout: "6\n",
    stderr: `croft: job 6 was cancelled: ${why}\n`,
  });
  await farm.croft("submit", "--hold", "--", "true");
  expect(await farm.croft("submit", "--after", "7", "--", "true")).toMatchObject({ status: 0, stderr: "" });
});

it("leaves the job running on Ctrl-C, and says so", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const waiting = farm.begin("exec croft submit --cores 1 --follow -- sh -c 'echo begun; sleep 1000'");
  const end = finished(waiting);
  // What the job prints is shown when it is followed already.
  await once(waiting.stdout!, "data");
  waiting.kill("SIGINT");
  expect(await end).toMatchObject({
    status: 130,
    stderr: "croft: job 1\ncroft: job 1 goes on: croft cancel ends, croft wait waits\n",
  });
  expect(await farm.client.get("/v1/jobs/1")).toMatchObject({ state: "running" });
  await farm.croft("cancel", "1");
});

it("ends so that a script can tell what was the matter", async () => {
  const farm = new TestFarm(["--allow-root"]);
  const ends = async (command: string, ...args: string[]) => (await farm.croft(command, ...args)).status;
  expect(await ends("submit", "--", "true")).toBe(110);
  await farm.serve();
  const waits = (...args: string[]) => ends("submit", "--wait", ...args);
  expect(await waits("--", "sh", "-c", "exit 1")).toBe(1);
  expect(await waits("--", "sh", "-c", "exit 112")).toBe(112);
  expect(await waits("--", "sh", "-c", "kill -9 $$")).toBe(137);
  expect(await waits("--", "/no/such/program")).toBe(127);
  expect(await waits("--time", "1s", "--", "sleep", "100")).toBe(116);
  expect(await waits("--cores", "100000", "--", "true")).toBe(114);
  await farm.croft("submit", "--hold", "--", "true");
  await farm.croft("cancel", "7");
  expect(await ends("wait", "7")).toBe(113);
  // The first that failed counts, and what can be done is done all the same.
  expect(await ends("wait", "7", "1")).toBe(113);
  expect(await ends("wait", "1", "7")).toBe(1);
  for (const command of ["wait", "job", "logs", "cancel", "rerun", "explain", "when"])
    expect({ command, status: await ends(command, "99") }).toEqual({ command, status: 111 });
  for (const command of ["cancel", "hold", "suspend"])
    expect({ command, status: await ends(command, "7") }).toEqual({ command, status: 112 });
  expect(await ends("cancel", "7", "99")).toBe(112);
  expect(await ends("cancel", "99", "7")).toBe(111);
  expect(await ends("cancel", "x")).toBe(2);
});

it("waits for ranges of jobs, and takes times and sizes as batch systems have them", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--cores", "1", ...args);
  await submit("--array", "1-3", "--hold", "--", "true");
  const last = await submit("--after", "1-3", "--time", "1:30:00", "--memory", "4Gi", "--", "true");
  expect(last).toMatchObject({ status: 0, stdout: "4\n" });
  expect(await farm.client.get("/v1/jobs/4")).toMatchObject({
    state: "held",
    reason: "waits for job 1, 2, 3",
    timeSeconds: 5400,
    memoryMiB: 4096,
  });
  await farm.croft("release", "1-3");
  expect(await farm.croft("wait", "4")).toMatchObject({ status: 0 });
  for (const wrong of ["3-1", "1-2000", "1-", "x", "99999999999999999999"]) {
    const { status, stderr } = await submit("--after", wrong, "--", "true");
    expect({ wrong, status }).toEqual({ wrong, status: 2 });
    expect(stderr).toContain("--after");
  }
  for (const option of ["--output", "--error", "--cwd"])
    expect(await submit(option, "", "--", "true")).toMatchObject({
      status: 2,
      stderr: `croft: ${option}: give a path, not nothing\n`,
    });
  const when = await farm.croft("when", "--", "--array", "1-3", "true");
  expect(when.status).toBe(2);
  expect(when.stderr).toContain("unknown option '--array': behind -- stand the options of croft submit");
});

it("starts jobs at their time, and tells why they wait", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--cores", "1", ...args);
  await submit("--begin", "+2h", "--", "true");
  await submit("--begin", "+1s", "--deadline", "+1h", "--", "true");
  await submit("--retries", "1", "--retry-on", "lost,time", "--", "false");
  expect((await farm.croft("explain", "1")).stdout).toContain("begin-time: it is not to start before ");
  expect((await farm.croft("explain", "--all")).stdout).toContain("begin-time");
  expect((await farm.croft("jobs")).stdout).toMatch(/\n +1 .* held .* until 20/);
  const when = await farm.croft("when", "1");
  expect(when.stdout).toMatch(/^Job 1 is held until .*\.\nJob 1 starts /);
  expect(await farm.croft("wait", "2")).toMatchObject({ status: 0 });
  expect(await farm.croft("wait", "3")).toMatchObject({ status: 1 });
  expect(await farm.client.get("/v1/jobs/3")).toMatchObject({ attempt: 1 });
  expect(await submit("--time", "2h", "--deadline", "+1h", "--", "true")).toMatchObject({
    status: 112,
    stderr: expect.stringContaining("it cannot be over by its deadline"),
  });
  for (const wrong of [
    ["--begin", "yesterday"],
    ["--retry-on", "lost"],
    ["--retries", "1", "--retry-on", "luck"],
  ])
    expect(await submit(...wrong, "--", "true")).toMatchObject({ status: 2 });
});
