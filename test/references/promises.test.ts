import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ScheduleFile, simulate } from "../../src/index.ts";
import { anyFarm, large } from "./any-farm.fixture.ts";
import { heuristicsFor, inOrderOfJobs, machinesFrom, settings, workloadFrom } from "./compare.fixture.ts";
import type { Farm } from "./farm.fixture.ts";
import { familyNames, policyOf, referenceOf } from "./registry.fixture.ts";
import { replay } from "./replay.fixture.ts";

const families = familyNames.filter((family) => family !== "matching" && family !== "fcfs");

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "promises-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Start and first promise of each job, as the schedule file has them; null: none. */
async function productPromises(
  farm: Farm,
  policy: string,
): Promise<{ start: number; promised: number | null }[]> {
  const [workload, machines] = [workloadFrom(farm), machinesFrom(farm)];
  const { schedule } = simulate(workload, machines, { ...settings, policy }, { keepMachines: true });
  const path = join(folder, "schedule.csv");
  const file = await ScheduleFile.open(path, workload, machines);
  await file.add(schedule);
  await file.commit();
  const [header, ...lines] = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const [start, promised] = [header.indexOf("start"), header.indexOf("promised")];
  if (promised < 0) throw new Error("the schedule file has no column promised");
  return lines.map((fields) => ({
    start: Number(fields[start]),
    promised: fields[promised] === "" ? null : Number(fields[promised]),
  }));
}

describe.each(families)("%s", (family) => {
  it("first promises what its reference does, on 100 random farms", async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const farm = anyFarm(seed);
      const names = heuristicsFor(farm);
      const policy = policyOf(family, names[seed % names.length]);
      const right = inOrderOfJobs(replay(farm, referenceOf(policy)));
      const promises = await productPromises(farm, policy);
      expect(
        promises.map(({ promised }) => promised),
        `seed ${seed}, ${policy}`,
      ).toEqual(right.map(({ promised }) => promised));
    }
  });

  it("starts no job later than it was first promised, on 20 large farms", async () => {
    let kept = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const farm = anyFarm(seed, large);
      const promises = await productPromises(farm, policyOf(family, "best-fit-cores"));
      const late = promises.filter(({ start, promised }) => promised !== null && start > promised);
      expect(late, `seed ${seed}`).toEqual([]);
      kept += promises.filter(({ promised }) => promised !== null).length;
    }
    expect(kept).toBeGreaterThan(20);
  });
});
