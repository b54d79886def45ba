import { describe, expect, it } from "vitest";

import type { UserGroup } from "../../workload/index.ts";
import { Grants, NO_PRIVILEGES, type Privileges } from "./grants.ts";
import { Refusal } from "../refusal.ts";

const unixGroups: Readonly<Record<string, readonly string[]>> = {
  ann: ["ann", "physics"],
  bob: ["bob", "users"],
  eve: ["eve"],
};

const unixUsers = {
  groupsOf: async (user: string) => unixGroups[user] ?? null,
  hasGroup: async (group: string) => group === "physics",
};

/** Whether each user may, by what the file's groups say. */
async function who(
  asked: Partial<Privileges>,
  groups: readonly UserGroup[] = [],
  projects: readonly string[] = [],
): Promise<string> {
  const grants = new Grants(groups, unixUsers, projects);
  const may: string[] = [];
  for (const user of ["ann", "bob", "eve", "robot"])
    await grants.check(user, { ...NO_PRIVILEGES, ...asked }).then(
      () => may.push(user),
      (error: unknown) => expect(error).toMatchObject({ name: Refusal.name, status: 403 }),
    );
  return may.join(" ");
}

function group(name: string, more: Partial<UserGroup> = {}): UserGroup {
  return { name, users: [], unixGroups: [], maxPriority: null, projects: [], ...more };
}

describe("without groups in the farm's file", () => {
  it("everybody has the default, and a Unix group gives the group and the project of its name", async () => {
    expect(await who({})).toBe("ann bob eve robot");
    expect(await who({ priority: 50 })).toBe("ann bob eve robot");
    expect(await who({ priority: 51 })).toBe("");
    expect(await who({ group: "physics" })).toBe("ann");
    expect(await who({ project: "physics" })).toBe("ann");
    expect(await who({ project: "/lab/physics" })).toBe("ann");
    expect(await who({ project: "/physics/atlas" })).toBe("");
    const named = ["/lab", "/lab/physics", "chem"];
    expect(await who({ project: "/lab/physics" }, [], named)).toBe("ann");
    expect(await who({ project: "/lab/physics/atlas" }, [], named)).toBe("ann");
    // Everybody has a Unix group of his own, whose project would count against the one above it.
    for (const project of ["/chem/eve", "/chem/x/eve", "/chem/../eve", "/lab/eve", "/lab/physics/eve"])
      expect(await who({ project }, [], named)).not.toContain("eve");
    expect(await who({ group: "physics", priority: 51 })).toBe("");
  });
});

describe("groups in the farm's file", () => {
  it("take the place of the Unix group of the same name", async () => {
    expect(await who({ group: "physics" }, [group("physics", { users: ["eve", "robot"] })])).toBe(
      "eve robot",
    );
    expect(await who({ group: "physics" }, [group("physics", { unixGroups: ["users"] })])).toBe("bob");
    expect(await who({ group: "physics" }, [group("other", { users: ["eve"] })])).toBe("ann");
  });

  it("give the highest of their priorities, and never less than the default", async () => {
    const groups = [
      group("a", { users: ["ann", "bob"], maxPriority: 70 }),
      group("b", { users: ["bob"], maxPriority: 99 }),
      group("c", { users: ["eve"], maxPriority: 10 }),
    ];
    expect(await who({ priority: 70 }, groups)).toBe("ann bob");
    expect(await who({ priority: 71 }, groups)).toBe("bob");
    expect(await who({ priority: 50 }, groups)).toBe("ann bob eve robot");
    expect(await who({ priority: 51 }, groups)).toBe("ann bob");
  });

  it("give projects with those below them, which no Unix group gives then", async () => {
    const groups = [group("a", { users: ["eve"], projects: ["/lab", "physics"] })];
    expect(await who({ project: "/lab" }, groups)).toBe("eve");
    expect(await who({ project: "/lab/x" }, groups)).toBe("eve");
    expect(await who({ project: "/laboratory" }, groups)).toBe("");
    expect(await who({ project: "/physics" }, groups)).toBe("eve");
    expect(await who({ project: "/users" }, groups)).toBe("bob");
  });

  it("make users known whom the machine does not have", async () => {
    const grants = new Grants([group("a", { users: ["robot"] })], unixUsers, []);
    expect([await grants.knows("robot"), await grants.knows("ann"), await grants.knows("nobody")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("what users may who come in by sockets of their own", () => {
  const roleOf = (user: string, groups: readonly UserGroup[]): Promise<string> =>
    new Grants(groups, unixUsers, []).roleOf(user);

  it("is what any user may, unless a group of theirs gives more; the highest counts", async () => {
    const groups = [
      group("staff", { users: ["ann", "robot"], unixGroups: ["users"], role: "operator" }),
      group("chiefs", { users: ["ann"], role: "admin" }),
      group("guests", { users: ["ann", "eve"], role: "user" }),
      group("others", { users: ["eve"] }),
    ];
    expect(await roleOf("ann", groups)).toBe("admin");
    expect(await roleOf("bob", groups)).toBe("operator");
    expect(await roleOf("robot", groups)).toBe("operator");
    expect(await roleOf("eve", groups)).toBe("user");
    expect(await roleOf("ann", [])).toBe("user");
  });
});
