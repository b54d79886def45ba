import type { Farm } from "../../workload/index.ts";
import type { JobChange } from "./acts.ts";
import { Draws } from "./draws.ts";
import { anyFarmOf } from "./farms.fixture.ts";
import { FarmWorld, simulatedJob } from "./farm-world.fixture.ts";
import { Refusal } from "../refusal.ts";

/** The result of one history. */
export interface History {
  readonly crashes: number;
  readonly jobs: number;
  /** Violations found: lost jobs, attempts that ran twice, contradictory books. */
  readonly wrong: readonly string[];
}

const MAX_CRASHES = 20;
/** Longer than a request waits for the disk. */
const LONGEST_FULL_SECONDS = 30;
/** Of the two that each pool has of x. */
const licenceLists = ["", "", "", "x", "x=2"];
const strategies = ["NoRes", "ResSusUtil", "ResSusRand", "ResSusWaitUtil", "ResSusWaitRand", "DupSusUtil"];

/**
 * A farm of two small pools under a random course of submissions, acts of people, disks that fill up and deaths of the
 * service, all by the seed. Clients repeat requests that were not answered, with the same key.
 *
 * @param answersEarly with a fault that must be found: see `FarmWorld`
 */
export async function history(seed: number, { answersEarly = false } = {}): Promise<History> {
  const draws = new Draws(seed);
  const ofLicences = new Draws(seed ^ 0x11ce);
  const ofTimes = new Draws(seed ^ 0x71e5);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const farm = anyFarm(of);
  const hasLicences = farm.pools.some(({ licences }) => licences !== undefined);
  const world = new FarmWorld(farm);
  world.answersEarly = answersEarly;
  world.mostSteps = [1, 3, Infinity][new Draws(seed ^ 0x57e9).below(3)];
  const numbers = new Set<number>();
  const wrong: string[] = [];
  const untouched = new Set<number>();
  /** Those that were given a deadline, which cancels what cannot start in time. */
  const due = new Set<number>();
  let crashes = 0;

  const startAgain = async (): Promise<void> => {
    do {
      if (world.isDead) crashes++;
      world.databaseFailsWith = null;
      // It may die while it starts, too.
      await world.start(crashes > MAX_CRASHES ? Infinity : draws.below(of([10, 40, 160])));
    } while (world.isDead);
  };
  await startAgain();
  const submit = async (key: string): Promise<void> => {
    const [begins, delays] = [ofTimes.below(6), ofTimes.below(4)];
    const request = simulatedJob({
      cores: of([1, 1, 2, 4]),
      memoryMiB: of([100, 500, 3000]),
      priority: of([50, 50, 90]),
      retries: of([0, 2]),
      pool: of([null, null, null, "one", "two"]),
      hold: draws.below(10) === 0,
      timeSeconds: of([null, 50, 1000]),
      beginAt: begins > 1 ? null : world.clock.unixSeconds() + 30 * begins,
      retryDelaySeconds: delays === 0 ? 40 : 0,
      ...(hasLicences ? { licences: licenceLists[ofLicences.below(licenceLists.length)] } : {}),
    });
    const count = of([1, 1, 1, 4]);
    const most = of([1, 2]);
    const jobs = Array.from({ length: count }, (_, index) =>
      count === 1 ? request : { ...request, array: { first: 0, index, most } },
    );
    const environment = {
      CROFT_SIMULATED_SECONDS: String(of([0, 3, 20, 100])),
      CROFT_SIMULATED_STATUS: ofTimes.below(4) === 0 ? "1" : "0",
    };
    const first = new Set<number>();
    for (;;) {
      const outcome = await world.act((service) =>
        service.loop.act((turn) => service.submitting.submit(turn, { user: "u", jobs, environment, key })),
      );
      if (outcome === null) {
        await startAgain();
        continue;
      }
      if ("refusal" in outcome) {
        // While nothing can be written it is refused after some time, and is sent again.
        if (outcome.refusal instanceof Refusal && outcome.refusal.status === 503) continue;
        throw outcome.refusal;
      }
      for (const { number } of outcome.answer) {
        first.add(number);
        if (numbers.has(number)) wrong.push(`key ${key} was answered with the job of another key, ${number}`);
        numbers.add(number);
        untouched.add(number);
      }
      return;
    }
  };
  const act = async (): Promise<void> => {
    const number = 1 + draws.below(Math.max(1, numbers.size));
    const verb = of([
      "cancel",
      "hold",
      "release",
      "pause",
      "resume",
      "change",
      "drain",
      "undrain",
      "pausePool",
      "unpausePool",
    ] as const);
    const machine = of([1, 2]);
    const pool = of(["one", "two"]);
    const at = world.service.unixSeconds() + of([-1, 5, 60, 500]);
    const change: JobChange = {
      priority: of([10, 50, 99]),
      ...of([
        {},
        { cores: 2 },
        { memoryMiB: 3000 },
        { beginAt: of([at, null]) },
        { deadlineAt: of([at, null]) },
      ]),
    };
    const paused = of(["one", "two", null]);
    const suspends = of([true, false]);
    if (verb === "cancel") untouched.delete(number);
    if (verb === "change" && typeof change.deadlineAt === "number") due.add(number);
    const outcome = await world.act((service) =>
      service.loop.act((turn) => {
        if (verb === "change") service.acts.change(turn, number, change, "p");
        else if (verb === "drain") service.acts.drain(turn, pool, `${pool}-${machine}`, "to try it", "p");
        else if (verb === "undrain") service.acts.undrain(turn, pool, `${pool}-${machine}`, "p");
        else if (verb === "pausePool")
          service.pauses.pause(turn, paused, { actor: "p", reason: "to try it", suspends });
        else if (verb === "unpausePool") service.pauses.unpause(turn, paused, "p");
        else service.acts[verb](turn, number, "p");
      }),
    );
    if (outcome === null) await startAgain();
    else if ("refusal" in outcome && !(outcome.refusal instanceof Refusal)) throw outcome.refusal;
  };

  /** For a while nothing can be written. Then it can, or the service dies before. */
  const fillDisk = (): void => {
    world.databaseFailsWith = "database or disk is full";
    const isDeath = draws.below(2) === 0;
    world.clock.after(of([0.1, 1, 5, LONGEST_FULL_SECONDS]), () => {
      world.databaseFailsWith = null;
      if (isDeath) world.die();
    });
  };

  for (let step = 0; step < 30; step++) {
    if (crashes <= MAX_CRASHES && draws.below(10) === 0) fillDisk();
    if (draws.below(3) > 0) await submit(`${seed}-${step}`);
    else await act();
    if (draws.below(2) === 0) await world.clock.pass(of([0.1, 1, 10]));
    if (world.isDead) await startAgain();
  }

  // There are no more acts and, once the last full disk has room again, no more crashes: all jobs must come to their end.
  await world.clock.pass(LONGEST_FULL_SECONDS + 1);
  world.die();
  await world.start();
  await settle(world);
  const { database } = world;
  const rows = database.all("SELECT number, id, state, attempt, ended_at FROM job");
  if (rows.length !== numbers.size)
    wrong.push(`${numbers.size} jobs were acknowledged, ${rows.length} are there`);
  const states = new Map(rows.map(({ number, state }) => [Number(number), String(state)]));
  for (const number of untouched)
    if (!["ended", "failed", ...(due.has(number) ? ["cancelled"] : [])].includes(states.get(number) ?? ""))
      wrong.push(`job ${number} was acknowledged and is ${states.get(number) ?? "not there"}`);
  for (const [key, count] of world.runs()) if (count > 1) wrong.push(`attempt ${key} ran ${count} times`);
  wrong.push(...world.wrong());
  return { crashes, jobs: numbers.size, wrong };
}

