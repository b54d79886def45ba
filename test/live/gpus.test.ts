import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import type { JobDetails } from "../../src/cli/live/job-text.ts";
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
  expect(await farm.client.get(`/v1/jobs/${first}`)).toMatchObject({ attempts: [{ gpus: [devices[0]] }] });
  expect((await farm.croft("job", first)).stdout).toMatch(new RegExp(`^GPUs +${devices[0]}$`, "m"));
  expect((await farm.croft("job", first)).stdout).toContain("1 GPU,");
  expect((await farm.croft("pools")).stdout).toMatch(/GPUs free[^]* 0 of 2 /);
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

/** A farm of pools with these devices. */
function write(folder: string, pools: Readonly<Record<string, readonly number[]>>): void {
  writeFileSync(
    join(folder, "farm.yaml"),
    `pools:\n${Object.entries(pools)
      .map(
        ([name, devices]) =>
          `  - { name: ${name}, engine: local, gpus: { devices: [${devices.join(", ")}] } }`,
      )
      .join("\n")}\n`,
  );
}

it("a job keeps its device where the farm's file names others, and no other pool is given it", async () => {
  const farm = new TestFarm((folder) => {
    write(folder, { one: [0, 1], two: [2] });
    return ["--farm", "farm.yaml", "--allow-root"];
  });
  await farm.serve();
  const devicesOf = async (job: number): Promise<readonly string[]> => {
    for (;;) {
      const { attempts } = await farm.client.get<JobDetails>(`/v1/jobs/${job}`);
      if (attempts[0]?.startedAt != null) return attempts[0].gpus;
    }
  };
  for (const name of ["a", "b"])
    await farm.croft("submit", "--name", name, "--pool", "one", "--gpus", "1", "--", "sleep", "1000");
  expect([await devicesOf(1), await devicesOf(2)]).toEqual([["0"], ["1"]]);
  await farm.croft("cancel", "1");
  await farm.croft("wait", "1");

  write(farm.folder, { one: [0], two: [1, 2] });
  expect(await farm.croft("reload")).toMatchObject({
    status: 112,
    stderr: expect.stringContaining(
      "job 2 in pool one has GPU 1, which pool two is to give to others: let it end, or cancel it",
    ) as string,
  });
  await farm.kill("SIGKILL");
  await expect(farm.serve()).rejects.toThrow(
    "let it end, or cancel it; for that start the farm with its file as it was",
  );
  write(farm.folder, { one: [0, 1], two: [2] });
  await farm.serve();
  write(farm.folder, { one: [0, 5], two: [2] });
  expect(await farm.croft("reload")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("pool one: GPUs: 0, 5, was 0, 1") as string,
  });
  for (const name of ["c", "d"])
    await farm.croft("submit", "--name", name, "--pool", "one", "--gpus", "1", "--", "sleep", "1000");
  expect(await devicesOf(3)).toEqual(["0"]);
  expect(await devicesOf(2)).toEqual(["1"]);
  // The pool has two at a time, and one of them is still that which it had before.
  expect(await farm.client.get("/v1/jobs/4")).toMatchObject({ state: "waiting" });
  await farm.croft("cancel", "2");
  expect(await devicesOf(4)).toEqual(["5"]);
  await farm.croft("cancel", "3-4");
});

it("a job in a pool without devices, beside one that has some, sees none", async () => {
  const farm = new TestFarm((folder) => {
    const pools = ["{ name: cpu, engine: local }", "{ name: gpu, engine: local, gpus: { devices: [0] } }"];
    writeFileSync(join(folder, "farm.yaml"), `pools: [${pools.join(", ")}]\n`);
    return ["--farm", "farm.yaml", "--allow-root"];
  });
  await farm.serve();
  const says = ["--wait", "--", "sh", "-c", 'echo "$CUDA_VISIBLE_DEVICES"'];
  await farm.croft("submit", "--pool", "cpu", ...says);
  expect((await farm.croft("logs", "1")).stdout).toBe("-1\n");
});
