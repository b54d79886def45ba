import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { Farm } from "./farm.fixture.ts";

const one = [{ name: "one", machines: 1, cores: 4 }];

it("gives no number again whose job was forgotten by restoring a backup", async () => {
  const data = mkdtempSync(join(tmpdir(), "croft-last-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const farm = await Farm.of(one);
  farm.world.data = data;
  await farm.submit(10);
  for (const job of ["1", "2", "700", "1234", "no-job"])
    mkdirSync(join(data, "jobs", job), { recursive: true });
  farm.world.die();
  await farm.world.start();
  expect(await farm.submit(10)).toMatchObject({ number: 1235 });
});
