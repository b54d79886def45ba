import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

it("lists jobs by what they are, in an order, page by page", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--hold", ...args, "--", "true");
  await submit("--name", "sim-1", "--tag", "experiment=e17", "--tag", "run=1", "--priority", "10");
  await submit("--name", "sim-2", "--tag", "experiment=e17", "--priority", "30");
  await submit("--name", "other", "--tag", "experiment=e18", "--priority", "20");
  await submit("--name", "many", "--array", "1-3");
  await farm.croft("cancel", "5");
  const numbers = async (...args: string[]): Promise<number[]> => {
    const { status, stdout, stderr } = await farm.croft("jobs", "--json", ...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return (JSON.parse(stdout) as JobView[]).map(({ number }) => number);
  };
  expect(await numbers("--name", "sim*")).toEqual([1, 2]);
  expect(await numbers("--name", "sim-?", "--tag", "run=1")).toEqual([1]);
  expect(await numbers("--tag", "experiment=e17")).toEqual([1, 2]);
  expect(await numbers("--tag", "experiment=e17", "--tag", "run=1")).toEqual([1]);
  // Any job of the array names it.
  expect(await numbers("--array", "6")).toEqual([4, 5, 6]);
  expect(await numbers("--array", "4", "--state", "cancelled")).toEqual([5]);
  expect(await numbers("--state", "cancelled,held", "--limit", "2")).toEqual([5, 6]);
  expect(await numbers("--limit", "2", "--after-number", "2")).toEqual([3, 4]);
  expect(await numbers("--sort", "-priority", "--limit", "3")).toEqual([6, 5, 4]);
  expect(await numbers("--sort=-priority", "--limit", "3", "--after-number", "4")).toEqual([2, 3, 1]);
  expect(await numbers("--sort", "ended")).toEqual([5, 1, 2, 3, 4, 6]);
  expect(await numbers("--project", "/none")).toEqual([]);
  const refused = async (words: string, ...args: string[]): Promise<void> =>
    expect(await farm.croft("jobs", ...args)).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining(words),
    });
  await refused("job 1 is of no array", "--array", "1");
  await refused("there is no job 9", "--array", "9");
  const none = { status: 111, stdout: "", stderr: expect.stringContaining("there is no job 9") as string };
  expect(await farm.croft("jobs", "--array", "9")).toMatchObject(none);
  expect(await farm.croft("wait", "--array", "9")).toMatchObject(none);
  for (const more of [[], ["--follow"]])
    expect(await farm.croft("events", "--job", "9", ...more)).toMatchObject(none);
  expect((await farm.croft("events", "--job", "5")).stdout).toContain("submitted");
  const chosen = { stdout: "", stderr: "croft: no job is of that choice\n" };
  expect(await farm.croft("wait", "--name", "no such")).toMatchObject({ ...chosen, status: 111 });
  expect(await farm.croft("wait", "--state", "running")).toMatchObject({ ...chosen, status: 0 });
  await refused("there is no job 9 to go on after", "--sort", "name", "--after-number", "9");
  await refused('There is no state "late"', "--state", "late");
  await refused("Allowed choices are number", "--sort", "size");
});
