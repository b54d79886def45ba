import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("does nothing to machines and pools if one of those that are named is not there", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const cases: readonly [number, [string, ...string[]]][] = [
    [111, ["drain", "local", "local/none", "--reason", "disk"]],
    [111, ["undrain", "local", "none"]],
    [111, ["pause", "local", "none"]],
    [111, ["unpause", "local", "none"]],
  ];
  for (const [status, args] of cases)
    expect(await farm.croft(...args)).toMatchObject({
      status,
      stderr: expect.stringContaining("none") as string,
    });
  expect(await farm.client.get("/v1/machines")).toMatchObject([{ state: "up" }]);
  expect(await farm.client.get("/v1/pools")).toMatchObject([{ paused: null }]);
});

it("tells of a job what it was submitted with", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const asked = ["--hold", "--time", "60", "--signal", "USR1@10", "--input", "/dev/null"];
  const retries = ["--retries", "3", "--retry-on", "lost,time", "--retry-delay", "10m"];
  await farm.croft("submit", ...asked, ...retries, "--", "true");
  expect(await farm.client.get("/v1/jobs/1")).toMatchObject({
    signal: { name: "USR1", secondsBefore: 10 },
    input: "/dev/null",
    retries: 3,
    retryOn: ["lost", "time"],
    retryDelaySeconds: 600,
  });
  const { stdout } = await farm.croft("job", "1");
  expect(stdout).toMatch(/3 more tries \(lost or time\) after 10\.0 min/);
  expect(stdout).toMatch(/^input +\/dev\/null$/m);
  expect(stdout).toMatch(/^warned +by USR1, 10\.0 s before its time is over$/m);
});
