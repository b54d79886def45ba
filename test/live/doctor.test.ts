import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

const FARM =
  "pools: [{ name: north, engine: { kind: local, cgroup: none }, machines: [1x1c1g] }]\nvirtualPools: [{ name: all, routing: round-robin }]\n";

interface Found {
  readonly check: string;
  readonly what: string;
  readonly found: string;
  readonly change: string | null;
  readonly fine: boolean;
}

function farm(): { farm: TestFarm; doctor: (...args: string[]) => Promise<Finished> } {
  const made = new TestFarm((folder) => {
    writeFileSync(join(folder, "farm.yaml"), FARM, { mode: 0o600 });
    return ["--farm", join(folder, "farm.yaml")];
  });
  const places = ["--data", join(made.folder, "data"), "--farm", join(made.folder, "farm.yaml")];
  return { farm: made, doctor: (...args) => made.croft("doctor", ...places, ...args) };
}

/** What is wrong of the farm itself; the machine that tests run on may have faults of its own. */
function ofFarm({ stdout }: Finished): Found[] {
  const machine = ["versions", "disk", "limits", "clocks", "unit"];
  return (JSON.parse(stdout) as Found[]).filter(({ check, fine }) => !fine && !machine.includes(check));
}

test("a farm that is all right is told so before it runs, beside it, and after it; nothing is made", async () => {
  const { farm: made, doctor } = farm();
  expect(ofFarm(await doctor("--json"))).toEqual([]);
  expect(readdirSync(made.folder)).toEqual(["farm.yaml"]);
  await made.serve();
  const beside = await doctor("--json");
  expect(ofFarm(beside)).toEqual([]);
  expect((JSON.parse(beside.stdout) as Found[]).find(({ check }) => check === "service")!.found).toMatch(
    /^it runs, /,
  );
  await made.kill("SIGTERM");
  expect(ofFarm(await doctor("--json"))).toEqual([]);
});

test("faults are told with what to type, and end it with a status of their own", async () => {
  const { farm: made, doctor } = farm();
  mkdirSync(join(made.folder, "data"));
  chmodSync(join(made.folder, "data"), 0o755);
  const told = await doctor();
  expect(told.status).toBe(117);
  expect(told.stdout).toContain(`→ chmod 700 ${join(made.folder, "data")}`);
  expect(told.stdout).toMatch(/\n\d+ to be changed\.\n$/);
  expect(ofFarm(await doctor("--json")).map(({ check }) => check)).toEqual(["data folder"]);
});

test("a socket that a service has left behind is found", async () => {
  const { farm: made, doctor } = farm();
  await made.serve();
  await made.kill("SIGKILL");
  const found = ofFarm(await doctor("--json"));
  expect(found.map(({ check }) => check)).toEqual(["service"]);
});

test("a farm file that is refused is a finding, and a wrong option is not", async () => {
  const { farm: made, doctor } = farm();
  writeFileSync(join(made.folder, "farm.yaml"), "pools: 7\n");
  const refused = await doctor("--json");
  expect(refused.status).toBe(117);
  expect(ofFarm(refused).map(({ check }) => check)).toEqual(["farm file"]);
  expect((await doctor("--pools")).status).toBe(2);
});
