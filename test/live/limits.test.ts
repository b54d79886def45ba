import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

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
