import { expect, it } from "vitest";

import { croftIn, temporaryFolder } from "./croft.fixture.ts";

it("begins with ten lines for a newcomer, and lists all commands in groups", async () => {
  const { status, stdout } = await croftIn(temporaryFolder())("--help");
  expect(status).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.indexOf("Usage: croft [options] [command]")).toBe(10);
  expect(lines.filter((line) => /^\S.*:$/.test(line))).toEqual([
    "Options:",
    "Study a log:",
    "Run a farm:",
    "Use a farm:",
    "Tools:",
  ]);
});
