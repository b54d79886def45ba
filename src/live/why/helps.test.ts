import { expect, it } from "vitest";

import { Draws } from "../service/draws.ts";
import { Farm } from "../service/farm.fixture.ts";
import { findJob } from "../store/job-views.ts";
import { whyOne, type Helping } from "./one.ts";

/** CROFT_ANSWERS=1000 acts upon so many, from CROFT_FIRST_FARM on. */
const answers = Number(process.env["CROFT_ANSWERS"] ?? 20);
const first = Number(process.env["CROFT_FIRST_FARM"] ?? 1);
const INTERVAL_SECONDS = 10;
/** The world's clock goes on while people are answered, and the simulated engine starts a job some time later. */
const LATE_SECONDS = 2;

/** A random farm in the middle of its work, whose jobs run for much longer than is looked at. */
async function aFarm(
  seed: number,
): Promise<{ farm: Farm; waiting: number[]; of: <T>(list: readonly T[]) => T }> {
  const draws = new Draws(seed);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const sizes = [
    { name: "one", machines: of([1, 2, 3]), cores: of([4, 8]) },
    { name: "two", machines: of([1, 2]), cores: of([2, 16]) },
  ];
  const mostCores = of([null, null, 6]);
  const limit = {
    runningJobs: of([null, null, 3]),
    runningCores: mostCores,
    waitingJobs: null,
    jobsAtOnce: null,
  };
  const farm = await Farm.of(sizes, {
    policy: of(["first-fit", "easy", "conservative", "backfill:2"]),
    routing: of(["round-robin", "utilization"]),
    victim: of([null, null, "lowest-priority"]),
    intervalSeconds: of([0, INTERVAL_SECONDS]),
    engine: { suspend: of(["full", "cpu-only", "none"]) },
    ...(limit.runningJobs === null && mostCores === null
      ? {}
      : { limits: [{ of: "user", name: null, ...limit }] }),
  });
  const count = 8 + draws.below(8);
  for (let job = 0; job < count; job++) {
    const requires = of(["", "", "", "cores >= 8"]);
    const asked = {
      cores: of([1, 2, 3, 4]),
      memoryMiB: of([100, 1000, 2000, 4000]),
      timeSeconds: of([600, 7200, 86_400, null]),
      priority: of([10, 50, 50, 90]),
      ...(requires === "" ? {} : { requires }),
      ...(requires === "" && draws.below(3) === 0 ? { pool: of(["one", "two"]) } : {}),
    };
    await farm.submit(50_000, asked, { user: of(["ann", "bob", "eve"]) }).catch(() => undefined);
  }
  await farm.pass(INTERVAL_SECONDS + LATE_SECONDS);
  const waiting = Array.from({ length: count }, (_, at) => at + 1).filter(
    (job) => findJob(farm.world.database, job)?.state === "waiting",
  );
  return { farm, waiting, of };
}

function told(farm: Farm, job: number): readonly Helping[] {
  const { database, service } = farm.world;
  return whyOne(database, { job, at: service.farmTime(), isWaiting: true }).helps?.changes ?? [];
}

it(`what would help does, in ${answers} answers that a live farm's users act upon`, async () => {
  const kinds = new Set<string>();
  let acted = 0;
  for (let seed = first; acted < answers; seed++) {
    const { farm, waiting, of } = await aFarm(seed);
    const helping = waiting.flatMap((job) =>
      told(farm, job)
        // That one has to be submitted again: another test does.
        .filter(({ change }) => change.requires === undefined)
        .map((help) => ({ job, ...help })),
    );
    if (helping.length === 0) continue;
    const { job, change, sentence } = of(helping);
    await farm.change(job, change);
    await farm.pass(INTERVAL_SECONDS + LATE_SECONDS);
    expect(["starting", "running"], `farm ${seed}, job ${job}: ${sentence}`).toContain(farm.state(job));
    acted++;
    for (const kind of Object.keys(change)) kinds.add(kind);
  }
  expect([...kinds]).toEqual(expect.arrayContaining(["cores", "memoryMiB", "priority", "pool"]));
});

it("a machine that is reserved for others has no room for a job that takes the place of one that runs", async () => {
  const two = [{ name: "one", machines: 2, cores: 4 }];
  const begin = Math.floor((await Farm.of(two)).world.clock.unixSeconds()) + 3600;
  const disks = { name: "disks", pool: 0, machines: ["one-1"], seconds: 3600, reason: null };
  const from = { since: "1970" as const, seconds: begin };
  const farm = await Farm.of(two, {
    victim: "lowest-priority",
    reservations: [{ ...disks, from, users: [], groups: [], projects: [] }],
  });
  await farm.submit(10_000, { cores: 4 });
  await farm.submit(10_000, { cores: 3 });
  await farm.pass(1);
  expect(told(farm, 2).map(({ sentence, machines }) => [sentence, machines])).toEqual([
    ["with a limit of 30 min it would start now, on 1 machine", 1],
    ["with the priority 99 it would start now, in the place of jobs that run", 0],
  ]);
});