/** Releases, resumes, undrains and unpauses everything, and waits until no job is left. */
async function settle(world: FarmWorld): Promise<void> {
  const { service } = world;
  for (const pool of service.pools)
    for (const { name } of pool.plan.machines)
      await world.act(() => service.loop.act((turn) => service.acts.undrain(turn, pool.name, name, "p")));
  for (const pool of ["one", "two", null])
    await world.act(() => service.loop.act((turn) => service.pauses.unpause(turn, pool, "p")));
  for (const number of Array.from(service.books.jobs.keys()))
    for (const verb of ["release", "resume"] as const)
      await world.act(() => service.loop.act((turn) => service.acts[verb](turn, number, "p")));
  await world.until(
    `all is over: ${[...service.books.jobs.values()].map(({ number, state }) => `${number} ${state}`).join(", ")}`,
    () => service.books.jobs.size === 0 && service.books.attempts.size === 0,
    100_000,
  );
}

function anyFarm(of: <T>(list: readonly T[]) => T): Farm {
  const sizes = ["one", "two"].map((name) => ({ name, machines: 2, cores: 4 }));
  const rules = {
    victim: of(["lowest-priority", "lowest-priority", null]),
    strategy: of(strategies),
    waitThresholdSeconds: of([5, 60]),
    checkSeconds: of([1, 60]),
    policy: of(["first-fit", "mix-fit", "easy", "conservative"]),
    routing: of(["round-robin", "utilization"]),
    intervalSeconds: of([0, 0, 5]),
    hasQueue: of([false, false, true]),
    engine: {
      startLatencySeconds: of([0, 0.1, 2]),
      suspend: of(["full", "cpu-only", "cpu-only", "none"]),
      startsFailing: { machine: 0, transient: of([0, 0, 0.1]) },
    },
  };
  const promises = rules.policy === "easy" || rules.policy === "conservative";
  return anyFarmOf(sizes, { ...rules, ...(promises ? {} : { licences: { x: 2 } }) });
}
