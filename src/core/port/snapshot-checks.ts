import type { Column } from "../arrays.ts";
import { HELD, UNASSIGNED, WAITING } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";
import { MAX_AMOUNT, MAX_TIME_SECONDS } from "./event-checks.ts";
import type { KeptUse } from "../queue/decayed-use.ts";
import type { EngineSettings } from "../engine/settings.ts";
import type { PortSnapshot } from "../engine/snapshot.ts";

/**
 * Checks that a snapshot has its parts, refers only to what there is, and has only times that a run can have. It may
 * come from a file that was damaged. A number that became another possible one is not found: whoever stores snapshots
 * keeps a checksum.
 *
 * @throws RangeError that says what is wrong
 */
export function checkSnapshot(settings: EngineSettings, snapshot: PortSnapshot): void {
  const { engine } = record(snapshot, "it");
  const { jobs, pools } = record(engine, "engine");
  if (list(pools, "pools").length !== settings.pools.length)
    throw new RangeError(
      `the snapshot is of ${pools.length} pools, and the settings have ${settings.pools.length}`,
    );
  numbers("now", [Number(snapshot.now)], isTime);
  const count = record(jobs, "jobs").count;
  whole("count, decisionCount, highest, arrivals or serial", 0, Infinity, [
    count,
    snapshot.decisionCount,
    snapshot.highest,
    engine.arrivals,
    engine.serial,
  ]);
  whole("lowest", -Infinity, 0, [snapshot.lowest]);
  for (const name of ["numbers", "decisions"] as const) {
    const { length } = list(snapshot[name], name);
    if (length !== count) throw wrong(name, `it has ${length} values for ${count} jobs`);
    whole(name, -Infinity, Infinity, snapshot[name]);
  }
  checkJobs(settings, snapshot);
  checkPools(settings, snapshot);
}

function checkJobs(settings: EngineSettings, { engine }: PortSnapshot): void {
  const { jobs, pools } = engine;
  const lastPool = pools.length - 1;
  const kinds = record(jobs.kinds, "kinds");
  const known = record(jobs.engineJobs, "engineJobs");
  const asked = record(jobs.jobs, "jobs");
  whole("cores or tasks", 1, MAX_AMOUNT, [...list(kinds.cores, "cores"), ...list(kinds.tasks, "tasks")]);
  for (const name of ["memory", "gpu", "requirement", "owner", "family"] as const)
    whole(name, 0, MAX_AMOUNT, list(kinds[name], name));
  whole("state", WAITING, UNASSIGNED, list(known.state, "state"));
  whole("pool", NONE, lastPool, list(known.pool, "pool"));
  whole("virtualPool", 0, settings.virtualPools.length - 1, list(known.virtualPool, "virtualPool"));
  whole("candidates", 0, settings.candidateLists.length - 1, list(known.candidates, "candidates"));
  whole("priority", 0, settings.priorities - 1, list(known.priority, "priority"));
  if (jobs.keepsMemory !== undefined) {
    const { length } = list(jobs.keepsMemory, "keepsMemory");
    if (length !== jobs.count) throw wrong("keepsMemory", `it has ${length} values for ${jobs.count} jobs`);
    whole("keepsMemory", 0, 1, jobs.keepsMemory);
  }
  whole("twin", NONE, jobs.count - 1, list(jobs.twin, "twin"));
  known.state.forEach((state, job) => {
    if (known.pool[job] === NONE && state !== HELD && state !== UNASSIGNED)
      throw wrong("pool", `job ${job} is in none`);
  });
  for (const name of ["retryAt", "toldAt", "waitingSince", "virtualStart"] as const)
    numbers(name, list(known[name], name), isTime);
  for (const name of ["submittedAt", "estimatedEnd"] as const)
    numbers(name, list(asked[name], name), (time) => !Number.isNaN(time));
  const placements = record(jobs.placements, "placements");
  whole("placements", 0, jobs.count - 1, list(placements.job, "placements"));
  for (const name of ["machine", "tasks"] as const)
    if (list(placements[name], "placements").length !== placements.job.length)
      throw wrong("placements", `it has ${placements[name].length} values of ${name}`);
  placements.job.forEach((job, entry) => {
    const machines = pools[known.pool[job]]?.machines;
    whole("placements", 0, list(machines, "machines").length - 1, [placements.machine[entry]]);
    whole("placements", 1, kinds.tasks[job], [placements.tasks[entry]]);
  });
}

