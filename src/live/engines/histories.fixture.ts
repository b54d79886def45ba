import { attemptKey, type AttemptId } from "./attempt-id.ts";
import type { Engine, KnownAttempt, Outcome, Report, StartRequest } from "./engine.ts";
import { Random } from "../../workload/random.ts";
import type { VirtualClock } from "./system/virtual-clock.fixture.ts";

/** A world under a virtual clock, as a history needs it. */
export interface HistoryWorld {
  readonly clock: VirtualClock;
  /** A new engine on the state that is there; the last one is dead. It may die by itself at a step. */
  open(diesAtStep: number | undefined, reports: (report: Report) => void): Promise<Engine | null>;
  isDead(): boolean;
  request(id: AttemptId): StartRequest;
  /** How often it really began. */
  runs(key: string): number;
  isAlive(key: string): boolean;
  /** Faults that begin when called, and end by themselves after a while. */
  readonly faults: readonly (() => void)[];
  /** Ends all faults; there are none from now on. */
  repair(): void;
}

interface Job {
  attempt: number;
  /** What the service wants of the current attempt. */
  wants: "run" | "suspend" | "end";
  /** What the present engine was asked for it. */
  outcome: Outcome | null;
}

const JOBS = 12;
const MAX_ATTEMPTS = 4;
/** Faults and commands come for this long; then they stop. */
const TROUBLE_SECONDS = 400;
const PEACE_SECONDS = 20_000;

/**
 * A small service with a sound memory drives an engine through a random history: starts, suspensions, ends, faults
 * on both sides, its own deaths at any step. It does what the contract asks of a service, and no more: it
 * repeats its commands after a restart, compares its books with `list` now and then, and never starts an attempt
 * again whose outcome it has.
 *
 * @throws {Error} with what was wrong, where the engine breaks the contract
 */
export async function playHistory(world: HistoryWorld, seed: number): Promise<void> {
  const random = new Random(seed);
  const { clock } = world;
  const jobs: Job[] = [];
  const service: { engine: Engine | null } = { engine: null };

  const idOf = (number: number): AttemptId => ({
    job: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    attempt: jobs[number].attempt,
  });
  const current = (id: AttemptId): Job | null => {
    const job = jobs[Number(id.job.slice(-12))];
    return job?.attempt === id.attempt ? job : null;
  };

  const settle = (job: Job, outcome: Outcome): void => {
    if (job.outcome !== null) return;
    const key = attemptKey(outcome.id);
    if (world.isAlive(key)) throw new Error(`${key} is alive after ${JSON.stringify(outcome)}`);
    const runs = world.runs(key);
    const ran =
      outcome.kind === "start-failed" || (outcome.kind === "exited" && outcome.cause === "never-ran") ? 0 : 1;
    if (runs !== ran) throw new Error(`${key} ran ${runs} times, and came to ${JSON.stringify(outcome)}`);
    job.outcome = outcome;
    // Sometimes the service dies before it forgets it.
    if (random.unit() < 0.8) void service.engine?.forget(outcome.id);
    if (outcome.kind === "exited" || job.attempt === MAX_ATTEMPTS) return;
    job.attempt++;
    job.outcome = null;
    job.wants = "run";
    service.engine?.start(world.request({ ...outcome.id, attempt: job.attempt }));
  };
  const hear = (report: Report): void => {
    if (report.kind !== "exited" && report.kind !== "lost" && report.kind !== "start-failed") return;
    const job = current(report.id);
    if (job !== null) settle(job, report);
  };
  const command = (job: Job, id: AttemptId): void => {
    if (job.outcome !== null) return;
    if (job.wants === "end") return service.engine?.end(id, 3);
    service.engine?.start(world.request(id));
    if (job.wants === "suspend") service.engine?.suspend(id);
  };
  const compare = async (): Promise<void> => {
    const asked = service.engine;
    const listing = await asked?.list();
    if (listing?.kind !== "listing" || asked !== service.engine || world.isDead()) return;
    const known = new Map<string, KnownAttempt>(listing.attempts.map((each) => [attemptKey(each.id), each]));
    jobs.forEach((job, number) => {
      const id = idOf(number);
      const each = known.get(attemptKey(id));
      if (each?.state === "over") settle(job, each.outcome);
      else if (each === undefined) command(job, id);
    });
  };
  const open = async (diesAtStep: number | undefined): Promise<void> => {
    service.engine = null;
    // What is reported while it opens is in the list.
    service.engine = await world.open(diesAtStep, (report) => {
      if (service.engine !== null) hear(report);
    });
    if (service.engine === null) return;
    await compare();
    jobs.forEach((job, number) => command(job, idOf(number)));
  };

  await open(undefined);
  while (clock.monotonicSeconds() < TROUBLE_SECONDS) {
    await clock.pass(4 * random.unit());
    const lot = random.unit();
    const number = random.index(JOBS);
    if (world.isDead()) await open(lot < 0.3 ? random.index(60) : undefined);
    else if (lot < 0.3 && jobs.length < JOBS) {
      jobs.push({ attempt: 1, wants: "run", outcome: null });
      command(jobs.at(-1)!, idOf(jobs.length - 1));
    } else if (lot < 0.6 && number < jobs.length && jobs[number].wants !== "end") {
      const job = jobs[number];
      job.wants = lot < 0.4 ? "suspend" : lot < 0.52 ? "run" : "end";
      if (job.outcome !== null) continue;
      if (job.wants === "run") service.engine?.resume(idOf(number));
      else command(job, idOf(number));
    } else if (lot < 0.75) world.faults[random.index(world.faults.length)]();
    else if (lot < 0.85) await open(random.index(60));
    else if (lot < 0.95) await compare();
  }

  world.repair();
  await open(undefined);
  jobs.forEach((job, number) => {
    if (job.wants === "suspend" && job.outcome === null) service.engine?.resume(idOf(number));
    if (job.wants === "suspend") job.wants = "run";
  });
  const end = clock.monotonicSeconds() + PEACE_SECONDS;
  while (jobs.some(({ outcome }) => outcome === null)) {
    if (clock.monotonicSeconds() > end) {
      const left = jobs
        .map(({ outcome }, number) => (outcome === null ? attemptKey(idOf(number)) : ""))
        .filter(Boolean);
      throw new Error(`no outcome of ${left.join(", ")}: ${JSON.stringify(await service.engine?.list())}`);
    }
    await clock.pass(30);
    await compare();
  }
  // Nothing begins after the end.
  await clock.pass(1000);
  jobs.forEach((_, number) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const key = attemptKey({ ...idOf(number), attempt });
      if (world.runs(key) > 1 || world.isAlive(key))
        throw new Error(`${key} runs after the end, or ran twice`);
    }
  });
  const closing = service.engine?.close();
  await clock.pass(1000);
  await closing;
}
