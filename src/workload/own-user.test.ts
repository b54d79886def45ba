import { expect, it } from "vitest";

import { ownHome, ownUser } from "./own-user.ts";

it("a user whom the machine does not know is called by its number", () => {
  const unknown = (): never => {
    // As Node.js says it where /etc/passwd has no such user.
    throw new Error("A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)");
  };
  const uid = process.getuid!();
  expect(ownUser(unknown)).toMatchObject({ uid, username: String(uid) });
  expect(ownUser()).toMatchObject({ uid });
  expect(ownHome({ HOME: "/home/of" })).toBe("/home/of");
});