function checkPools(settings: EngineSettings, { engine }: PortSnapshot): void {
  const { jobs, pools, due, timers, claims, faults } = engine;
  const lastPool = pools.length - 1;
  for (const [number, pool] of list(pools, "pools").entries()) {
    const { machines, exclusions, toLookAt, reservations, usage, bookings } = record(pool, "pools");
    const { length } = list(machines, "machines");
    for (const machine of machines) {
      const { coresMilli, memoryMiB, gpuMilli, group, closed } = record(machine, "machines");
      whole("machines", 0, MAX_AMOUNT, [coresMilli, memoryMiB, gpuMilli, group, closed]);
    }
    for (const each of list(exclusions, "exclusions")) {
      const { job, machine, until } = record(each, "exclusions");
      whole("exclusions", 0, length - 1, [machine]);
      whole("exclusions", 0, jobs.count - 1, [job]);
      numbers("exclusions", [Number(until)], isTime);
    }
    whole("toLookAt", 0, length - 1, list(toLookAt, "toLookAt"));
    for (const each of list(reservations, "reservations")) {
      const { machine, time } = record(each, "reservations");
      whole("reservations", 0, length - 1, [machine]);
      numbers("reservations", [Number(time)], isTime);
    }
    if (bookings !== undefined) checkBookings(bookings, length);
    const { shares, usage: counted } = settings.pools[number];
    if (shares !== undefined && counted !== undefined) checkUse(usage, shares.size);
  }
  for (const each of list(due, "due")) {
    const [pool, time] = list(each, "due");
    whole("due", 0, lastPool, [pool]);
    numbers("due", [time], (each) => Math.abs(each) <= MAX_TIME_SECONDS);
  }
  whole("dirtyPools", 0, lastPool, list(engine.dirtyPools, "dirtyPools"));
  for (const name of ["lastCycles", "viewsChanged"] as const)
    numbers(name, list(engine[name], name).map(Number), (each) => !Number.isNaN(each));
  numbers("lastRebalance", [Number(engine.lastRebalance)], isTime);
  for (const each of list(timers, "timers")) whole("timers", 0, jobs.count - 1, list(each, "timers"));
  for (const each of list(claims, "claims")) {
    const { job, pool } = record(each, "claims");
    whole("claims", 0, jobs.count - 1, [job]);
    whole("claims", 0, lastPool, [pool]);
  }
  for (const each of list(record(faults, "faults").retries, "faults")) {
    const { pool, time } = record(each, "faults");
    whole("faults", 0, lastPool, [pool]);
    numbers("faults", [time], isTime);
  }
  if (list(faults.failures, "faults").length !== pools.length) throw wrong("faults", "it is of other pools");
  for (const each of faults.failures)
    for (const entry of list(each, "faults")) whole("faults", 0, Infinity, list(entry, "faults"));
  const { length } = list(engine.turns, "turns");
  if (length !== settings.virtualPools.length) throw wrong("turns", `it has ${length} virtual pools`);
  for (const each of engine.turns) whole("turns", 0, Infinity, list(each, "turns"));
  for (const states of list(engine.viewsPast, "viewsPast"))
    for (const each of list(states, "viewsPast")) {
      const { since, utilization, queue, backlogSeconds } = record(each, "viewsPast");
      numbers("viewsPast", [Number(since)], isTime);
      numbers("viewsPast", [utilization, queue, backlogSeconds].map(Number), (value) => !Number.isNaN(value));
    }
}

function checkBookings(
  saved: NonNullable<PortSnapshot["engine"]["pools"][number]["bookings"]>,
  machineCount: number,
): void {
  const { bookings, now } = record(saved, "bookings");
  numbers("bookings", [Number(now)], isTime);
  for (const each of list(bookings, "bookings")) {
    const { number, machines, from, until, people } = record(each, "bookings");
    whole("bookings", 1, MAX_AMOUNT, [number]);
    whole("bookings", 0, MAX_AMOUNT, [people]);
    whole("bookings", 0, machineCount - 1, list(machines, "bookings"));
    numbers("bookings", [from, until], (time) => Math.abs(time) <= MAX_TIME_SECONDS);
  }
}

function checkUse(usage: KeptUse | undefined, size: number): void {
  const { used, since } = record(usage, "usage");
  for (const column of [used, since]) {
    const { length } = list(column, "usage");
    if (length !== size) throw wrong("usage", `it has ${length} values for ${size} nodes of the share tree`);
  }
  numbers("usage", used, (amount) => amount >= 0 && amount < Infinity);
  numbers("usage", since, isTime);
}

function isTime(time: number): boolean {
  return Math.abs(time) <= MAX_TIME_SECONDS || Math.abs(time) === Infinity;
}

function whole(what: string, least: number, most: number, values: Iterable<number>): void {
  numbers(what, values, (value) => Number.isInteger(value) && value >= least && value <= most);
}

function numbers(what: string, values: Iterable<number>, isRight: (value: number) => boolean): void {
  for (const value of values) if (!isRight(value)) throw wrong(what, `${String(value)} cannot be`);
}

function record<T extends object>(value: T | undefined, what: string): T {
  if (typeof value !== "object" || (value as T | null) === null) throw wrong(what, "it is missing");
  return value;
}

function list<T extends Column | readonly unknown[]>(value: T | undefined, what: string): T {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) throw wrong(what, "it is missing");
  return value as T;
}

function wrong(what: string, why: string): RangeError {
  return new RangeError(`the snapshot is damaged: ${what}: ${why}`);
}
