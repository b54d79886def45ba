import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { finished, start, type Finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

/** A command that reads the farm's data, and asks no service. */
function onData(farm: TestFarm, ...args: string[]): Promise<Finished> {
  return finished(start(args, farm.folder));
}

const farmFile = (policy: string, machines: number): string => `
pools:
  - name: north
    machines: [${machines}x4c8g]
    policy: ${policy}
    engine: simulated
`;

it("a farm's past is tried under another policy, while it serves and from a backup", async () => {
  const farm = new TestFarm((folder) => {
    writeFileSync(join(folder, "farm.yaml"), farmFile("first-fit", 2));
    return ["--farm", "farm.yaml"];
  });
  await farm.serve();
  const submit = (seconds: number, ...more: string[]) =>
    farm.croft("submit", "--env", `CROFT_SIMULATED_SECONDS=${seconds}`, ...more, "--", "pretend");
  for (const cores of [4, 4, 2, 1]) await submit(0.2, "--cores", String(cores), "--memory", "1G");
  await farm.croft("wait", "1", "2", "3", "4");
  await submit(600, "--cores", "3", "--memory", "1G", "--time", "1h");

  const run = await onData(farm, "whatif", "--data", "data", "--policy", "easy", "--json", "--quiet");
  expect(run.status).toBe(0);
  expect(run.stderr).toContain("100 % of 5 recorded decisions came again");
  const { history, runs } = JSON.parse(run.stdout) as {
    history: { check: { decisions: number; agreed: number; firstOther: null }; counts: object };
    runs: { policy: string; jobs: number }[];
  };
  expect(history.check).toMatchObject({ decisions: 5, agreed: 5, firstOther: null });
  expect(history.counts).toMatchObject({ jobs: 5, censored: 1 });
  expect(runs.map(({ policy }) => policy)).toEqual(["as it is (first-fit)", "easy"]);

  // A few seconds of five jobs: nothing is said of which policy is better.
  const told = await onData(farm, "whatif", "--data", "data", "--policy", "easy", "--quiet");
  expect(told.stdout).toMatch(/^as it was .*\nas it is \(first-fit\) .*\neasy /m);
  expect(told.stdout).toContain("This past has only 5 jobs");
  expect(told.stdout).toContain("there is no verdict");
  expect(told.stdout).not.toMatch(/^At |^Note: |--machines/m);

  await farm.croft("backup", join(farm.folder, "copy.db"));
  const more = await onData(farm, "whatif", "--data", "copy.db", "--add-machines", "10", "--json", "--quiet");
  expect(
    (JSON.parse(more.stdout) as typeof history & { runs: typeof runs }).runs.map(({ policy }) => policy),
  ).toEqual(["as it is (first-fit)", "first-fit, new"]);

  const fits = await onData(
    farm,
    "whatif",
    "fits",
    "--data",
    "data",
    "--cores",
    "4",
    "--memory",
    "1G",
    "--json",
  );
  expect(JSON.parse(fits.stdout)).toMatchObject({ never: null, nowByPool: { north: 1 } });
  const never = await onData(farm, "whatif", "fits", "--data", "data", "--cores", "5");
  expect(never.stdout).toContain("none, as the farm is");
  // The farm answers the same.
  const ask = (...more: string[]) => onData(farm, "whatif", "fits", "--socket", farm.socket, ...more);
  expect((await ask("--cores", "4", "--memory", "1G", "--json")).stdout).toBe(fits.stdout);
  expect((await ask("--cores", "5")).stdout).toBe(never.stdout);
  expect(await ask("--pool", "nowhere")).toMatchObject({ status: 112, stdout: "" });
  const both = await ask("--data", "data");
  expect(both).toMatchObject({ status: 2 });
  expect(both.stderr).toContain("give one of them");

  writeFileSync(join(farm.folder, "new.yaml"), farmFile("easy", 3));
  const tried = await onData(farm, "reload", "--try", "new.yaml", "--data", "data");
  expect(tried).toMatchObject({ status: 0, stderr: "" });
  expect(tried.stdout).toContain("pool north: policy: easy, was first-fit");
  expect(tried.stdout).toContain("no running job would have to leave its machines");
  expect(tried.stdout).toContain("nothing was changed");
  expect((await farm.croft("reload", "--try", "new.yaml")).stdout).toBe(tried.stdout);
  writeFileSync(join(farm.folder, "list.yaml"), "pools: [{ name: north, machines: [{ file: secret }] }]");
  const listing = await farm.croft("reload", "--try", "list.yaml");
  expect(listing.status).toBe(112);
  expect(listing.stdout).toContain("list.yaml:1");
  expect(listing.stdout).toContain("the farm has only its text");
  writeFileSync(join(farm.folder, "gone.yaml"), farmFile("easy", 3).replace("north", "south"));
  const refused = await onData(farm, "reload", "--try", "gone.yaml", "--data", "data");
  expect(refused.status).toBe(112);
  expect(refused.stdout).toContain("job 5 is in pool north, which the new farm does not have");
  expect(await farm.croft("reload", "--try", "gone.yaml")).toMatchObject({
    status: 112,
    stdout: refused.stdout,
  });
});

it("says what is missing where there is no farm, no pool, no past", async () => {
  const farm = new TestFarm(["--farm", "farm.yaml"]);
  writeFileSync(join(farm.folder, "farm.yaml"), farmFile("first-fit", 2));
  const none = await onData(farm, "whatif", "--data", "nowhere");
  expect(none).toMatchObject({ status: 2 });
  expect(none.stderr).toContain("there is no farm's database");
  await farm.serve();
  const young = await onData(farm, "whatif", "--data", "data");
  expect(young).toMatchObject({ status: 2 });
  expect(young.stderr).toContain("no job has run yet");
  await farm.croft("submit", "--env", "CROFT_SIMULATED_SECONDS=0", "--", "pretend");
  await farm.croft("wait", "1");
  const pool = await onData(farm, "whatif", "--data", "data", "--add-machines", "south=3");
  expect(pool.stderr).toContain("there is no pool south: there are north");
});
