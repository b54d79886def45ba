import { expect, it } from "vitest";

import type { ReservationView } from "../../src/live/service/made-reservations.ts";
import { TestFarm } from "./farm.fixture.ts";

it("keeps a machine for some people, through a kill -9, and says so wherever it is looked for", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const told = async (...args: [string, ...string[]]): Promise<string> => {
    const { status, stdout, stderr } = await farm.croft(...args);
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
    return stdout;
  };
  const refused = async (...args: [string, ...string[]]): Promise<string> => {
    const { status, stdout, stderr } = await farm.croft(...args);
    expect({ args, stdout }).toEqual({ args, stdout: "" });
    return `${status}: ${stderr}`;
  };
  await told("reserve", "course", "--for", "1h", "--users", "daemon,nobody", "--reason", "a course");
  await told("submit", "--time", "60", "--", "true");
  expect(await told("reservations")).toMatch(/^course +local +\S+ .* daemon, nobody +\S+ +a course$/m);
  expect(await told("explain", "1")).toContain("kept for others by the reservation course");
  await farm.kill("SIGKILL");
  await farm.serve();
  expect(await farm.client.get("/v1/jobs/1?wait=1")).toMatchObject({ state: "waiting" });

  expect(await refused("reserve", "typo", "--for", "1h", "--users", "nobody,no-such")).toMatch(
    /^112: .*there is no user no-such on the farm's machine/,
  );
  expect(await refused("reserve", "typo", "--for", "1h", "--groups", "no-such")).toMatch(
    /^112: .*there is no group no-such on the farm's machine/,
  );
  expect(await refused("reserve", "course", "--for", "1h")).toMatch(/^112: .*"course" already/);
  expect(await refused("reserve", "b", "--for", "1h", "--machines", "m9")).toMatch(/^111: .*no machine "m9"/);
  expect(await refused("reserve", "b", "--for", "1h", "--pool", "north")).toMatch(/^111: .*no pool "north"/);
  expect(await refused("reserve", "b", "--from", "2100-01-02", "--until", "2100-01-01")).toMatch(
    /^112: .*ends before it begins/,
  );
  expect(await refused("reserve", "b", "--from", "2001-01-01", "--for", "1h")).toMatch(
    /^112: .*over already/,
  );
  expect(await refused("reserve", "b")).toMatch(/^2: .*--until or --for/);
  expect(await refused("unreserve", "none")).toMatch(/^111: .*"none"/);
  const all = await farm.client.get<ReservationView[]>("/v1/reservations");
  expect(all.map(({ name }) => name)).toEqual(["course"]);

  const body = { name: "b", pool: "local", until: "2995-22-20T21:90Z" };
  await expect(farm.client.send("POST", "/v1/reservations", body)).rejects.toThrow("there is no such time");

  await told("unreserve", "course");
  await told("wait", "1");
  expect(await told("events")).toMatch(/ reserved .* course: a course$[\s\S]* unreserved .* course$/m);
});

it("lets the jobs of a group or project start there that only the reservation names", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  for (const who of ["--groups", "--projects"]) {
    const name = who === "--groups" ? "daemon" : "/course";
    await farm.croft("reserve", "course", "--for", "1h", who, name);
    const option = who === "--groups" ? "--group" : "--project";
    const own = who === "--groups" ? name : "/course/morning";
    expect(await farm.croft("submit", "--wait", option, own, "--", "true")).toMatchObject({ status: 0 });
    await farm.croft("unreserve", "course");
  }
  expect(await farm.croft("submit", "--group", "daemon", "--", "true")).toMatchObject({
    status: 112,
    stderr: expect.stringContaining('the farm\'s file names no group of users "daemon"'),
  });
});
