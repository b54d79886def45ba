import { userInfo } from "node:os";

import { describe, expect, it } from "vitest";

import { systemCommands, type Ran } from "../engines/system/commands.ts";
import { UnixUsers } from "./unix-users.ts";

describe("the machine's users", () => {
  it("are found with their groups, and others are not", async () => {
    const users = new UnixUsers(systemCommands, () => 0);
    const own = await users.groupsOf(userInfo().username);
    expect(own?.length).toBeGreaterThan(0);
    expect(await users.groupsOf("there-is-no-such-user")).toBeNull();
    expect(await users.groupsOf(String(userInfo().uid))).toBeNull();
    expect(await users.groupsOf("--help")).toBeNull();
  });

  it("have groups, and others are not there", async () => {
    const users = new UnixUsers(systemCommands, () => 0);
    const [own = ""] = (await users.groupsOf(userInfo().username)) ?? [];
    expect(await users.hasGroup(own)).toBe(true);
    expect(await users.hasGroup("there-is-no-such-group")).toBe(false);
    expect(await users.hasGroup(String(userInfo().gid))).toBe(false);
  });

  it("are asked for again after a while, and a failure is no answer", async () => {
    let now = 0;
    let asked = 0;
    let answer: Ran = { status: 1, stdout: "", stderr: "no directory" };
    const users = new UnixUsers(
      {
        run: async (program) => {
          if (program === "getent") asked++;
          return program === "id" ? { status: 0, stdout: "a b\0c\0", stderr: "" } : answer;
        },
      },
      () => now,
    );
    await expect(users.groupsOf("ann")).rejects.toMatchObject({ status: 503 });
    answer = { status: 0, stdout: "ann:x:1:1::/:/bin/sh", stderr: "" };
    expect(await users.groupsOf("ann")).toEqual(["a b", "c"]);
    expect(await users.groupsOf("ann")).toEqual(["a b", "c"]);
    expect(asked).toBe(2);
    now = 60;
    answer = { status: 2, stdout: "", stderr: "" };
    expect(await users.groupsOf("ann")).toBeNull();
  });

  it("are told with their numbers by the group that they belong to, without those who are gone", async () => {
    const lines: Readonly<Record<string, string>> = {
      "group croft": "croft:x:7:ann,gone,bob",
      "group empty": "empty:x:8:",
      "passwd ann": "ann:x:1001:1::/:/bin/sh",
      "passwd bob": "bob:x:1002:1::/:/bin/sh",
    };
    const users = new UnixUsers(
      {
        run: async (_, [database, , name]) => {
          if (name === "away") return { status: 1, stdout: "", stderr: "no directory" };
          const line = lines[`${database} ${name}`];
          return { status: line === undefined ? 2 : 0, stdout: `${line}\n`, stderr: "" };
        },
      },
      () => 0,
    );
    expect(await users.membersOf("croft")).toEqual(
      new Map([
        ["ann", 1001],
        ["bob", 1002],
      ]),
    );
    expect(await users.membersOf("empty")).toEqual(new Map());
    await expect(users.membersOf("nobody")).rejects.toMatchObject({ status: 422 });
    await expect(users.membersOf("away")).rejects.toMatchObject({ status: 503 });
  });
});
