import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

const example = fileURLToPath(new URL("../../examples/farms/gpus.yaml", import.meta.url));

it("jobs get devices of the kind that they ask for, and none gets another's through kill -9", async () => {
  const farm = new TestFarm((folder) => {
    copyFileSync(example, join(folder, "gpus.yaml"));
    return ["--farm", "gpus.yaml", "--allow-root"];
  });
  await farm.serve();
  const submit = async (gpus: string): Promise<string> => {
    const program = 'echo "$CUDA_VISIBLE_DEVICES"; exec sleep 1000';
    const { stdout } = await farm.croft("submit", "--gpus", gpus, "--", "sh", "-c", program);
    return stdout.trim();
  };
  const said = async (job: string): Promise<string> => {
    for (;;) {
      const { stdout } = await farm.croft("logs", job);
      if (stdout !== "") return stdout.trim();
    }
  };
  const [first, second] = [await submit("a100:1"), await submit("a100")];
  const halves = [await submit("t4:0.5"), await submit("0.5")];
  const waits = await submit("a100:1");
  const devices = [await said(first), await said(second)];
  expect([...devices].sort()).toEqual(["0", "1"]);
  expect([await said(halves[0]), await said(halves[1])]).toEqual(["2", "2"]);
  expect((await farm.croft("machines")).stdout).toMatch(/GPUs free[^]* 0 of 2 a100 /);
  const { stdout } = await farm.croft("explain", waits);
  expect(stdout).toContain("gpus: it waits for a GPU a100: ");

  const stateOf = async (job: string): Promise<string> =>
    (await farm.client.get<JobView>(`/v1/jobs/${job}`)).state;
  expect((await farm.croft("suspend", first)).status).toBe(0);
  while ((await stateOf(first)) !== "suspended") continue;
  await farm.kill("SIGKILL");
  await farm.serve();
  expect([await stateOf(first), await stateOf(second), await stateOf(waits)]).toEqual([
    "suspended",
    "running",
    "waiting",
  ]);
  await farm.croft("cancel", second);
  expect(await said(waits)).toBe(devices[1]);

  const { stderr, status } = await farm.croft("submit", "--gpus", "a100:0.5", "--", "true");
  expect({ stderr, status }).toMatchObject({
    status: expect.any(Number) as number,
    stderr: expect.stringContaining("asks for 0.5 GPUs; the pool gives whole ones") as string,
  });
  const all = (await farm.client.get<JobView[]>("/v1/jobs?state=running,suspended,waiting")).map(
    ({ number }) => String(number),
  );
  await farm.croft("cancel", ...all);
});
