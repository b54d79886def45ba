import { describe, expect, it } from "vitest";

import { Farm } from "./farm.fixture.ts";
import type { FarmRules } from "./farms.fixture.ts";
import { jobRequest } from "../store/job-request.ts";

const one = [{ name: "one", machines: 1, cores: 8 }];
const group = { name: "staff", users: ["ann"], unixGroups: [], maxPriority: null, projects: ["/lab"] };
const limit = {
  runningJobs: 1,
  runningCores: null,
  waitingJobs: null,
  jobsAtOnce: null,
};

async function refusals(
  rules: FarmRules,
  jobs: readonly { group?: string; project?: string }[],
): Promise<string[]> {
  const farm = await Farm.of(one, rules);
  const { submitting } = farm.world.service;
  return jobs.map((job) => {
    try {
      submitting.checks.check(jobRequest(["true"], job), 0);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  });
}

describe("a job of a live farm", () => {
  it("names groups of which anything of the farm speaks, and no others", async () => {
    const rules: FarmRules = {
      userGroups: [group],
      limits: [{ ...limit, of: "group", name: "guests" }],
    };
    expect(await refusals(rules, [{ group: "staff" }, { group: "guests" }, { group: "sttaff" }])).toEqual([
      "",
      "",
      'the farm\'s file names no group of users "sttaff": there are staff, guests; where jobs run is chosen by the pool',
    ]);
  });

  it("counts against a project that has a share, or that the farm's file names otherwise, or one below it", async () => {
    const rules: FarmRules = {
      shares: [{ path: "/physics", share: 3 }],
      userGroups: [group],
      limits: [{ ...limit, of: "project", name: "/course" }],
    };
    const projects = ["/physics", "/physics/a", "/lab", "/course/x", "/phisics"];
    const said = await refusals(
      rules,
      projects.map((project) => ({ project })),
    );
    expect(said.slice(0, 4)).toEqual(["", "", "", ""]);
    expect(said[4]).toContain("/physics, /lab, /course");
    const { names } = (await Farm.of(one, { shares: [{ path: "/physics/a", share: 3 }] })).world.service
      .submitting;
    // A reservation is for those below too.
    expect(["/physics", "/physics/a/x", "/phys"].map((project) => names.isProject(project))).toEqual([
      true,
      true,
      false,
    ]);
    expect((await Farm.of(one)).world.service.submitting.names.isProject("anything")).toBe(true);
    // Without shares it is a word of the user's.
    expect(await refusals({}, [{ project: "anything" }])).toEqual([""]);
  });
});
