import { expect, it } from "vitest";

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
    stderr: "croft: job 5\ncroft: job 5 is failed: it ended with status 3\n",
  });
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
