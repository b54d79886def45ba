import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

it("takes arrays as batch systems have them", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const indexes = async (text: string): Promise<(number | undefined)[]> => {
    const submitted = await farm.croft("submit", "--hold", "--array", text, "--json", "--", "true");
    expect(submitted).toMatchObject({ status: 0, stderr: "" });
    const { jobs } = JSON.parse(submitted.stdout) as { jobs: { number: number }[] };
    const all = await farm.client.get<JobView[]>(`/v1/jobs?array=${jobs[0].number}`);
    expect(all.map(({ number }) => number)).toEqual(jobs.map(({ number }) => number));
    return all.map(({ array }) => array?.index);
  };
  expect(await indexes("1-3")).toEqual([1, 2, 3]);
  expect(await indexes("1-10:4")).toEqual([1, 5, 9]);
  expect(await indexes("7,3,5")).toEqual([7, 3, 5]);
  expect(await indexes("0-1,8,10-20:5%2")).toEqual([0, 1, 8, 10, 15, 20]);
  expect(await indexes("4%1")).toEqual([4]);
  for (const wrong of ["", "3-1", "1-", "a", "1-5:0", "1-5%0", "1-5%", "1,1", "1-20000", "1,2-20000", "-1"]) {
    const refused = await farm.croft("submit", `--array=${wrong}`, "--", "true");
    expect({ wrong, isRefused: refused.status !== 0, stdout: refused.stdout }).toEqual({
      wrong,
      isRefused: true,
      stdout: "",
    });
    expect(refused.stderr).toMatch(/index|array/i);
  }
});

it("runs so many of an array at once, and goes on with that after a kill", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  // Each leaves a file while it runs, and fails where it finds another's. They run until they may end.
  const alone = "mkdir busy || exit 9; while [ ! -e enough ]; do sleep 0.05; done; rmdir busy";
  await farm.croft(
    "submit",
    "--cwd",
    farm.folder,
    "--array",
    "1-4%1",
    "--cores",
    "0.1",
    "--",
    "sh",
    "-c",
    alone,
  );
  expect(await farm.croft("explain", "4")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("at most 1 job of its array at once") as string,
  });
  await farm.kill("SIGKILL");
  await farm.serve();
  writeFileSync(join(farm.folder, "enough"), "");
  expect(await farm.croft("wait", "--array", "1")).toMatchObject({ status: 0 });
});

it("starts after whole arrays, and index by index", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--cores", "0.1", ...args);
  await submit("--hold", "--array", "1-3", "--", "sh", "-c", "[ $CROFT_JOB_INDEX != 2 ]");
  // Any job of the array names it.
  await submit("--after-array", "2:any", "--", "true");
  await submit("--after-each", "1", "--array", "1-3", "--", "true");
  await submit("--after-array", "1", "--", "true");
  const job = (number: number) => farm.client.get<JobView>(`/v1/jobs/${number}?wait=60`);
  expect(await farm.client.get("/v1/jobs/4")).toMatchObject({ reason: "waits for job 1, 2, 3" });
  expect(await farm.client.get("/v1/jobs/6")).toMatchObject({ reason: "waits for job 2" });
  await farm.croft("release", "1-3");
  const states = (numbers: number[]) => Promise.all(numbers.map(async (number) => (await job(number)).state));
  expect(await states([4, 5, 6, 7, 8])).toEqual(["ended", "ended", "cancelled", "ended", "cancelled"]);
  const refused = async (words: string, ...args: string[]): Promise<void> =>
    expect(await submit(...args, "--", "true")).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining(words) as string,
    });
  await refused("job 4 is of no array", "--after-array", "4");
  await refused("there is no job 99", "--after-array", "99");
  await refused("only a job of an array", "--after-each", "1");
  await refused("has no index 4", "--after-each", "1", "--array", "2-4");
});
