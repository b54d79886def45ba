import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { readWorkload } from "../../workload/index.ts";
import { ranSeconds as ranBy, type SimulatedAttempt } from "../engines/simulated/attempt.ts";
import { Shadow } from "../forecasting/shadow.ts";
import { fileMonth } from "../store/file-month.ts";
import { pastJobOf, workloadOf } from "../store/history.ts";
import { attemptsOf, findJob } from "../store/job-views.ts";
import { usageOf } from "../store/usage.ts";
import { Farm } from "./farm.fixture.ts";

const one = [{ name: "one", machines: 1, cores: 4 }];

const RECORDS = "/engines/one/attempts.jsonl";

/** What the machine has written down of the first job. */
function lastRow({ world }: Farm): SimulatedAttempt {
  const { id } = findJob(world.database, 1)!;
  const rows = world.disk.written(RECORDS).split("\n");
  return JSON.parse(rows.findLast((row) => row.includes(id)) ?? "") as SimulatedAttempt;
}

/** How long the first job has run, by that. */
function ranSeconds(farm: Farm): number {
  return ranBy(lastRow(farm), farm.world.clock.monotonicSeconds(), 1);
}

/** A job of 100 s that stood still for 500 s, by hand or for another job, and over a restart. */
async function stood(isByHand: boolean): Promise<Farm> {
  const farm = await Farm.of(one, { victim: "lowest-priority" });
  const { database } = farm.world;
  await farm.submit(100, { cores: 4, priority: 10, timeSeconds: 200 });
  await farm.pass(50);
  if (isByHand) await farm.act("pause", 1);
  else await farm.submit(500, { cores: 4, priority: 90 });
  await farm.pass(100);
  const job = findJob(database, 1)!;
  expect(job.state).toBe("suspended");
  expect((Date.parse(job.suspendedAt!) - Date.parse(job.startedAt!)) / 1000).toBeCloseTo(50, -1);
  farm.world.die();
  await farm.world.start();
  await farm.pass(400);
  if (isByHand) await farm.act("resume", 1);
  // The other runs for 50 s more or less.
  await farm.pass(30);
  // A forecast that begins now knows what it has run.
  const offset = farm.world.service.unixSeconds() - farm.world.service.farmTime();
  farm.world.database.commit(farm.world.service.journal.snapshot());
  const shadow = new Shadow(farm.world.database);
  shadow.follow();
  shadow.findRuns(offset);
  const { doneSeconds, sinceSeconds } = shadow.runs.get(1)!;
  expect(doneSeconds + farm.world.service.farmTime() - sinceSeconds).toBeCloseTo(80, -1);
  await farm.pass(100);
  expect(farm.state(1)).toBe("ended");
  return farm;
}

