import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { JobForecast } from "../../src/live/forecasting/start-forecast.ts";
import type { ListedJob } from "../../src/live/reader/tasks.ts";
import { TestFarm } from "./farm.fixture.ts";

const farmFile = `
name: lab
pools:
  - name: one
    policy: easy
    machines: [1x4c8g]
    licences: { matlab: 2 }
    engine: { kind: simulated }
`;

it("says when jobs start, in words, in lists and before they are submitted", async () => {
  const farm = new TestFarm((folder) => {
    const file = join(folder, "farm.yaml");
    writeFileSync(file, farmFile);
    return ["--farm", file];
  });
  await farm.serve();
  const when = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await farm.croft("when", ...args);
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
    return stdout.trim();
  };
  const submit = (...args: string[]): Promise<unknown> =>
    farm.croft("submit", "--env", "CROFT_SIMULATED_SECONDS=3600", ...args, "--", "pretend");
  expect(await when("--", "--cores", "4", "--memory", "1G")).toMatch(/^Such a job starts now in pool \w+\.$/);
  expect(await when("--cores", "5")).toMatch(/^Such a job never starts as the farm is at present: .*cores/);
  await submit("--cores", "4", "--time", "1h");
  await submit("--cores", "4", "--time", "1h");
  await submit("--cores", "2", "--time", "1h");
  await submit("--hold");
  await farm.client.get("/v1/jobs/2/forecast");
  expect(await when("1")).toMatch(/^Job 1 has started: \d\d:\d\d/);
  expect(await when("3")).toMatch(/^Job 3 starts between .* and .* \(80 %\), most likely at /);
  expect(await when("3")).toContain(
    "It waits for a machine with 2 free cores; 1 job is ahead, expected to take ",
  );
  // What was forecast of another request is not told any more, however new it is.
  await farm.croft("change", "3", "--cores", "3");
  expect(await when("3")).toContain("It waits for a machine with 3 free cores;");
  expect(await when("--cores", "4", "--licences", "matlab=2")).toContain(
    "It waits for a machine with 4 free cores, and for 2 of the licence matlab;",
  );
  expect(await when("4")).toBe(
    "Job 4 is held: by its user. It does not start before it is released (croft release 4).",
  );
  expect((await when("2-3")).split("\n\n")).toHaveLength(2);
  // Behind others, and behind one that is held, submitted or not.
  await submit("--after", "2", "--after", "3:any");
  expect(await when("5")).toMatch(
    /^Job 5 waits for job 2, 3\.\nJob 5 starts between .*\nThen it needs a machine with 1 free core\.\n(.*\n)?This takes for granted that job 2 ends with status 0; otherwise it starts later or is cancelled\./,
  );
  expect(await when("--", "--after", "5")).toMatch(
    /^Such a job would wait for job 5\.\nSuch a job starts in pool one between /,
  );
  expect(await when("--", "--after", "4:any")).toBe(
    "Such a job would wait for job 4.\nSuch a job never starts as the farm is at present: it waits for job 4, which is held by its user (croft release 4).",
  );
  const explained = (await farm.croft("explain", "5")).stdout;
  expect(explained).toMatch(/When:\n- Job 5 starts between /);
  expect(await when("--", "--cores", "2", "./run.sh", "--cores", "9")).toMatch(
    /^Such a job starts in pool \w+ between/,
  );
  const told = JSON.parse(await when("2", "--json")) as JobForecast;
  expect(told).toMatchObject({
    job: 2,
    state: "waiting",
    forecast: { never: null, jobsAhead: 0 },
  });
  // Fewer where the machine is busy: they have a second.
  expect(told.forecast?.futures).toBeGreaterThan(0);
  const listed = JSON.parse((await farm.croft("jobs", "--json")).stdout) as ListedJob[];
  expect(listed.map(({ forecast }) => forecast !== null)).toEqual([false, true, true, false, true]);
  expect(listed.map(({ waitsFor }) => waitsFor).slice(3)).toEqual(["held", "after-job"]);
  expect((await farm.croft("job", "2")).stdout).toMatch(/\nstarts +.* - .* \(80 %\)/);
  expect((await farm.croft("jobs")).stdout).toContain("starts");
  for (const [args, text] of [
    [["9"], "there is no job 9"],
    [[], "give the number of a job"],
    [["2", "--cores", "1"], "a job is named"],
    [["--", "--corse", "1"], "unknown option '--corse'"],
    [["--pool", "none"], 'there is no pool "none"'],
  ] as const) {
    const refused = await farm.croft("when", ...args);
    expect(refused.status, text).not.toBe(0);
    expect(refused.stderr).toContain(text);
  }
  // What was never to start may start as soon as a machine is opened.
  expect((await farm.croft("drain", "one", "--reason", "disk")).status).toBe(0);
  expect(await when("3")).toContain("Job 3 never starts as the farm is at present");
  expect((await farm.croft("undrain", "one")).status).toBe(0);
  expect(await when("3")).toMatch(/^Job 3 starts between/);
  // It is the same after a restart, and after the farm's file was read again.
  await farm.kill("SIGTERM");
  await farm.serve();
  expect(await when("3")).toMatch(/^Job 3 starts between/);
  await farm.croft("reload");
  expect(await when("3")).toMatch(/^Job 3 starts between/);
});
