import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("gives no job the number of one that a restored backup does not know, nor a file for its output to which something writes that a restored backup does not know", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const backup = join(farm.folder, "backup.db");
  expect(await farm.croft("backup", backup)).toMatchObject({ status: 0 });
  const [output, stop] = [join(farm.folder, "out"), join(farm.folder, "stop")];
  const old = `echo old; until [ -e ${stop} ]; do sleep 0.05; done; echo over`;
  expect(await farm.croft("submit", "--output", output, "--", "sh", "-c", old)).toMatchObject({ status: 0 });
  await expect.poll(() => existsSync(output) && readFileSync(output, "utf8")).toContain("old");

  await farm.kill("SIGKILL");
  const database = join(farm.folder, "data", "croft.db");
  for (const end of ["-wal", "-shm"]) rmSync(database + end, { force: true });
  copyFileSync(backup, database);
  // Where jobs run as their users there is nothing of them before they are over.
  rmSync(join(farm.folder, "data", "jobs"), { recursive: true, force: true });
  await farm.serve();
  const submit = () => farm.croft("submit", "--output", output, "--wait", "--", "echo", "new");
  expect(await submit()).toMatchObject({
    status: 112,
    stderr: expect.stringContaining(`runs on and writes to ${output}: give another file`) as string,
  });
  expect(await farm.croft("submit", "--output", `${output}-2`, "--wait", "--", "true")).toMatchObject({
    status: 0,
  });
  writeFileSync(stop, "");
  await expect.poll(() => readFileSync(output, "utf8")).toContain("over");
  await farm.kill("SIGTERM");
  await farm.serve();
  expect(await submit()).toMatchObject({ status: 0 });
  expect(readFileSync(output, "utf8")).toMatch(/^old\nover\n\n==== croft: job 3, .* ====\nnew\n$/);
});
