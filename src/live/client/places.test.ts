import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { withoutSocket } from "./places.ts";

it("a user who is not in the group of the machine's farm is told so", () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-places-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(withoutSocket(folder)).toBe("");
  mkdirSync(join(folder, "users"));
  const { username } = userInfo();
  expect(withoutSocket(folder)).toContain(`has no socket for ${username}: its administrator adds you`);
  writeFileSync(join(folder, "users", `${username}.sock`), "");
  expect(withoutSocket(folder)).toBe("");
});