it.each([
  ["by hand", true],
  ["for another job", false],
])("how long a job ran is without the time that it was suspended %s", async (_, isByHand) => {
  const farm = await stood(isByHand);
  const { database } = farm.world;
  const job = findJob(database, 1)!;
  expect(job.suspendedSeconds).toBeCloseTo(500, -1);
  expect(job.suspendedAt).toBeNull();
  expect(attemptsOf(database, 1)[0]).toMatchObject({ suspendedSeconds: job.suspendedSeconds });
  expect(workloadOf([pastJobOf(job)], "past", null).runtimeSeconds[0]).toBeCloseTo(100, -1);
  const { rows } = usageOf(database, { by: "user", since: 0, now: 1e10, user: null });
  if (isByHand) expect(rows[0].timeUsed.part).toBeCloseTo(0.5, 1);
  // The job of the highest number stays in the database.
  await farm.submit(1);
  const folder = mkdtempSync(join(tmpdir(), "croft-month-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "month.parquet");
  await fileMonth(database, { name: "all", from: 0, to: 1e10, file });
  expect((await readWorkload(file)).runtimeSeconds[0]).toBeCloseTo(100, -1);
});

it("a job that goes on is not told as standing still, wherever the service died meanwhile", async () => {
  const farm = await Farm.of(one);
  const { world } = farm;
  await farm.submit(1e6, { cores: 4 });
  await farm.pass(50);
  let deaths = 0;
  for (let step = 0, isDone = false; !isDone; step++) {
    await farm.act("pause", 1);
    await farm.pass(10);
    expect(farm.state(1)).toBe("suspended");
    await world.start(step);
    if (!world.isDead) await farm.act("resume", 1);
    if (!world.isDead) await farm.pass(10);
    isDone = !world.isDead;
    if (!isDone) deaths++;
    await world.start();
    await farm.pass(10);
    // It may have died before it took the act.
    if (farm.state(1) === "suspended") await farm.act("resume", 1);
    await farm.pass(10);
    const { state, suspendedAt } = findJob(world.database, 1)!;
    expect({ step, state, suspendedAt }).toEqual({ step, state: "running", suspendedAt: null });
  }
  expect(deaths).toBeGreaterThan(5);
});

it("how long a job stood is known, though nobody heard when it stopped and went on", async () => {
  const farm = await Farm.of(one);
  const { world } = farm;
  const told = (): [number, boolean] => {
    const { suspendedSeconds, suspendedAt } = findJob(world.database, 1)!;
    return [Math.round(suspendedSeconds), suspendedAt === null];
  };
  let deaths = 0;
  for (let step = 0, isDone = false; !isDone; step++) {
    if (step === 0) await farm.submit(1e6, { cores: 4 });
    await farm.pass(50);
    const [before] = told();
    await world.start(step);
    if (!world.isDead) await farm.act("pause", 1);
    if (!world.isDead) await farm.pass(20);
    isDone = !world.isDead;
    await farm.pass(300);
    await world.start();
    await farm.pass(10);
    const isTaken = farm.state(1) === "suspended";
    if (isTaken && !isDone) deaths++;
    if (isTaken) await farm.act("resume", 1);
    await farm.pass(10);
    const ran = ranSeconds(farm);
    const [after, goesOn] = told();
    expect(goesOn).toBe(true);
    const job = findJob(world.database, 1)!;
    const sinceStart = world.service.unixSeconds() - Date.parse(job.startedAt!) / 1000;
    expect({ step, seconds: after }).toEqual({ step, seconds: Math.round(sinceStart - ran) });
    if (!isTaken) expect(after).toBe(before);
  }
  expect(deaths).toBeGreaterThan(0);
});

it.each([
  ["before it went on", false],
  ["when it had", true],
])("a job stands still that its user suspends as it is to go on, the service dying %s", async (_, wentOn) => {
  const farm = await Farm.of(one, { victim: "lowest-priority" });
  const { world } = farm;
  await farm.submit(1e6, { cores: 4, priority: 10 });
  await farm.pass(100);
  const urgent = await farm.submit(1e6, { cores: 4, priority: 90 });
  await farm.pass(10);
  expect(farm.state(1)).toBe("suspended");
  const { engine } = world.service.pools[0];
  engine.resume = () => undefined;
  await farm.act("cancel", urgent.number);
  await farm.pass(10);
  await farm.act("pause", 1);
  world.die();
  if (wentOn) {
    const row = { ...lastRow(farm), state: "running", since: world.clock.monotonicSeconds() };
    await world.disk.append(RECORDS, `${JSON.stringify(row)}\n`);
  }
  await world.start();
  await farm.pass(1);
  const before = ranSeconds(farm);
  await farm.pass(30);
  expect(findJob(world.database, 1)).toMatchObject({
    state: "suspended",
    suspendedAt: expect.any(String) as string,
  });
  expect(ranSeconds(farm)).toBe(before);
  await farm.act("resume", 1);
  await farm.pass(30);
  expect(findJob(world.database, 1)).toMatchObject({ state: "running", suspendedAt: null });
  expect(ranSeconds(farm) - before).toBeCloseTo(30, 0);
});
